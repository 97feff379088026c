//go:build system

package size

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// advice is what a tool would give a container: millicores and MiB; a limit of 0 means no limit. None is false if
// there is no value.
type advice struct {
	cpu, cpuLimit float64
	memory        float64 // request and limit
	given         bool
}

// recommender runs the VPA's own, which loads its history from the Prometheus, until the test ends. Two
// minutes is its history's least step with two samples in it; its default, an hour, would see no peak.
func recommender(t *testing.T, prometheus string) {
	t.Helper()
	program := repo.Tool("vpa-recommender")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("make tools builds the recommender: %v", err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "recommender.log"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(context.WithoutCancel(t.Context()), program,
		"--kubeconfig="+live.Kubeconfig, "--address=127.0.0.1:0", "--recommender-interval=2s", "--v=1",
		"--storage=prometheus", "--prometheus-address="+prometheus, "--prometheus-cadvisor-job-name=kubelet",
		"--history-length=8d", "--history-resolution=5m", "--container-pod-name-label=pod", "--container-name-label=container",
		"--metric-for-pod-labels=kube_pod_labels[8d]", "--pod-label-prefix=label_", "--pod-namespace-label=namespace",
		"--pod-name-label=pod")
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = log.Close()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("the recommender says\n%s", text[max(0, len(text)-6000):])
		}
	})
}

// recommended waits for what the recommender says of a workload's container.
func recommended(t *testing.T, namespace string, w *workload) advice {
	t.Helper()
	client, err := dynamic.NewForConfig(live.Config)
	if err != nil {
		t.Fatal(err)
	}
	kind := schema.GroupVersionResource{Group: "autoscaling.k8s.io", Version: "v1", Resource: "verticalpodautoscalers"}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		found, err := client.Resource(kind).Namespace(namespace).Get(t.Context(), w.name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		list, _, _ := unstructured.NestedSlice(found.Object, "status", "recommendation", "containerRecommendations")
		for _, one := range list {
			one, _ := one.(map[string]any)
			if one["containerName"] != any(w.compared()) {
				continue
			}
			cpu, _, _ := unstructured.NestedString(one, "target", "cpu")
			memory, _, _ := unstructured.NestedString(one, "target", "memory")
			return w.scaled(millicores(cpu), mebibytes(memory))
		}
	}
	return advice{}
}

// scaled gives a container what its VerticalPodAutoscaler would in another mode: limits keep their ratio to requests.
func (w *workload) scaled(cpu, memory float64) advice {
	a := advice{cpu: cpu, memory: memory, given: true}
	request, limit := w.requested()
	if limit > 0 {
		a.cpuLimit = math.Round(cpu * limit / request)
	}
	return a
}

// requested are the CPU request and limit that the manifest has.
func (w *workload) requested() (request, limit float64) {
	_, requests, _ := strings.Cut(w.container, "requests: {cpu: ")
	request = millicores(strings.Trim(strings.SplitN(requests, ",", 2)[0], `" `))
	if _, limits, ok := strings.Cut(w.container, "limits: {cpu: "); ok {
		limit = millicores(strings.Trim(strings.SplitN(limits, ",", 2)[0], `" `))
	}
	return request, limit
}

func millicores(text string) float64 {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return 0
	}
	return float64(q.MilliValue())
}

func mebibytes(text string) float64 {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return 0
	}
	return math.Ceil(float64(q.Value()) / mi)
}

// KRR's strategy "simple", by its source (robusta_krr/strategies/simple.py at d6baa74). It asks for the highest of
// the Pods' 95th percentiles of CPU, and no CPU limit. For memory, request and limit are the highest use and 15 %.
// Both are no less than 10m and 100 MiB, rounded up. It asks in steps of 75 s, in which this history has no two
// samples: here it is 5 minutes.
const (
	krrCPU = `max(quantile_over_time(0.95, max(rate(container_cpu_usage_seconds_total{namespace="%s",pod=~"%s-.*",container="%s"}[5m]))` +
		` by (container, pod, job)[14d:5m]))`
	krrMemory = `max(max_over_time(max(container_memory_working_set_bytes{namespace="%s",pod=~"%s-.*",container="%s"})` +
		` by (container, pod, job)[14d:5m]))`
)

func krr(t *testing.T, prometheus, namespace string, w *workload) advice {
	t.Helper()
	cpu := query(t, prometheus, fmt.Sprintf(krrCPU, namespace, w.name, w.compared()))
	memory := query(t, prometheus, fmt.Sprintf(krrMemory, namespace, w.name, w.compared()))
	return advice{
		cpu: math.Max(10, math.Ceil(cpu*1000-1e-6)), memory: math.Max(100, math.Ceil(memory*1.15/mi-1e-6)), given: true,
	}
}

func query(t *testing.T, prometheus, expression string) float64 {
	t.Helper()
	client, err := api.NewClient(api.Config{Address: prometheus})
	if err != nil {
		t.Fatal(err)
	}
	answer, _, _, err := v1.NewAPI(client).Query(t.Context(), expression, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	vector, _ := answer.(model.Vector)
	if len(vector) != 1 {
		t.Fatalf("%s: %v", expression, answer)
	}
	return float64(vector[0].Value)
}

// sized is what of `headroom size -o json` is read here.
type sized struct {
	Workloads []struct {
		Resource struct{ Kind, Name string }
		Changed  bool
		Remains  []struct{ Rule, Container, Expected string }

		Containers []struct {
			Name           string
			Values         []struct{ Name, Now, Wanted, Why string }
			Unsized, Notes []string
		}
	}
}

func readSized(t *testing.T, text []byte) sized {
	t.Helper()
	var s sized
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// advised is what headroom says of a workload's container, and what it does not give a value for.
func (s sized) advised(t *testing.T, w *workload) (a advice, unsized string) {
	t.Helper()
	for _, found := range s.Workloads {
		if found.Resource.Name != w.name || found.Resource.Kind != w.kindOf() {
			continue
		}
		for _, c := range found.Containers {
			if c.Name != w.compared() {
				continue
			}
			a.given = true
			for _, v := range c.Values {
				switch v.Name {
				case "requests.cpu":
					a.cpu = millicores(v.Wanted)
				case "limits.cpu":
					a.cpuLimit = millicores(v.Wanted)
				case "limits.memory":
					a.memory = mebibytes(v.Wanted)
				}
			}
			return a, strings.Join(c.Unsized, "; ")
		}
	}
	t.Errorf("%s was not sized", w.name)
	return a, ""
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
