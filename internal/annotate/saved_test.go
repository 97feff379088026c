package annotate_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// What is saved is what an audit prints.
func TestSaved(t *testing.T) {
	taken, saved := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC), jvm(nil)
	saved.Periods, saved.Throttled, saved.ThrottledSeconds, saved.OOMKills, saved.Restarts = 1000, 20, 1.5, 3, 4
	saved.Seen, saved.MemoryGrowth, saved.MemoryGrown = 6*24*time.Hour, 1<<20, 300<<20
	uncounted := saved
	uncounted.Samples, uncounted.Age = -1, -1
	workload := func(namespace, name string, m engine.Measured) report.Workload {
		return report.Workload{
			Resource:   engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: name},
			Containers: []report.Container{{Name: "app", Measured: &m}, {Name: "helper"}},
		}
	}
	var text bytes.Buffer
	err := render.Write(&text, "json", &report.Report{
		Cluster: &report.Cluster{Name: "here", Taken: taken},
		Workloads: []report.Workload{
			workload("shop", "cart", saved), workload("test", "cart", saved), workload("shop", "only", uncounted),
		},
	}, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fallback, namespace, name string
		found                     bool
		age                       time.Duration
	}{
		{"", "shop", "cart", true, time.Minute + time.Hour},
		{"test", "", "cart", true, time.Minute + time.Hour},
		{"", "", "cart", false, 0}, // in two namespaces
		{"", "", "only", true, -1},
		{"test", "", "only", false, 0},
		{"", "other", "cart", false, 0},
	} {
		lookup, err := annotate.Saved(text.Bytes(), taken.Add(time.Hour), c.fallback)
		if err != nil {
			t.Fatal(err)
		}
		use, err := lookup(t.Context(), "Deployment", c.namespace, c.name)
		if err != nil || len(use) > 0 != c.found {
			t.Errorf("%+v: %v, %v", c, use, err)
			continue
		}
		if !c.found {
			continue
		}
		want := saved
		if want.Age = c.age; c.age < 0 {
			want.Samples = -1
		}
		if len(use) != 1 || use["app"] != want {
			t.Errorf("%+v: %+v, want %+v", c, use, want)
		}
	}
}

func TestSavedIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "read the JSON", `{"schema":"x"}`: "not the output of", `{"schema":"headroom.dev/findings/v1"}`: "not the output of",
		`{"schema":"headroom.dev/findings/v1","cluster":{},` +
			`"workloads":[{"containers":[{"measured":{"samples":"a"}}]}]}`: "read the JSON",
	} {
		if _, err := annotate.Saved([]byte(text), time.Now(), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	// Numbers that no duration holds are no reason to fall over.
	text := `{"schema":"headroom.dev/findings/v1","cluster":{},"workloads":[{"resource":{"kind":"Pod","name":"a"},` +
		`"containers":[{"name":"a","measured":{"ageSeconds":1e300,"windowSeconds":-1e300}}]}]}`
	lookup, err := annotate.Saved([]byte(text), time.Now(), "")
	if err != nil {
		t.Fatal(err)
	}
	use, _ := lookup(t.Context(), "Pod", "", "a")
	if use["a"].Age <= 0 || use["a"].Window != 0 {
		t.Errorf("%+v", use)
	}
}
