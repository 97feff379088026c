//go:build system

package measured

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

const exporting = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: desk}
spec:
  selector: {matchLabels: {app: desk}}
  template:
    metadata: {labels: {app: desk}, annotations: {headroom.dev/workload-class: latency-sensitive}}
    spec:
      containers:
      - name: desk
        image: registry.example/desk:1
        command: [java, -XX:+UseSerialGC, -XX:ActiveProcessorCount=1, -Xmx64m, -jar, desk.jar]
        resources: {requests: {cpu: "1", memory: 512Mi}, limits: {memory: 512Mi}}
`

// runtime is what a report has of a JVM's own metrics.
type runtime struct {
	Kind, Exporter, Doubt                   string
	HeapMaxBytes, LiveBytes, MetaspaceBytes float64
	Threads, Classes, Processors            int
}

// TestExporters: Prometheus scrapes two real JVMs, of Pods in two namespaces, and an audit of all namespaces tells each of
// them from the other.
func TestExporters(t *testing.T) {
	full, roomy := live.Namespace(t), live.Namespace(t)
	h := history.New()
	var jobs strings.Builder
	for namespace, held := range map[string]string{full: "40", roomy: "16"} {
		if out := live.Apply(namespace, exporting); out.Code != 0 {
			t.Fatal(out.Stderr)
		}
		found := live.Pods(t, namespace, "app=desk", 1)[0]
		pod := found.Name
		h.Run(history.Container{
			Namespace: namespace, Pod: pod, Name: "desk", ID: pod, From: h.Ago(24 * time.Hour), To: h.End,
			CPU: history.Constant(0.25), Memory: history.Constant(200 << 20), Throttled: -1,
		})
		h.Tell(history.State{
			Namespace: namespace, Pod: pod, UID: string(found.UID), Name: "desk", From: h.Ago(24 * time.Hour), To: h.End,
		})
		fmt.Fprintf(&jobs, `
- job_name: %s
  scrape_interval: 1s
  static_configs: [{targets: ["127.0.0.1:%s"], labels: {namespace: %[1]q, pod: %[3]q, container: desk}}]
`, namespace, exporter(t, held), pod)
	}
	server := history.Start(t, h, history.Options{Jobs: jobs.String()})
	told := audited(t, server.URL)
	for patience := time.Now().Add(10 * time.Minute); told[full].Kind == "" || told[roomy].Kind == ""; told = audited(t, server.URL) {
		if time.Now().After(patience) {
			t.Fatalf("not scraped in 10 minutes: %+v", told)
		}
		time.Sleep(time.Second)
	}
	for namespace, held := range map[string]float64{full: 40, roomy: 16} {
		r := told[namespace]
		if r.Kind != "jvm" || r.Exporter != "Micrometer" || r.Doubt != "" || r.Processors != 1 {
			t.Errorf("%s: %+v", namespace, r)
		}
		// The compiler that runs the source stays, too.
		if live := r.LiveBytes / (1 << 20); live < held || live > held+8 {
			t.Errorf("%s: %v MiB live, of %v that are kept", namespace, live, held)
		}
		if heap := r.HeapMaxBytes / (1 << 20); heap < 60 || heap > 70 {
			t.Errorf("%s: a heap of %v MiB", namespace, heap)
		}
		if r.MetaspaceBytes < 1<<20 || r.Threads < 2 || r.Classes < 100 {
			t.Errorf("%s: %+v", namespace, r)
		}
	}
}

// audited are the metrics of the JVMs of all namespaces, by namespace, as an audit has them from Prometheus.
func audited(t *testing.T, url string) map[string]runtime {
	t.Helper()
	out, stderr, code := program.Run(t, exec.CommandContext(t.Context(), program.Headroom(t), "audit", "-A", "--kubeconfig",
		live.Kubeconfig, "--no-progress", "--prometheus", url, "--prometheus-window", "2d", "--fail-on", "never", "-o", "json"))
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	var printed struct {
		Workloads []struct {
			Resource   struct{ Namespace, Name string }
			Containers []struct{ Measured struct{ Runtime runtime } }
		}
	}
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	told := map[string]runtime{}
	for _, w := range printed.Workloads {
		if w.Resource.Name == "desk" && len(w.Containers) == 1 {
			told[w.Resource.Namespace] = w.Containers[0].Measured.Runtime
		}
	}
	return told
}

// exporter starts a JVM of 64 MiB of heap that keeps so many MiB alive, and gives the port where it tells of itself.
func exporter(t *testing.T, held string) string {
	t.Helper()
	found, err := jdks.Find()
	if err != nil {
		t.Fatal(err)
	}
	for i := len(found) - 1; i >= 0; i-- {
		modules, err := exec.CommandContext(t.Context(), found[i].Java, "--list-modules").Output()
		if err != nil || !strings.Contains(string(modules), "jdk.compiler@") {
			continue // it runs no source
		}
		command := exec.CommandContext(t.Context(), found[i].Java, "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1", "-Xmx64m",
			"testdata/Exporter.java", held)
		if _, err := command.StdinPipe(); err != nil { // it ends with the test
			t.Fatal(err)
		}
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
		port, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(port)
	}
	t.Fatal("no JDK here compiles: make jdks installs one")
	return ""
}
