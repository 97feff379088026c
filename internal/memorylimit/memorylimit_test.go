package memorylimit

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestOfContainer(t *testing.T) {
	for content, want := range map[string]int64{
		"134217728\n":           107374182,
		"max\n":                 math.MaxInt64,
		"9223372036854771712\n": math.MaxInt64,
		"0\n":                   math.MaxInt64,
	} {
		for _, name := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
			file := filepath.Join(t.TempDir(), name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			root := file[:len(file)-len(name)]
			if got := OfContainer(root, 0.8); got != want {
				t.Errorf("%s %q: %d, want %d", name, content, got, want)
			}
		}
	}
	if got := OfContainer(t.TempDir(), 0.8); got != math.MaxInt64 {
		t.Errorf("without a control group: %d", got)
	}
}

func TestOfVariable(t *testing.T) {
	for value, want := range map[string]int64{
		"230MiB": 230 << 20, "1GiB": 1 << 30, "3TiB": 3 << 40, "1000": 1000, "5B": 5, "2KiB": 2048, "off": math.MaxInt64,
	} {
		if got, ok := OfVariable(value); !ok || got != want {
			t.Errorf("%s: %d, %v", value, got, ok)
		}
	}
	for _, value := range []string{"", "x", "-1", "1GB", "1.5GiB", "230Mi", "1KiBB", "9999999999TiB"} {
		if got, ok := OfVariable(value); ok {
			t.Errorf("%q: %d", value, got)
		}
	}
}
