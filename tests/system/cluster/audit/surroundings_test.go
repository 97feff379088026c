//go:build system

package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/render/report"
)

const around = `
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {cpu: 500m, memory: 1Gi}}]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: paid}
spec: {hard: {limits.cpu: "100"}}
---`

// Labels and annotations of the Namespace, LimitRanges and ResourceQuotas count.
func TestSurroundings(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/default-class=latency-sensitive",
		"headroom.dev/allowed-classes=batch,nonsense")
	apply(t, namespace, around+workload("Deployment", "web", "replicas: 0"))
	r := sound(t, run(t, audit.Options{Namespaces: []string{namespace}}))
	if got := findings(r, "Deployment", "web"); !slices.Contains(got, "HR209") {
		t.Errorf("a LimitRange and a quota fight the class of the Namespace, and the findings are %q", got)
	}
	if w := r.Workloads[0]; w.Containers[0].Class != "latency-sensitive" {
		t.Errorf("class %+v", w.Containers[0])
	}
	// What the Namespace says itself is judged, too.
	if got := findings(r, "Namespace", namespace); len(got) == 0 {
		t.Error("nothing is said of a class that there is not")
	}
	want := []report.Namespace{{Name: namespace, Mode: "warn", Mutate: "enabled", LimitRanges: 1, ResourceQuotas: 1}}
	if !slices.Equal(r.Cluster.Namespaces, want) {
		t.Errorf("%+v, want %+v", r.Cluster.Namespaces, want)
	}
}

// What the policies know of each container is there for the outputs that want it.
func TestDetails(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, sleeper)
	o := audit.Options{Namespaces: []string{namespace}}
	if d := run(t, o).Workloads[0].Containers[0].Detail; d != nil {
		t.Errorf("nobody asked for %+v", d)
	}
	o.Details = true
	d := run(t, o).Workloads[0].Containers[0].Detail
	if d == nil || d.CPU.Request != 500 || d.CPU.Limit != 1000 || d.Memory.Limit != 64<<20 {
		t.Errorf("%+v", d)
	}
}

// A Pod that LimitRanger has filled in is judged as what its owner asks for.
func TestTemplatesAreJudgedNotPods(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, around+bare("single", "Always", "")+workload("Deployment", "web", "replicas: 1"))
	cluster.Pods(t, namespace, "app=web", 1)
	r := sound(t, run(t, audit.Options{Namespaces: []string{namespace}}))
	if got, want := findings(r, "Pod", "single"), findings(r, "Deployment", "web"); !slices.Equal(got, want) {
		t.Errorf("of the Pod %q, of the Deployment %q", got, want)
	}
}

// All namespaces are read by -A but those that are left out, which is said.
func TestAllNamespaces(t *testing.T) {
	one, two := cluster.Namespace(t), cluster.Namespace(t)
	for _, namespace := range []string{one, two, "kube-public"} {
		apply(t, namespace, workload("Deployment", "everywhere", "replicas: 0"))
	}
	defer cluster.Must(t, "delete", "deployment", "everywhere", "-n", "kube-public")
	in := func(r *report.Report) []string {
		var namespaces []string
		for _, w := range r.Workloads {
			if w.Resource.Name == "everywhere" {
				namespaces = append(namespaces, w.Resource.Namespace)
			}
		}
		slices.Sort(namespaces)
		return namespaces
	}
	r := run(t, audit.Options{All: true, Exclude: []string{"kube-system", "kube-public"}, PageSize: 3})
	if got := in(r); !slices.Equal(got, []string{one, two}) {
		t.Errorf("with -A: %q", got)
	}
	if got := skipped(r); !slices.Contains(got, "namespaces kube-public, kube-system") {
		t.Errorf("skipped: %q", got)
	}
	if slices.ContainsFunc(r.Cluster.Namespaces, func(n report.Namespace) bool { return n.Name == "kube-public" }) {
		t.Error("kube-public is in the report")
	}
	if got := in(run(t, audit.Options{All: true})); !slices.Equal(got, []string{"kube-public", one, two}) {
		t.Errorf("with nothing left out: %q", got)
	}
	named := audit.Options{Namespaces: []string{"kube-public"}, Exclude: []string{"kube-public"}}
	if got := in(run(t, named)); !slices.Equal(got, []string{"kube-public"}) {
		t.Errorf("by name: %q", got)
	}
}

// What enforce would refuse, of workloads as they are.
func TestPreview(t *testing.T) {
	namespace, off := cluster.Namespace(t), cluster.Namespace(t, "headroom.dev/mode=off")
	for _, n := range []string{namespace, off} {
		saidToBeServices(t, n)
		apply(t, n, sleeper+workload("Deployment", "web", "replicas: 0"))
	}
	r := sound(t, run(t, audit.Options{Namespaces: []string{namespace, off}, Preview: "enforce"}))
	if r.Preview == nil || len(r.Preview.Items) != 1 {
		t.Fatalf("%+v", r.Preview)
	}
	item := r.Preview.Items[0]
	if item.Resource.Name != "web" || item.Resource.Namespace != namespace || len(item.Refused) == 0 {
		t.Errorf("%+v", item)
	}
	out := headroom(t, "audit", "-n", namespace, "--preview", "enforce", "-o", "json")
	if out.code != 1 || !strings.Contains(out.stdout, `"preview"`) {
		t.Errorf("exit code %d\n%s", out.code, out.stdout)
	}
}

// A baseline of the cluster: what is known does not fail again.
func TestBaseline(t *testing.T) {
	namespace := cluster.Namespace(t)
	saidToBeServices(t, namespace)
	apply(t, namespace, workload("Deployment", "web", "replicas: 0"))
	file := t.TempDir() + "/known.yaml"
	if out := headroom(t, "audit", "-n", namespace, "--write-baseline="+file); out.code != 0 {
		t.Fatalf("exit code %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	if out := headroom(t, "audit", "-n", namespace, "--baseline", file); out.code != 0 {
		t.Errorf("what is known fails: exit code %d\n%s", out.code, out.stdout)
	}
	apply(t, namespace, workload("Deployment", "new", "replicas: 0"))
	out := headroom(t, "audit", "-n", namespace, "--baseline", file)
	if out.code != 1 || strings.Contains(out.stdout, "/web") {
		t.Errorf("what is new does not fail: exit code %d\n%s", out.code, out.stdout)
	}
	cluster.Must(t, "delete", "deployment", "web", "new", "-n", namespace)
	if out := headroom(t, "audit", "-n", namespace, "--baseline", file, "--strict-baseline"); out.code != 1 {
		t.Errorf("what no longer applies: exit code %d\n%s", out.code, out.stdout)
	}
}
