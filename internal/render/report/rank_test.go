package report_test

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func rankedAs(name string) engine.Resource {
	return engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: name}
}

func TestRank(t *testing.T) {
	harmed := func(name string, harms ...engine.Harm) report.Workload {
		w := report.Workload{Resource: rankedAs(name)}
		for _, h := range harms {
			w.Containers = append(w.Containers, report.Container{Detail: &engine.Detail{Harm: h}})
		}
		return w
	}
	made := func() *report.Report {
		r := &report.Report{Workloads: []report.Workload{
			harmed("quiet", engine.Harm{HeadroomLeft: 1}),
			harmed("noisy"),
			harmed("warned", engine.Harm{HeadroomLeft: 0.5}),
			harmed("tight", engine.Harm{HeadroomLeft: 0.6}, engine.Harm{HeadroomLeft: 0.02}),
			harmed("slow", engine.Harm{ThrottledCores: 1, HeadroomLeft: 1}, engine.Harm{ThrottledCores: 0.7, HeadroomLeft: 1}),
			harmed("slower", engine.Harm{ThrottledCores: 1.9, HeadroomLeft: 1}),
			harmed("killed", engine.Harm{OOMKills: 2, HeadroomLeft: 0.9}, engine.Harm{OOMKills: 1, HeadroomLeft: 1}),
		}}
		for name, severity := range map[string]string{
			"noisy": engine.SeverityError, "warned": engine.SeverityWarning, "slow": engine.SeverityInfo,
		} {
			r.Findings = append(r.Findings, engine.Finding{Resource: rankedAs(name), Severity: severity})
		}
		return r
	}
	r := made()
	report.Rank(r)
	var got []string
	for _, w := range r.Workloads {
		got = append(got, w.Resource.Name)
	}
	want := []string{"killed", "slower", "slow", "tight", "noisy", "warned", "quiet"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
