//go:build system

// Package annotate runs `headroom annotate` against a real API server, whose controllers have
// made Pods, and a real Prometheus that has scraped them.
package annotate

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var live *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true}, &live))
}

const manifest = `# The cart, as it is in Git.
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  replicas: 2
  selector: {matchLabels: {app: cart}}
  template:
    metadata: {labels: {app: cart}}
    spec:
      containers:
      - name: cart
        image: registry.example/cart:1   # pinned
        resources: {requests: {cpu: "1", memory: 512Mi}, limits: {memory: 512Mi}}
      - name: new
        image: registry.example/new:1
        resources: {requests: {cpu: "1", memory: 512Mi}, limits: {memory: 512Mi}}
`

func TestAnnotate(t *testing.T) {
	namespace := live.Namespace(t)
	if out := live.Apply(namespace, manifest); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	h := history.New()
	// Prometheus is asked at every five minutes of the clock. The new container has run at two of
	// them, whatever the time is now and however long the test takes.
	end := h.End.Truncate(5 * time.Minute).Add(-5 * time.Minute)
	begin := end.Add(-(10*time.Minute + 30*time.Second))
	for _, pod := range live.Pods(t, namespace, "app=cart", 2) {
		for name, ran := range map[string][2]time.Time{"cart": {h.Ago(24 * time.Hour), h.End}, "new": {begin, end}} {
			h.Run(history.Container{
				Namespace: namespace, Pod: pod.Name, Name: name, ID: pod.Name + name, From: ran[0], To: ran[1],
				CPU: history.Constant(0.25), Memory: history.Constant(400 << 20),
			})
		}
	}
	server := history.Start(t, h, history.Options{})
	dir := t.TempDir()
	file := filepath.Join(dir, "cart.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	headroom := program.Headroom(t)
	arguments := []string{
		"annotate", file, "--kubeconfig", live.Kubeconfig, "-n", namespace, "--prometheus", server.URL,
		"--prometheus-window", "2d", "--write",
	}
	stderr, code := run(t, headroom, arguments...)
	const labels = "    metadata: {labels: {app: cart}"
	want := strings.Replace(manifest, labels, labels+", annotations: {cpu-average.headroom.dev/cart: 250m, "+
		"cpu-peak.headroom.dev/cart: 250m, memory-peak.headroom.dev/cart: 400Mi}", 1)
	text, err := os.ReadFile(file)
	if undated(text) != want || code != 0 || err != nil {
		t.Errorf("exit code %d, %s\ngot\n%s\nwant\n%s", code, stderr, text, want)
	}
	if dates := date.FindAllString(string(text), -1); len(dates) != 1 || !strings.Contains(dates[0], "over=2") {
		t.Errorf("the measurement of a day has the dates %v", dates)
	}
	if !strings.Contains(stderr, "is kube-state-metrics scraped?") {
		t.Errorf("says nothing of what Prometheus does not know: %s", stderr)
	}
	if !strings.Contains(stderr, "container new not annotated: Prometheus has 2 samples, at least 60") {
		t.Errorf("says nothing of too few samples: %s", stderr)
	}

	// Saved by an audit, the same values serve where there is no cluster.
	saved := filepath.Join(dir, "use.json")
	if out, code := run(t, headroom, "audit", "--kubeconfig", live.Kubeconfig, "-n", namespace, "--prometheus", server.URL,
		"--prometheus-window", "2d", "--fail-on", "never", "-o", "json="+saved); code != 2 {
		t.Fatal(out) // an audit misses restarts that were not counted
	}
	stderr, code = run(t, headroom, "annotate", file, "--measured", saved)
	if code != 0 || !strings.Contains(stderr, "0 values differ") || !strings.Contains(stderr, "3 are within") {
		t.Errorf("exit code %d, %s", code, stderr)
	}

	// A Prometheus that is away is said once, and no file is touched.
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments[7] = "http://127.0.0.1:1"
	stderr, code = run(t, headroom, arguments...)
	if code != 2 || !strings.Contains(stderr, "127.0.0.1:1") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if text, _ := os.ReadFile(file); string(text) != manifest {
		t.Errorf("the file was touched:\n%s", text)
	}
}

// date is the annotation that says when the values were measured, which is another one each day.
var date = regexp.MustCompile(`"?measured\.headroom\.dev/cart"?: ?"?date=\d{4}-\d\d-\d\d( over=\d+[dhm])? of=[a-z,-]+"?, ?`)

func undated(text []byte) string { return string(date.ReplaceAll(text, nil)) }

func run(t *testing.T, file string, arguments ...string) (stderr string, code int) {
	t.Helper()
	_, stderr, code = program.Run(t, exec.CommandContext(t.Context(), file, arguments...))
	return stderr, code
}
