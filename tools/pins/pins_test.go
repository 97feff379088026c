// Package pins holds what keeps the pinned versions of the repository up to date.
package pins

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// TestEveryModuleIsUpdated: dependabot looks at each go.mod, and at no folder without one.
func TestEveryModuleIsUpdated(t *testing.T) {
	text, err := os.ReadFile(repo.Path(".github/dependabot.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Updates []struct {
			Ecosystem   string `json:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, update := range config.Updates {
		if update.Ecosystem == "gomod" {
			got = append(got, update.Directories...)
			if update.Directory != "" {
				got = append(got, update.Directory)
			}
		}
	}
	want := []string{"/", "/lab"}
	for _, pattern := range []string{"tools/*/go.mod", "tools/pins/*/go.mod"} {
		found, err := filepath.Glob(repo.Path(pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			relative, err := filepath.Rel(repo.Root(), file)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, "/"+path.Dir(filepath.ToSlash(relative)))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("dependabot updates\n%q, go.mod are in\n%q", got, want)
	}
}

// TestOneVersionOfEach: the lab measures the product with the libraries that the product has, and what is compiled for
// one is compiled for both.
func TestOneVersionOfEach(t *testing.T) {
	ours := required(t, "go.mod")
	for module, version := range required(t, "lab/go.mod") {
		if of, both := ours[module]; both && of != version {
			t.Errorf("%s: the lab has %s, the product %s", module, version, of)
		}
	}
}

// required are the versions that a go.mod requires.
func required(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", repo.Path(file)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(text, &module); err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, r := range module.Require {
		versions[r.Path] = r.Version
	}
	if len(versions) < 20 {
		t.Fatalf("%s requires %d modules", file, len(versions))
	}
	return versions
}

// TestActionsArePinned: a tag of an action can be moved, a commit cannot.
func TestActionsArePinned(t *testing.T) {
	files, err := filepath.Glob(repo.Path(".github/workflows/*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	uses := regexp.MustCompile(`uses: (\S+)(.*)`)
	pinned := regexp.MustCompile(`^\S+@[0-9a-f]{40} # v\d`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range uses.FindAllStringSubmatch(string(text), -1) {
			found++
			if !pinned.MatchString(use[1] + use[2]) {
				t.Errorf("%s: %s is not pinned by commit, with its version behind", filepath.Base(file), use[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d uses of actions were found", found)
	}
}
