//go:build integration

// Package cli runs the headroom binary as a person would, and looks at what it prints, what
// it writes and how it exits.
package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var binary string

func TestMain(m *testing.M) { os.Exit(program.Main(m, &binary)) }

type outcome struct {
	stdout, stderr string
	code           int
}

// headroom runs the binary in dir.
func headroom(t *testing.T, dir, stdin string, arguments ...string) outcome {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Dir, command.Stdin = dir, strings.NewReader(stdin)
	stdout, stderr, code := program.Run(t, command)
	return outcome{stdout, stderr, code}
}

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	program.Write(t, dir, files)
	return dir
}

const limited = program.Limited

var sound = program.Sound

type report struct {
	Schema  string `json:"schema"`
	Summary struct {
		Files, Documents, NotKubernetes, Errors, Exempted, Skipped, Problems int
	} `json:"summary"`
	Findings []struct {
		Rule, File, Path string
		Line             int
	} `json:"findings"`
	Problems []struct {
		File, Message string
		Line          int
	} `json:"problems"`
}

func lintJSON(t *testing.T, dir string, arguments ...string) (report, outcome) {
	t.Helper()
	out := headroom(t, dir, "", append([]string{"lint", "-o", "json"}, arguments...)...)
	var r report
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
		t.Fatalf("stdout %q, stderr %q: %v", out.stdout, out.stderr, err)
	}
	return r, out
}

func TestExitCodes(t *testing.T) {
	dir := write(t, map[string]string{"bad.yaml": limited, "good.yaml": sound, "broken.yaml": "a: [\n"})
	for _, c := range []struct {
		arguments []string
		code      int
	}{
		{[]string{"lint", "good.yaml"}, 0},
		{[]string{"lint", "bad.yaml"}, 1},
		{[]string{"lint", "--fail-on", "never", "bad.yaml"}, 0},
		{[]string{"lint", "broken.yaml"}, 2},
		{[]string{"lint", "--fail-on", "never", "bad.yaml", "broken.yaml"}, 2},
		{[]string{"lint", "missing.yaml"}, 2},
		{[]string{"lint"}, 2},
		{[]string{"lint", "--fail-on", "sometimes", "good.yaml"}, 2},
		{[]string{"lint", "-o", "yaml", "good.yaml"}, 2},
		{[]string{"lint", "-o", "json", "-o", "table", "good.yaml"}, 2},
		{[]string{"rules", "HR202"}, 0},
		{[]string{"rules", "HR999"}, 2},
		{[]string{"version"}, 0},
		{[]string{"completion", "bash"}, 0},
		{[]string{"nonsense"}, 2},
	} {
		if out := headroom(t, dir, "", c.arguments...); out.code != c.code {
			t.Errorf("%v: exit code %d, want %d\n%s%s", c.arguments, out.code, c.code, out.stdout, out.stderr)
		}
	}
}

func TestBadInputIsNamedAndTheRestJudged(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for name := 'b'; name <= 'k'; name++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", name, name,
			name-1, name-1, name-1, name-1, name-1, name-1, name-1, name-1, name-1)
	}
	for _, c := range []struct {
		name, file, text string
		line             int
		cause            string
	}{
		{"broken document of many", "many.yaml", sound + "---\nkind: [\n---\n" + limited, 15, "YAML"},
		{"duplicate key", "twice.yaml", "apiVersion: v1\nkind: Service\nkind: Pod\n", 3, "kind"},
		{"alias bomb", "bomb.yaml", "apiVersion: v1\nkind: Pod\n" + bomb, 0, "alias"},
		{"large file", "large.yaml", "# " + strings.Repeat("x", 10<<20) + "\n", 0, "limit"},
		{"not UTF-8", "latin.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: caf\xe9}\n", 3, "UTF-8"},
		{"tabs", "tabs.yaml", "apiVersion: v1\nkind: Pod\n\tmetadata: {}\n", 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{c.file: c.text, "z.yaml": limited})
			r, out := lintJSON(t, dir, ".")
			if out.code != 2 {
				t.Errorf("exit code %d", out.code)
			}
			if len(r.Problems) != 1 {
				t.Fatalf("problems: %+v", r.Problems)
			}
			p := r.Problems[0]
			if p.File != c.file || p.Line != c.line && c.line > 0 || !strings.Contains(p.Message, c.cause) {
				t.Errorf("problem %+v, want line %d and %q", p, c.line, c.cause)
			}
			last := r.Findings[len(r.Findings)-1]
			if last.File != "z.yaml" || last.Rule != "HR202" || last.Line != 13 {
				t.Errorf("the rest was not judged: %+v", r.Findings)
			}
		})
	}
}

