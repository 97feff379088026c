package watch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
)

// answers is a Prometheus: what it says of each namespace; of others it knows nothing, and nothing is wrong.
type answers map[string]error

var errDown = errors.New("connection refused")

func (a answers) Describe() string { return "Prometheus" }

func (a answers) Namespace(_ context.Context, namespace string, _ cluster.Owners) (measure.Use, error) {
	if errors.Is(a[namespace], errDown) {
		return nil, a[namespace]
	}
	key := cluster.Key{Kind: "Deployment", Namespace: namespace, Name: "cart"}
	return measure.Use{key: {"app": measuredValue()}}, a[namespace]
}

// rounds is a term of three namespaces, whose API server lists nothing, or refuses to.
func rounds(t *testing.T, source measure.Source) (a *term, refuse *bool, said *[]string) {
	t.Helper()
	refuse, said = new(bool), new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if *refuse {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		empty := `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}`
		if strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList") {
			empty = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[]}`
		}
		_, _ = fmt.Fprint(w, empty)
	}))
	t.Cleanup(server.Close)
	reader, err := cluster.New(cluster.Options{Config: &rest.Config{Host: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	a = filledTerm(t)
	a.reader, a.measured, a.metrics = reader, newMeasures(), metrics.New("")
	a.options.Measure = source
	a.options.Log = funcr.New(func(_, line string) { *said = append(*said, line) }, funcr.Options{})
	for _, name := range []string{"a", "b", "c"} {
		a.keep(t, cluster.Namespaces, &object{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	return a, refuse, said
}

// gauge is the value of a metric, by its label answer or without one.
func gauge(t *testing.T, m *metrics.Metrics, name, answer string) float64 {
	t.Helper()
	all, err := m.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range all {
		for _, one := range family.GetMetric() {
			labels := ""
			for _, l := range one.GetLabel() {
				labels += l.GetValue()
			}
			if family.GetName() == name && labels == answer {
				return one.GetGauge().GetValue()
			}
		}
	}
	return -1
}

// TestRoundIsWhole: the time of the last measurement is that of a round in which nothing was left open, and a
// metric tells how much was.
func TestRoundIsWhole(t *testing.T) {
	timeout := errors.New("gave up after 30s (unknown: average CPU)")
	lack := measure.Lack("Prometheus has no series kube_pod_container_status_restarts_total")
	for name, c := range map[string]struct {
		source                  measure.Source
		refuse                  bool
		whole, partial, nothing float64
	}{
		"all":                     {answers{}, false, 3, 0, 0},
		"a question left open":    {answers{"b": timeout}, false, 2, 1, 0},
		"one namespace, nothing":  {answers{"a": errDown, "b": errDown, "c": errDown}, false, 0, 3, 0},
		"what it does not have":   {answers{"a": lack, "b": errors.Join(lack), "c": lack}, false, 3, 0, 0},
		"that, and an open one":   {answers{"a": errors.Join(timeout, lack)}, false, 2, 1, 0},
		"no Prometheus":           {nil, false, 3, 0, 0},
		"no Pods":                 {nil, true, 0, 0, 3},
		"no Pods of its own, too": {answers{}, true, 0, 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			a, refuse, _ := rounds(t, c.source)
			*refuse = c.refuse
			failed := a.round(t.Context())
			for answer, want := range map[string]float64{
				metrics.Whole: c.whole, metrics.Partial: c.partial, metrics.Nothing: c.nothing,
			} {
				if got := gauge(t, a.metrics, "headroom_audit_measured_namespaces", answer); got != want {
					t.Errorf("%s: %v namespaces, want %v", answer, got, want)
				}
			}
			whole := c.whole == 3
			if at := gauge(t, a.metrics, "headroom_audit_measured_timestamp_seconds", ""); (at > 0) != whole {
				t.Errorf("measured at %v", at)
			}
			if (failed == nil) != whole {
				t.Errorf("it says %v", failed)
			}
		})
	}
}

// TestRoundFails: a round that is not whole leaves the time of the one before.
func TestRoundFails(t *testing.T) {
	source := answers{}
	a, refuse, _ := rounds(t, source)
	a.metrics.Measured(measuredAt, nil)
	want := float64(measuredAt.Unix())
	source["c"] = errors.New("gave up")
	at := func() float64 { return gauge(t, a.metrics, "headroom_audit_measured_timestamp_seconds", "") }
	if err := a.round(t.Context()); err == nil || at() != want {
		t.Error(err, at())
	}
	delete(source, "c")
	*refuse = true
	if err := a.round(t.Context()); err == nil || at() != want {
		t.Error(err, at())
	}
	*refuse = false
	if err := a.round(t.Context()); err != nil || at() <= want {
		t.Error(err, at())
	}
	a.metrics.Leads(false)
	if got := gauge(t, a.metrics, "headroom_audit_measured_namespaces", metrics.Whole); got != -1 {
		t.Errorf("who does not lead still tells of %v namespaces", got)
	}
}

// TestLacksAreSaidOnce: what Prometheus does not have is said when that changes, and not with every round.
func TestLacksAreSaidOnce(t *testing.T) {
	source := answers{}
	a, _, said := rounds(t, source)
	restarts, peak := measure.Lack("no restarts"), measure.Lack("no peak")
	set := func(err error) {
		for _, name := range []string{"a", "b", "c"} {
			source[name] = err
		}
	}
	for i, step := range []struct {
		err  error
		want []string
	}{
		{nil, nil},
		{restarts, []string{"no restarts"}},
		{restarts, nil},
		{errors.Join(restarts, peak), []string{"no peak"}},
		{errDown, nil}, // nothing is known of either
		{errors.Join(restarts, peak), nil},
		{peak, []string{"it lacked", "no restarts"}},
		{restarts, []string{"no restarts", "it lacked", "no peak"}},
		{nil, []string{"it lacked", "no restarts"}},
		{nil, nil},
	} {
		set(step.err)
		*said = nil
		if err := a.round(t.Context()); (err != nil) != errors.Is(step.err, errDown) {
			t.Error(err)
		}
		text := strings.Join(*said, "\n")
		if len(step.want) == 0 && text != "" || !slices.IsSorted(indices(text, step.want)) {
			t.Errorf("step %d: %q, want %q", i, text, step.want)
		}
	}
}

// indices are where texts stand in another, in their order; a false order where one is missing.
func indices(in string, texts []string) []int {
	at := []int{0}
	for _, text := range texts {
		at = append(at, strings.Index(in, text))
	}
	return at
}
