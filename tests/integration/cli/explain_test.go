//go:build integration

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples is the repository's folder of that name.
func samples(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "..", "..", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestExplainShow is what the README shows: a service as it should be, and one as people write it.
func TestExplainShow(t *testing.T) {
	good := headroom(t, t.TempDir(), "", "explain", samples(t, "article-service.yaml"), "--timeline")
	if good.code != 0 || good.stderr != "" {
		t.Errorf("exit code %d, %s", good.code, good.stderr)
	}
	for _, text := range []string{
		"article-service  no findings", "2589 MiB of 4096 MiB: 1507 MiB left, 36.7 %", "-XX:MaxRAMPercentage=50.0",
		"Without a CPU limit nothing is frozen", "What would pass", "    resources:\n      requests:\n", "┊", "┃",
	} {
		if !strings.Contains(good.stdout, text) {
			t.Errorf("does not say %q:\n%s", text, good.stdout)
		}
	}
	wrong := headroom(t, t.TempDir(), "", "explain", samples(t, "wrong/article-service.yaml"), "--timeline")
	if wrong.code != 0 {
		t.Errorf("exit code %d: what is wrong is explained too, %s", wrong.code, wrong.stderr)
	}
	for _, text := range []string{
		"over the limit by 510 MiB", "FROZEN", "206.8 ms", "HR304 jvm-heap-reaches-limit  line 27",
	} {
		if !strings.Contains(wrong.stdout, text) {
			t.Errorf("does not say %q:\n%s", text, wrong.stdout)
		}
	}
	if strings.Contains(wrong.stdout, "\x1b") {
		t.Error("colour in what is no terminal")
	}
	for _, line := range strings.Split(wrong.stdout, "\n") {
		if n := len([]rune(line)); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestExplainWhatIf(t *testing.T) {
	wrong := samples(t, "wrong/article-service.yaml")
	out := headroom(t, t.TempDir(), "", "explain", wrong, "--what-if", "limits.memory=8Gi,requests.memory=8Gi",
		"--what-if", "-Xmx=1g,gc-threads=4")
	for _, text := range []string{
		"limits.memory: 4Gi → 8Gi", "JAVA_TOOL_OPTIONS: -Xmx4g → -Xmx1g", "no longer", "HR304", "1024 MiB",
	} {
		if !strings.Contains(out.stdout, text) || out.code != 0 {
			t.Errorf("exit code %d, does not say %q:\n%s%s", out.code, text, out.stdout, out.stderr)
		}
	}
	out = headroom(t, t.TempDir(), "", "explain", wrong, "--what-if", "limit.memory=8Gi")
	if out.code != 2 || !strings.Contains(out.stderr, "did you mean limits.memory?") || out.stdout != "" {
		t.Errorf("exit code %d, %s", out.code, out.stderr)
	}
}

// TestExplainProblems: what cannot be read is named with its line, and the rest is explained.
func TestExplainProblems(t *testing.T) {
	good, err := os.ReadFile(samples(t, "article-service.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"good.yaml": string(good), "bad.yaml": "kind: Deployment\n  metadata: x\n"})
	out := headroom(t, dir, "", "explain", ".")
	if out.code != 2 || !strings.Contains(out.stdout, "bad.yaml:2: ") || !strings.Contains(out.stdout, "article-service") {
		t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
	}
	for name, arguments := range map[string][]string{
		"nothing to explain":                            {},
		"no workload deploy/x":                          {"good.yaml", "--workload", "deploy/x"},
		"is not one of":                                 {"good.yaml", "-o", "yaml"},
		"cannot be negative":                            {"good.yaml", "--gc-pause", "-1s"},
		"-o html= has no file name: write -o html=FILE": {"good.yaml", "-o", "html="},
		"only one output":                               {"good.yaml", "-o", "html", "-o", "svg"},
		"is not a kind of workload":                     {"-n", "shop", "service/cart"},
		"no such file":                                  {"missing.yaml"},
		"neither a file nor KIND":                       {"-n", "shop", "cart"},
	} {
		out := headroom(t, dir, "", append([]string{"explain"}, arguments...)...)
		if out.code != 2 || !strings.Contains(out.stderr+out.stdout, name) {
			t.Errorf("%v: exit code %d, %s", arguments, out.code, out.stderr+out.stdout)
		}
	}
}

// TestExplainOutputs writes several formats at once, from standard input.
func TestExplainOutputs(t *testing.T) {
	dir := t.TempDir()
	manifest, err := os.ReadFile(samples(t, "wrong/article-service.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out := headroom(t, dir, string(manifest), "explain", "-", "--timeline", "-o", "json", "-o", "html=page.html",
		"-o", "svg=picture.svg", "-o", "text=plain.txt")
	if out.code != 0 {
		t.Fatalf("exit code %d, %s", out.code, out.stderr)
	}
	var report struct {
		Schema    string
		Workloads []struct {
			File       string
			Containers []struct {
				Name   string
				Budget struct{ TotalMiB, LimitMiB float64 }
				Flags  []struct {
					Text, Source string
					Wins         bool
				}
				Burst    struct{ StallMilliseconds float64 }
				Timeline struct{ ThrottledPeriods int }
			}
		}
	}
	if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
		t.Fatal(err)
	}
	if report.Schema != "headroom.dev/explain/v1" || len(report.Workloads) != 1 || report.Workloads[0].File != "stdin" {
		t.Fatalf("%+v", report)
	}
	c := report.Workloads[0].Containers[0]
	// T3 and T8: 25 × 20 = 500 beside 70 of the application, of 200 ms: frozen twice, and done after 198.
	if c.Budget.TotalMiB != 4606 || c.Burst.StallMilliseconds != 198.05 || c.Timeline.ThrottledPeriods != 2 ||
		len(c.Flags) != 4 {
		t.Errorf("%+v", c)
	}
	for file, begins := range map[string]string{
		"page.html": "<!DOCTYPE html>", "picture.svg": "<svg ", "plain.txt": "stdin:3",
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s: %v, %.60s", file, err, text)
		}
	}
}

// Of an AdmissionReview and of a typed list, explain and lint see the same workload, with the same
// around it.
func TestExplainWrapped(t *testing.T) {
	pod := "metadata: {name: cart}\nspec: {containers: [{name: app, resources: {limits: {cpu: 2}}}]}\n"
	const limits = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: usual, namespace: shop}\n" +
		"spec: {limits: [{type: Container, default: {memory: 3Gi}}]}\n"
	indented := func(text, by string) string {
		return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by)
	}
	review := "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest:\n  namespace: shop\n  object:\n" +
		"    apiVersion: v1\n    kind: Pod\n" + indented(pod, "    ") + "\n"
	list := "apiVersion: v1\nkind: PodList\nitems:\n  -\n" +
		indented(strings.Replace(pod, "name: cart", "name: cart, namespace: shop", 1), "    ") + "\n"
	for name, text := range map[string]string{"review.yaml": review, "list.yaml": list} {
		out := headroom(t, write(t, map[string]string{name: text + limits}), "", "explain", ".")
		if out.code != 0 || !strings.Contains(out.stdout, "Pod shop/cart") ||
			!strings.Contains(out.stdout, "LimitRange shop/usual") {
			t.Errorf("%s: exit code %d\n%s%s", name, out.code, out.stdout, out.stderr)
		}
	}
}

// A folder's charts are explained as lint judges them, with the values of the release that asks for one.
func TestExplainCharts(t *testing.T) {
	dir := write(t, map[string]string{
		"charts/shop/Chart.yaml":        chartOf,
		"charts/shop/values.yaml":       "name: plain\n",
		"charts/shop/templates/a.yaml":  printing("{{ .Values.name }}"),
		"charts/other/Chart.yaml":       chartOf,
		"charts/other/templates/b.yaml": printing("{{ .Values.name }}"),
		"release.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {source: " +
			"{repoURL: 'https://example.org/a.git', path: charts/shop, helm: {valuesObject: {name: released}}}}\n",
	})
	out := headroom(t, dir, "", "explain", ".", "--set", "name=flag")
	if out.code != 0 || !strings.Contains(out.stdout, "Pod flag") || !strings.Contains(out.stdout, "Pod released") ||
		strings.Contains(out.stdout, "Pod plain") {
		t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
	}
}

// A chart in a folder that renders to nothing is named, whether another workload is explained or none is.
func TestExplainNamesEmptyCharts(t *testing.T) {
	files := map[string]string{
		"off/Chart.yaml": "apiVersion: v2\nname: off\nversion: 1.0.0\n", "off/templates/a.yaml": "{{ if false }}a: 1{{ end }}",
	}
	const said = "ot judged: off, a Helm chart that renders to nothing with the values that the input has; --helm-chart with --values renders one"
	got := headroom(t, write(t, files), "", "explain", ".")
	if got.code != 2 || !strings.Contains(got.stderr, "nothing to explain: no workload in .; n"+said) {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	files["pod.yaml"] = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: app, image: x}]}\n"
	got = headroom(t, write(t, files), "", "explain", ".")
	if got.code != 0 || !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), "N"+said) {
		t.Errorf("exit code %d:\n%s", got.code, got.stdout)
	}
}
