//go:build integration

package charts

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGolden: the text that a cluster is given. Read the difference before -update.
func TestGolden(t *testing.T) {
	for name, settings := range map[string][]string{
		"default":     nil,
		"self-signed": {selfSigned},
		"audit":       {"audit.enabled=true"},
	} {
		t.Run(name, func(t *testing.T) {
			rendered := templates(t, settings...)
			var text strings.Builder
			for _, file := range slices.Sorted(maps.Keys(rendered)) {
				if content := strings.TrimSpace(rendered[file]); content != "" {
					text.WriteString("=== " + file + "\n" + content + "\n")
				}
			}
			golden(t, filepath.Join("testdata", name+".txt"), text.String())
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from what is rendered now: run go test ./tests/integration/charts -update and read the difference", file)
	}
}
