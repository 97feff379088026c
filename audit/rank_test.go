package audit

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/render"
)

func named(name string) engine.Resource {
	return engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: name}
}

func TestRank(t *testing.T) {
	harmed := func(name string, harms ...engine.Harm) render.Workload {
		w := render.Workload{Resource: named(name)}
		for _, h := range harms {
			w.Containers = append(w.Containers, render.Container{Detail: &engine.Detail{Harm: h}})
		}
		return w
	}
	report := func() *render.Report {
		r := &render.Report{Workloads: []render.Workload{
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
			r.Findings = append(r.Findings, engine.Finding{Resource: named(name), Severity: severity})
		}
		return r
	}
	for _, c := range []struct {
		measured bool
		want     []string
	}{
		{true, []string{"killed", "slower", "slow", "tight", "warned", "noisy", "quiet"}},
		{false, []string{"noisy", "warned", "slow", "killed", "quiet", "slower", "tight"}},
	} {
		r := report()
		Rank(r, c.measured)
		var got []string
		for _, w := range r.Workloads {
			got = append(got, w.Resource.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("measured %t: %q, want %q", c.measured, got, c.want)
		}
	}
}
