//go:build system

// Package size runs `headroom size` against a real API server and a real Prometheus. It compares it with the
// recommender of the Vertical Pod Autoscaler and the formula of KRR, for workloads that were made to differ. What
// each of them would throttle or kill is computed by the models, and stands in docs/size.md.
package size

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var live *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true}, &live))
}

// autoscaler counts by the CPU request of steady, which becomes 300m.
const autoscaler = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: steady}
spec:
  maxReplicas: 5
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: steady}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
`

// began is a namespace with all workloads, whose Pods run, and the Prometheus that has seen their week.
func began(t *testing.T) (namespace, prometheus string) {
	t.Helper()
	live.InstallAutoscalers(t)
	namespace = live.Namespace(t)
	var all strings.Builder
	for i := range workloads {
		all.WriteString(workloads[i].manifest())
	}
	if out := live.KubectlAs("admin", all.String(), "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatalf("%s\n%s", out.Stderr, all.String())
	}
	if out := live.KubectlAs("admin", autoscaler, "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	h := history.New()
	h.Every *= 2 // minutes
	for i := range workloads {
		workloads[i].tell(t, h, namespace)
	}
	start(t, namespace)
	return namespace, history.Start(t, h, history.Options{}).URL
}

func TestSize(t *testing.T) {
	namespace, prometheus := began(t)
	recommender(t, prometheus)
	headroom := program.Headroom(t)
	flags := []string{"size", "--kubeconfig", live.Kubeconfig, "-n", namespace, "--prometheus", prometheus}
	text := output(t, headroom, append(flags, "-o", "json")...)
	found := readSized(t, text)

	rows := make([]row, 0, len(workloads))
	for i := range workloads {
		w := &workloads[i]
		if w.need == 0 {
			w.need = budget(t, w)
		}
		r := row{workload: w, krr: krr(t, prometheus, namespace, w)}
		r.headroom, r.unsized = found.advised(t, w)
		if r.vpa = recommended(t, namespace, w); w.kills > 0 {
			r.vpa = afterKill(t, namespace, w, r.vpa)
		}
		rows = append(rows, r)
	}
	compare(t, rows)
	t.Run("patch", func(t *testing.T) { converges(t, headroom, namespace, flags) })
}

// budget is what the model expects a JVM to come to with the heap that its flags let it have.
func budget(t *testing.T, w *workload) float64 {
	t.Helper()
	e := defaults.Engine(t)
	var manifest map[string]any
	if err := yaml.Unmarshal([]byte(strings.Split(w.manifest(), "---\n")[0]), &manifest); err != nil {
		t.Fatal(err)
	}
	details, err := e.Details(t.Context(), engine.Review{Manifest: manifest})
	if err != nil || len(details) != 1 || details[0].Budget == nil {
		t.Fatalf("%v, %+v", err, details)
	}
	return math.Round(details[0].Budget.TotalMiB)
}

// afterKill tells the recommender of a kill that it sees itself, as the kubelet would, and waits for what follows.
func afterKill(t *testing.T, namespace string, w *workload, before advice) advice {
	t.Helper()
	pods, err := live.Client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app=" + w.name})
	if err != nil || len(pods.Items) == 0 {
		t.Fatal(err)
	}
	restarted(t, &pods.Items[0], 1)
	for range 15 {
		if after := recommended(t, namespace, w); after != before {
			return after
		}
		wait(t)
	}
	return before
}

// known are the findings that sizing does not end: a leak's peak, and the CPU limit of what nothing shows the runtime of.
var known = map[string]bool{
	"leak app HR305": true, "quiet app HR202": true, "proxy app HR203": true,
}

// converges applies what headroom wants, as `kubectl patch` does, and asks again.
func converges(t *testing.T, headroom, namespace string, flags []string) {
	t.Helper()
	for _, patch := range strings.Split(string(output(t, headroom, append(flags, "-o", "patch")...)), "---\n") {
		file := filepath.Join(t.TempDir(), "patch.yaml")
		if err := os.WriteFile(file, []byte(patch), 0o600); err != nil {
			t.Fatal(err)
		}
		live.Must(t, "patch", field(patch, "kind: "), field(patch, "  name: "), "-n", namespace, "--patch-file", file)
	}
	target := live.Must(t, "get", "hpa", "steady", "-n", namespace, "-o", "jsonpath={.spec.metrics[0].resource.target.averageUtilization}")
	if target != "83" {
		t.Errorf("the autoscaler's target is %s %%, want 50 %% of 500m of 300m: 83", target)
	}
	again := readSized(t, output(t, headroom, append(flags, "-o", "json")...))
	for _, w := range again.Workloads {
		if w.Resource.Kind != "Deployment" && w.Resource.Kind != "CronJob" {
			continue
		}
		if w.Changed {
			t.Errorf("%s is to be changed again: %+v", w.Resource.Name, w.Containers)
		}
		for _, f := range w.Remains {
			// A leak is not sized, and without knowing what runs there no limit goes.
			if !known[w.Resource.Name+" "+f.Container+" "+f.Rule] {
				t.Errorf("%s remains on %s %s: %s", f.Rule, w.Resource.Name, f.Container, f.Expected)
			}
		}
	}
}

// field is the rest of the first line that begins so.
func field(text, begin string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, begin); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

func output(t *testing.T, file string, arguments ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), file, arguments...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(arguments, " "), err, stdout.String(), stderr.String())
	}
	return stdout.Bytes()
}
