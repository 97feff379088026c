//go:build integration

package conftest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A template in a list that cannot be read ends nothing for the other files.
func TestABrokenFileTakesNoOtherWithIt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Experiment\nmetadata: {name: rates}\nspec:\n  templates:\n" +
			"    - template: {spec: {containers: [{name: web, image: web}]}}\n    - template: {spec: {containers: {}}}\n",
		"b.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, arguments := range [][]string{{dir}, {"--combine", dir}} {
		lines := strings.Join(fromConftest(t, run(t, arguments...)), "\n")
		for _, want := range []string{"HR003 error Experiment", "HR301 warning Pod"} {
			if !strings.Contains(lines, want) {
				t.Errorf("%s lacks %s:\n%s", arguments, want, lines)
			}
		}
	}
}
