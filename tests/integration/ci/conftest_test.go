//go:build integration

package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// The conftest that `make tools` builds installs the plugin and runs it.
func TestConftestPlugin(t *testing.T) {
	conftest := program.Tool(t, "conftest")
	dir, home := t.TempDir(), filepath.Join(t.TempDir(), "a home")
	write(t, dir, map[string]string{
		"deploy/cart 1.yaml": limited, "deploy/uneven.yaml": named(uneven, "uneven"),
		"deploy/sound.yaml": named(sound, "sound"), "broken.yaml": "a: [\n",
	})
	write(t, home, map[string]string{".keep": ""})
	environment := append(clean(t), "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"))
	environment = append(environment, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
	write(t, home, map[string]string{"data/.keep": ""})

	// As docs/ci.md has it, from a repository that holds what git would clone. Conftest asks for a ref.
	published := newRepository(t, map[string]string{"plugin.yaml": read(t, filepath.Join(root, "plugin.yaml"))})
	script := filepath.Join("packaging", "conftest", "headroom.sh")
	write(t, published.dir, map[string]string{script: read(t, filepath.Join(root, script))})
	if err := os.Chmod(filepath.Join(published.dir, script), 0o755); err != nil {
		t.Fatal(err)
	}
	published.commit(nil)
	git(t, published.dir, "tag", "v1.2.3")
	installed := 0
	for _, block := range snippets(t, "ci.md", "sh") {
		for line := range strings.Lines(block) {
			if !strings.HasPrefix(line, "conftest plugin install ") {
				continue
			}
			installed++
			line = strings.Replace(strings.TrimSpace(line), "https://github.com/headroom-dev/headroom.git",
				"file://"+filepath.ToSlash(published.dir), 1)
			arguments := strings.Fields(strings.ReplaceAll(line, "'", ""))[1:]
			if p := start(t, dir, environment, conftest, arguments...); p.code != 0 {
				t.Fatalf("%s: %s", line, p.output)
			}
		}
	}
	if installed != 1 {
		t.Errorf("%d commands install the plugin", installed)
	}
	if p := start(t, dir, environment, conftest, "--help"); !strings.Contains(p.output, "conftest headroom COMMAND") {
		t.Errorf("the plugin is not offered:\n%s", p.output)
	}
	for code, paths := range [][]string{{"deploy/sound.yaml"}, {"deploy/cart 1.yaml"}, {"broken.yaml"}} {
		p := start(t, dir, environment, conftest, append([]string{"headroom", "lint", "-o", "json"}, paths...)...)
		if p.code != code || !strings.Contains(p.output, `"summary"`) ||
			(code == 1) != strings.Contains(p.output, `"line": 13`) {
			t.Errorf("exit code %d, want %d:\n%s", p.code, code, p.output)
		}
	}
	if p := start(t, dir, environment, conftest, "headroom", "fix", "--check", "deploy"); p.code != 1 {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	p := start(t, dir, append(environment, "HEADROOM=/no/such"), conftest, "headroom", "lint", ".")
	if p.code != 2 || !strings.Contains(p.output, "install it") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
}
