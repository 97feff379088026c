//go:build integration

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fixed is limited as `headroom fix` leaves it; nothing says what runs in it.
const (
	unfixed = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}   # ours
spec:
  template:
    metadata:
      annotations:
        headroom.dev/workload-class: latency-sensitive
        runtime.headroom.dev/app: native
    spec:
      containers:
        - name: app
          resources:
            requests: {cpu: "1", memory: 1Gi} # tuned
            limits:
              cpu: "2"
              memory: 2Gi
`
	summary = `: Deployment cart
  HR202 app: limits.cpu 2 removed
  HR302 app: requests.memory 1Gi → 2Gi
  price of HR202: none, the QoS class stays Burstable
`
)

var fixed = strings.NewReplacer("              cpu: \"2\"\n", "", `memory: 1Gi} # tuned`, `memory: 2Gi} # tuned`).Replace(unfixed)

func text(t *testing.T, file string) string {
	t.Helper()
	out, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestFix(t *testing.T) {
	dir := write(t, map[string]string{"deploy/cart.yaml": unfixed, "deploy/good.yaml": sound})
	file := filepath.Join(dir, "deploy/cart.yaml")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	got := headroom(t, dir, "", "fix", "deploy")
	if got.code != 0 || got.stdout != "" || text(t, file) != fixed {
		t.Errorf("exit code %d\n%s%s%s", got.code, got.stdout, got.stderr, text(t, file))
	}
	if want := "deploy/cart.yaml:1" + summary + "2 changes made in 1 object of 1 file\n"; got.stderr != want {
		t.Errorf("says\n%s\nnot\n%s", got.stderr, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	// The linter has nothing to say any more, and there is nothing left to do.
	if linted := headroom(t, dir, "", "lint", "deploy"); linted.code != 0 || strings.Contains(linted.stdout, "HR") {
		t.Errorf("exit code %d\n%s", linted.code, linted.stdout)
	}
	again := headroom(t, dir, "", "fix", "--check", "deploy")
	if again.code != 0 || again.stdout != "" || again.stderr != "no file changes\n" {
		t.Errorf("exit code %d\n%s%s", again.code, again.stdout, again.stderr)
	}
}

func TestFixDiffAndCheck(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": unfixed, "b.yaml": sound})
	diff := `--- a/a.yaml
+++ b/a.yaml
@@ -11,7 +11,6 @@
       containers:
         - name: app
           resources:
-            requests: {cpu: "1", memory: 1Gi} # tuned
+            requests: {cpu: "1", memory: 2Gi} # tuned
             limits:
-              cpu: "2"
               memory: 2Gi
`
	for _, c := range []struct {
		arguments []string
		stdout    string
		code      int
	}{
		{[]string{"--diff"}, diff, 0},
		{[]string{"--check"}, "a.yaml\n", 1},
		{[]string{"--check", "--diff"}, diff, 1},
	} {
		got := headroom(t, dir, "", append(append([]string{"fix"}, c.arguments...), "a.yaml", "b.yaml")...)
		if got.code != c.code || got.stdout != c.stdout {
			t.Errorf("%v: exit code %d\n%s", c.arguments, got.code, got.stdout)
		}
		if want := "a.yaml:1" + summary + "2 changes to make in 1 object of 1 file\n"; got.stderr != want {
			t.Errorf("%v: says\n%s", c.arguments, got.stderr)
		}
	}
	if text(t, filepath.Join(dir, "a.yaml")) != unfixed {
		t.Error("the file was written")
	}
}

func TestFixStdin(t *testing.T) {
	dir := t.TempDir()
	got := headroom(t, dir, unfixed, "fix", "-")
	if got.code != 0 || got.stdout != fixed || !strings.Contains(got.stderr, "stdin:1"+summary) {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	// What has nothing to fix, or cannot be read, goes through as it is.
	for input, code := range map[string]int{sound: 0, "a: [\n": 2, "": 2} {
		if got := headroom(t, dir, input, "fix", "-"); got.code != code || got.stdout != input {
			t.Errorf("%q: exit code %d\n%s%s", input, got.code, got.stdout, got.stderr)
		}
	}
	if got := headroom(t, dir, unfixed, "fix", "--check", "-"); got.code != 1 || got.stdout != "stdin\n" {
		t.Errorf("exit code %d\n%s", got.code, got.stdout)
	}
	if got := headroom(t, dir, unfixed, "fix", "--diff", "-"); !strings.HasPrefix(got.stdout, "--- a/stdin\n") {
		t.Errorf("exit code %d\n%s", got.code, got.stdout)
	}
}

func TestFixRules(t *testing.T) {
	for _, c := range []struct {
		rules []string
		want  string
	}{
		{[]string{"--rule", "HR302"}, strings.Replace(unfixed, "1Gi} #", "2Gi} #", 1)},
		{[]string{"--rule", "memory-request-not-limit"}, strings.Replace(unfixed, "1Gi} #", "2Gi} #", 1)},
		{[]string{"--rule", "hr202"}, strings.Replace(unfixed, "              cpu: \"2\"\n", "", 1)},
		{[]string{"--rule", "HR302,HR202"}, fixed},
		{[]string{"--rule", "HR302", "--rule", "HR202"}, fixed},
		{[]string{"--rule", "HR103"}, unfixed},
	} {
		got := headroom(t, t.TempDir(), unfixed, append([]string{"fix", "-"}, c.rules...)...)
		if got.code != 0 || got.stdout != c.want {
			t.Errorf("%v: exit code %d\n%s%s", c.rules, got.code, got.stdout, got.stderr)
		}
	}
	got := headroom(t, t.TempDir(), unfixed, "fix", "-", "--rule", "HR302")
	if !strings.Contains(got.stderr, "1 auto-fixable finding was not fixed: 1 error") {
		t.Errorf("says %q", got.stderr)
	}
}

// One file that has nothing right with it must not keep the others from being written.
func TestFixOfSome(t *testing.T) {
	shared := strings.Replace(unfixed, "          resources:\n", "          resources: &r\n", 1) +
		"        - name: other\n          resources: *r\n"
	dir := write(t, map[string]string{
		"a.yaml": shared + "---\n" + unfixed, "b.yaml": unfixed, "broken.yaml": "a: [\n",
		"t.yaml":           "# {{ if .Values.x }}\n" + unfixed,
		"generated.yaml":   "# Code generated by a program. DO NOT EDIT.\n" + unfixed,
		"chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "chart/templates/a.yaml": unfixed,
	})
	got := headroom(t, dir, "", "fix", ".")
	if got.code != 2 {
		t.Errorf("exit code %d", got.code)
	}
	for name, want := range map[string]string{
		"a.yaml": shared + "---\n" + fixed, "b.yaml": fixed, "broken.yaml": "a: [\n",
		"t.yaml":         "# {{ if .Values.x }}\n" + unfixed,
		"generated.yaml": "# Code generated by a program. DO NOT EDIT.\n" + unfixed, "chart/templates/a.yaml": unfixed,
	} {
		if text(t, filepath.Join(dir, name)) != want {
			t.Errorf("%s\n%s", name, text(t, filepath.Join(dir, name)))
		}
	}
	for _, want := range []string{
		"chart: left out: a Helm chart; render it with --helm-chart\n",
		"a.yaml:13: Deployment cart: left alone: the value has an anchor (&) that is used elsewhere\n" +
			"  wanted: HR202 app: limits.cpu 2 removed\n",
		"t.yaml:1: Deployment cart: left alone: a template ({{ }}) makes the value\n",
		`generated.yaml:1: Deployment cart: left alone: the file says that it is generated ("DO NOT EDIT")`,
		"broken.yaml:1: broken YAML",
		"4 changes made in 2 objects of 2 files; 3 objects left alone\n",
	} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("does not say %q:\n%s", want, got.stderr)
		}
	}
	if err := os.Remove(filepath.Join(dir, "broken.yaml")); err != nil {
		t.Fatal(err)
	}
	if got := headroom(t, dir, "", "fix", "."); got.code != 1 {
		t.Errorf("exit code %d where something is left alone\n%s", got.code, got.stderr)
	}
	forced := headroom(t, dir, "", "fix", "--generated", "generated.yaml")
	if !strings.HasSuffix(text(t, filepath.Join(dir, "generated.yaml")), fixed) || forced.code != 0 {
		t.Errorf("exit code %d\n%s", forced.code, forced.stderr)
	}
}

func TestFixRefuses(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": unfixed, "bad/headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\ntolerance: many\n"})
	for want, arguments := range map[string][]string{
		"nothing to fix":                                  {},
		"did you mean HR302 memory":                       {"a.yaml", "--rule", "HR320"},
		"HR304 jvm-heap-reaches-limit needs a manual fix": {"a.yaml", "--rule", "HR304"},
		"--interactive writes files":                      {"a.yaml", "--interactive", "--diff"},
		"standard input, where - expects":                 {"-", "--interactive"},
		"needs a terminal":                                {"a.yaml", "-i"},
		"run it twice":                                    {"-", "--kustomize", "."},
		"none.yaml: no such file":                         {"none.yaml"},
		"tolerance":                                       {"a.yaml", "--config", "bad/headroom.yaml"},
	} {
		got := headroom(t, dir, "", append([]string{"fix"}, arguments...)...)
		if got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%v: exit code %d, %s", arguments, got.code, got.stderr)
		}
	}
	if text(t, filepath.Join(dir, "a.yaml")) != unfixed {
		t.Error("the file was written")
	}
}

// A config decides what is right, and so what is fixed.
func TestFixConfig(t *testing.T) {
	dir := write(t, map[string]string{
		"a.yaml":        unfixed,
		"headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: {HR202: {severity: \"off\"}}\n",
	})
	for want, arguments := range map[string][]string{
		strings.Replace(unfixed, "1Gi} #", "2Gi} #", 1): {},
		fixed: {"--no-config"},
	} {
		got := headroom(t, dir, unfixed, append([]string{"fix", "-"}, arguments...)...)
		if got.code != 0 || got.stdout != want {
			t.Errorf("%v: exit code %d\n%s", arguments, got.code, got.stdout)
		}
	}
}

// What stands beside a workload counts: without the request, the namespace gives it one.
func TestFixSurroundings(t *testing.T) {
	dir := write(t, map[string]string{
		"ns.yaml": "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  annotations:\n" +
			"    headroom.dev/default-class: latency-sensitive\n",
		"a.yaml": strings.NewReplacer("{name: cart}", "{name: cart, namespace: shop}",
			"        headroom.dev/workload-class: latency-sensitive\n", "").Replace(unfixed),
	})
	alone := headroom(t, dir, "", "fix", "--diff", "a.yaml")
	together := headroom(t, dir, "", "fix", "--diff", ".")
	const gone = "-              cpu: \"2\"\n"
	if strings.Contains(alone.stdout, gone) || !strings.Contains(together.stdout, gone) {
		t.Errorf("alone\n%s\ntogether\n%s%s", alone.stdout, together.stdout, together.stderr)
	}
}

// The diff is one that others take.
func TestFixDiffApplies(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": unfixed, "deep/b.yaml": strings.ReplaceAll(unfixed, "\n", "\r\n")})
	diff := headroom(t, dir, "", "fix", "--diff", ".")
	patch := run(t, dir, diff.stdout, "git", "apply", "--verbose")
	if strings.Contains(patch, "error") {
		t.Fatal(patch)
	}
	if text(t, filepath.Join(dir, "a.yaml")) != fixed ||
		text(t, filepath.Join(dir, "deep/b.yaml")) != strings.ReplaceAll(fixed, "\n", "\r\n") {
		t.Errorf("%s\n%s", diff.stdout, text(t, filepath.Join(dir, "a.yaml")))
	}
}

// What is rendered is never written: its snippet, pasted, leaves nothing to fix.
func TestFixKustomize(t *testing.T) {
	dir := write(t, map[string]string{
		"base/cart.yaml": unfixed, "base/kustomization.yaml": "resources: [cart.yaml]\n",
		"over/kustomization.yaml": "resources: [../base]\nnamePrefix: my-\n",
	})
	check := headroom(t, dir, "", "fix", "--kustomize", "over", "--check")
	if check.code != 1 || check.stdout != "" || !strings.Contains(check.stderr, "1 rendered object to fix") {
		t.Errorf("exit code %d\n%s%s", check.code, check.stdout, check.stderr)
	}
	got := headroom(t, dir, "", "fix", "--kustomize", "over")
	if got.code != 0 || !strings.HasPrefix(got.stdout, "# over: ") || !strings.Contains(got.stderr, "over:1"+
		strings.Replace(summary, "cart", "my-cart", 1)) {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if text(t, filepath.Join(dir, "base/cart.yaml")) != unfixed {
		t.Error("the base was written")
	}
	file := filepath.Join(dir, "over/kustomization.yaml")
	if err := os.WriteFile(file, []byte(text(t, file)+got.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	again := headroom(t, dir, "", "fix", "--kustomize", "over", "--check")
	if again.code != 0 || again.stderr != "no file changes\n" {
		t.Errorf("exit code %d\n%s\n%s", again.code, again.stderr, text(t, file))
	}
	// The files that it is made of are ordinary ones.
	if got := headroom(t, dir, "", "fix", "base"); got.code != 0 || text(t, filepath.Join(dir, "base/cart.yaml")) != fixed {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
}

func TestFixHelm(t *testing.T) {
	dir := write(t, map[string]string{
		"c/Chart.yaml":  "apiVersion: v2\nname: c\nversion: 1.0.0\n",
		"c/values.yaml": "resources:\n  requests: {cpu: \"1\", memory: 1Gi}\n  limits: {memory: 2Gi}\n",
		"c/templates/a.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  template:
    metadata:
      annotations: {headroom.dev/workload-class: latency-sensitive, runtime.headroom.dev/app: native}
    spec:
      containers: [{name: app, resources: {{ toJson .Values.resources }}}]
`,
	})
	got := headroom(t, dir, "", "fix", "--helm-chart", "c", "--release-name", "r")
	if got.code != 0 || !strings.HasPrefix(got.stdout, "# c: ") || !strings.Contains(got.stdout, "memory: 2Gi") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "more.yaml"), []byte(got.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	for code, arguments := range map[int][]string{
		0: {"--values", "more.yaml"},
		1: {"--set", "resources.limits.memory=1500Mi"},
	} {
		again := headroom(t, dir, "", append([]string{"fix", "--helm-chart", "c", "--check"}, arguments...)...)
		if again.code != code {
			t.Errorf("%v: exit code %d\n%s", arguments, again.code, again.stderr)
		}
	}
}

// What keeps flags away is told with its workload. A file that java is told to read cannot become plain text.
func TestFixTellsWhatWasNotRead(t *testing.T) {
	files := map[string]string{}
	for name, word := range map[string]string{"w1": "@/opts/args", "w2": "@/opts/args", "w3": "-XX:Flags=/opts/flags"} {
		files[name+".yaml"] = strings.NewReplacer("name: cart", "name: "+name, "        runtime.headroom.dev/app: native\n", "",
			"- name: app", "- name: app\n          image: eclipse-temurin:21\n          command: [java, \""+word+"\", -jar, a.jar]",
		).Replace(unfixed)
	}
	got := strings.Join(strings.Fields(headroom(t, write(t, files), "", "fix", "--check", ".").stderr), " ")
	const want = "HR406 w1/app and 2 more: the command line names a file of options that was not read."
	if !strings.Contains(got, want) || strings.Contains(got, "As plain text") {
		t.Errorf("%q is missing, or more is told:\n%s", want, got)
	}
}
