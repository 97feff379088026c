//go:build integration

package charts

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/golden"
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
			golden.Check(t, filepath.Join("testdata", name+".txt"), text.String())
		})
	}
}
