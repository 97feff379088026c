//go:build integration

package assistant

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// toolFailed is the inspector's exit code where a tool says that it failed, or is not there.
const toolFailed = 5

// inspect has the protocol's inspector ask the server: it checks the answers by the protocol's schemas.
func inspect(t *testing.T, dir string, arguments ...string) (answer string, code int) {
	t.Helper()
	inspector := repo.Path(".tools", "inspector", "node_modules", ".bin", "mcp-inspector")
	if _, err := os.Stat(inspector); err != nil {
		t.Skipf("no inspector, as there is no npm: make inspector says why (%v)", err)
	}
	command := exec.CommandContext(t.Context(), inspector, append([]string{"--cli", binary, "mcp", "--root", dir}, arguments...)...)
	command.Env = append(os.Environ(), "HOME="+t.TempDir()) // it keeps a list of servers there
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return out.String() + said.String(), exit.ExitCode()
	}
	if said.Len() > 0 {
		t.Errorf("%q: the inspector says: %s", arguments, said.String())
	}
	return out.String(), 0
}

func TestInspector(t *testing.T) {
	dir := t.TempDir()
	program.Write(t, dir, map[string]string{
		"cart.yaml": strings.Replace(program.Limited, "latency-sensitive}", "latency-sensitive, runtime.headroom.dev/app: node}", 1),
	})
	call := func(tool string, arguments ...string) []string {
		asked := []string{"--method", "tools/call", "--tool-name", tool}
		for _, a := range arguments {
			asked = append(asked, "--tool-arg", a)
		}
		return asked
	}
	for name, c := range map[string]struct {
		asked []string
		code  int
		want  []string
	}{
		"tools":          {[]string{"--method", "tools/list", "--strict"}, 0, []string{`"lint"`, `"fix"`, `"readOnlyHint": true`, `"inputSchema"`}},
		"resources":      {[]string{"--method", "resources/list"}, 0, []string{"headroom://rules", "headroom://classes", "headroom://facts"}},
		"templates":      {[]string{"--method", "resources/templates/list"}, 0, []string{"headroom://rules/{name}"}},
		"prompts":        {[]string{"--method", "prompts/list"}, 0, []string{`"prompts": []`}},
		"a rule":         {[]string{"--method", "resources/read", "--uri", "headroom://rules/HR302"}, 0, []string{"# HR302", "text/markdown"}},
		"no resource":    {[]string{"--method", "resources/read", "--uri", "file:///etc/passwd"}, 1, []string{"not found"}},
		"lint":           {call("lint", "path=cart.yaml"), 0, []string{"HR202", "cart.yaml:"}},
		"fix":            {call("fix", "path=cart.yaml"), 0, []string{"--- a/cart.yaml"}},
		"explain":        {call("explain", "path=cart.yaml", "what_if=limits.cpu=none"), 0, []string{"latency-sensitive"}},
		"rules":          {call("rules"), 0, []string{"HR302"}},
		"a file beside":  {call("lint", "path=../cart.yaml"), toolFailed, []string{`"isError": true`, "not below the root"}},
		"a strange word": {call("lint", "pth=cart.yaml"), toolFailed, []string{`"isError": true`}},
		"no tool":        {call("nosuch"), toolFailed, []string{"not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			answer, code := inspect(t, dir, c.asked...)
			if code != c.code {
				t.Errorf("exit code %d: %s", code, answer)
			}
			for _, want := range c.want {
				if !strings.Contains(answer, want) {
					t.Errorf("%q is not in %.2000s", want, answer)
				}
			}
			if code == 0 && !json.Valid([]byte(answer)) {
				t.Errorf("no JSON: %.200s", answer)
			}
		})
	}
}