func TestDirectoryLoop(t *testing.T) {
	dir := write(t, map[string]string{"a/z.yaml": limited})
	if err := os.Symlink("..", filepath.Join(dir, "a", "up")); err != nil {
		t.Fatal(err)
	}
	r, _ := lintJSON(t, dir, ".")
	if len(r.Findings) != 1 {
		t.Errorf("findings %+v, problems %+v", r.Findings, r.Problems)
	}
}

func TestConfigErrorsNameTheLine(t *testing.T) {
	dir := write(t, map[string]string{
		"headroom.yaml":   "apiVersion: headroom.dev/v1alpha1\nkind: Config\ntolerence: 0.5\n",
		"deploy/bad.yaml": limited,
	})
	out := headroom(t, filepath.Join(dir, "deploy"), "", "lint", "bad.yaml")
	if out.code != 2 || !strings.Contains(out.stderr, "headroom.yaml:3: unknown key tolerence; did you mean tolerance?") {
		t.Errorf("code %d, stderr %q", out.code, out.stderr)
	}
	if out := headroom(t, filepath.Join(dir, "deploy"), "", "lint", "--no-config", "bad.yaml"); out.code != 1 {
		t.Errorf("--no-config: code %d, stderr %q", out.code, out.stderr)
	}
}

func TestConfigTurnsARuleOff(t *testing.T) {
	for _, off := range []string{"off", `"off"`} {
		dir := write(t, map[string]string{
			"headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules:\n  HR202: {severity: " + off + "}\n",
			"bad.yaml":      limited,
		})
		if out := headroom(t, dir, "", "lint", "bad.yaml"); out.code != 0 {
			t.Errorf("severity %s: code %d\n%s", off, out.code, out.stdout)
		}
	}
}

func TestStdinAndSeveralOutputs(t *testing.T) {
	dir := t.TempDir()
	out := headroom(t, dir, limited, "lint", "-",
		"-o", "table", "-o", "sarif=out.sarif", "-o", "junit=out.xml", "-o", "json=out.json",
		"-o", "github=out.txt", "-o", "markdown=out.md")
	if out.code != 1 || !strings.Contains(out.stdout, "HR202") {
		t.Errorf("code %d, stdout %q, stderr %q", out.code, out.stdout, out.stderr)
	}
	var sarif struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct{ RuleID string }
		}
	}
	decode(t, filepath.Join(dir, "out.sarif"), json.Unmarshal, &sarif)
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	if sarif.Version != "2.1.0" || len(sarif.Runs[0].Tool.Driver.Rules) != len(rules) || sarif.Runs[0].Results[0].RuleID != "HR202" {
		t.Errorf("SARIF: %+v", sarif)
	}
	var junit struct {
		XMLName  xml.Name
		Failures int `xml:"failures,attr"`
	}
	decode(t, filepath.Join(dir, "out.xml"), xml.Unmarshal, &junit)
	if junit.Failures != 1 {
		t.Errorf("JUnit: %+v", junit)
	}
	for file, want := range map[string]string{
		"out.txt": "::error file=stdin,line=13", "out.md": "HR202", "out.json": "headroom.dev/findings/v1",
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q: %s %v", file, want, text, err)
		}
	}
}

