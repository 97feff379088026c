package watch

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestContainerLimit(t *testing.T) {
	for content, want := range map[string]int64{
		"104857600\n": 89128960, "max\n": math.MaxInt64, "9223372036854771712\n": math.MaxInt64,
	} {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "memory.max"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := containerLimit(root); got != want {
			t.Errorf("%q: %d, want %d", content, got, want)
		}
	}
	if got := containerLimit(t.TempDir()); got != math.MaxInt64 {
		t.Errorf("without a control group: %d", got)
	}
}

func TestByteCount(t *testing.T) {
	for value, want := range map[string]int64{"230MiB": 230 << 20, "1GiB": 1 << 30, "1000": 1000, "5B": 5, "2KiB": 2048} {
		if got, ok := byteCount(value); !ok || got != want {
			t.Errorf("%s: %d, %v", value, got, ok)
		}
	}
	for _, value := range []string{"", "off", "-1", "1.5GiB", "9999999999TiB"} {
		if got, ok := byteCount(value); ok {
			t.Errorf("%s is read as %d", value, got)
		}
	}
}