func decode(t *testing.T, file string, unmarshal func([]byte, any) error, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// An output that cannot be written leaves what was there.
func TestNothingHalfWritten(t *testing.T) {
	dir := write(t, map[string]string{"bad.yaml": limited, "kept.json": "old"})
	out := headroom(t, dir, "", "lint", "bad.yaml", "-o", "json=missing/out.json")
	if out.code != 2 || out.stdout != "" {
		t.Errorf("code %d, stdout %q", out.code, out.stdout)
	}
	if out := headroom(t, dir, "", "lint", "bad.yaml", "-o", "json=kept.json", "--config", "missing.yaml"); out.code != 2 {
		t.Errorf("code %d", out.code)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "kept.json")); err != nil || string(text) != "old" {
		t.Errorf("kept.json is %q, %v", text, err)
	}
}

// A device or a pipe is written to, not replaced.
func TestOutputToWhatIsNoFile(t *testing.T) {
	dir := write(t, map[string]string{"bad.yaml": limited})
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	}()
	out := headroom(t, dir, "", "lint", "bad.yaml", "-o", "json="+pipe)
	if text := <-read; out.code != 1 || !strings.Contains(text, "HR202") {
		t.Errorf("code %d, %q, stderr %q", out.code, text, out.stderr)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info.Mode(), err)
	}
}

// What stands in one file is known when another is judged.
func TestContextOfTheWholeRun(t *testing.T) {
	dir := write(t, map[string]string{
		"app.yaml": sound,
		"ns/limits.yaml": "apiVersion: v1\nkind: LimitRange\nmetadata: {name: defaults}\n" +
			"spec: {limits: [{type: Container, default: {cpu: 2}}]}\n",
	})
	r, _ := lintJSON(t, dir, "app.yaml", "ns")
	if len(r.Findings) != 1 || r.Findings[0].Rule != "HR209" {
		t.Errorf("findings %+v", r.Findings)
	}
	if r, _ := lintJSON(t, dir, "app.yaml"); len(r.Findings) != 0 {
		t.Errorf("alone: findings %+v", r.Findings)
	}
}

// kubectl get -o yaml gives a List; the API gives typed lists whose items have no kind.
func TestLists(t *testing.T) {
	indented := "    " + strings.ReplaceAll(strings.TrimSpace(limited), "\n", "\n    ")
	list := "apiVersion: v1\nkind: List\nitems:\n  -\n" + indented + "\n"
	typed := strings.Replace(strings.Replace(list, "kind: List", "kind: DeploymentList", 1),
		"    apiVersion: apps/v1\n    kind: Deployment\n", "", 1)
	typed = strings.Replace(typed, "apiVersion: v1", "apiVersion: apps/v1", 1)
	for _, c := range []struct {
		text string
		line int
	}{{list, 17}, {typed, 15}} {
		dir := write(t, map[string]string{"list.yaml": c.text})
		r, _ := lintJSON(t, dir, "list.yaml")
		if len(r.Findings) != 1 || r.Findings[0].Line != c.line ||
			!strings.HasPrefix(r.Findings[0].Path, "/items/0/spec/template") {
			t.Errorf("findings %+v", r.Findings)
		}
	}
}

// Of an AdmissionReview, the object that is asked about is judged, in the namespace of the request.
func TestAdmissionReview(t *testing.T) {
	indented := "    " + strings.ReplaceAll(strings.TrimSpace(limited), "\n", "\n    ")
	text := "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest:\n  namespace: shop\n  object:\n" + indented + "\n"
	dir := write(t, map[string]string{"review.yaml": text})
	r, out := lintJSON(t, dir, "review.yaml")
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Path, "/request/object/spec/template") ||
		!strings.Contains(out.stdout, `"namespace": "shop"`) {
		t.Errorf("findings %+v in %s", r.Findings, out.stdout)
	}
}

func TestExemptionIsCounted(t *testing.T) {
	text := strings.Replace(limited, "annotations: {", "annotations: {ignore.headroom.dev/HR202: the bill is capped, ", 1)
	dir := write(t, map[string]string{"bad.yaml": text})
	r, out := lintJSON(t, dir, "bad.yaml")
	if out.code != 0 || len(r.Findings) != 0 || r.Summary.Exempted != 1 {
		t.Errorf("code %d, %+v", out.code, r)
	}
}
