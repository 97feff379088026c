package audit_test

import (
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestJoin(t *testing.T) {
	web := engine.Resource{Kind: "Deployment", Namespace: "shop", Name: "web"}
	of := func(measured string, taken int64) *report.Report {
		return &report.Report{
			Findings:  []engine.Finding{{Rule: "HR202", Severity: engine.SeverityError, Resource: web, Container: "app"}},
			Workloads: []report.Workload{{Resource: web, Containers: []report.Container{{Name: "app"}}}},
			Skipped:   []report.Skip{{What: "2 finished Jobs"}, {Resource: web, What: "Windows"}},
			Problems:  []report.Problem{{Message: "forbidden"}},
			Summary:   report.Summary{Documents: 3, Workloads: 1, Containers: 1},
			Cluster: &report.Cluster{
				Measured: measured, Taken: time.Unix(taken, 0), Namespaces: []report.Namespace{{Name: "shop", Mode: "warn"}},
			},
			Preview: &report.Preview{Mode: "enforce", Items: []report.PreviewItem{{Resource: web}}},
		}
	}
	lost := &report.Report{Problems: []report.Problem{{Message: "no answer"}}}
	r := audit.Join([]string{"eu", "us", "away"}, []*report.Report{of("Prometheus a", 2), of("Prometheus b", 1), lost})

	if r.Cluster.Name != "eu, us, away" || r.Cluster.Measured != "Prometheus a; Prometheus b" || r.Cluster.Taken.Unix() != 2 {
		t.Errorf("cluster %+v", r.Cluster)
	}
	if s := r.Summary; s.Documents != 6 || s.Workloads != 2 || s.Containers != 2 || s.Errors != 2 || s.Problems != 3 || s.Skipped != 4 {
		t.Errorf("summary %+v", s)
	}
	for i, cluster := range []string{"eu", "us"} {
		if got := r.Findings[i].Resource.Cluster; got != cluster {
			t.Errorf("finding %d is of %q, want %q", i, got, cluster)
		}
		if got := r.Preview.Items[i].Resource.Cluster; got != cluster {
			t.Errorf("preview %d is of %q, want %q", i, got, cluster)
		}
		if n := r.Cluster.Namespaces[i]; n.Name != cluster+"/shop" || n.Mode != "warn" {
			t.Errorf("namespace %+v", n)
		}
	}
	if report.Identity(&r.Findings[0]) == report.Identity(&r.Findings[1]) {
		t.Error("the same workload of two clusters has one identity")
	}
	if r.Skipped[0].What != "2 finished Jobs in eu" || r.Skipped[1].Resource.Cluster != "eu" || r.Skipped[1].What != "Windows" {
		t.Errorf("skipped %+v", r.Skipped)
	}
	if r.Problems[2].Message != "away: no answer" {
		t.Errorf("problems %+v", r.Problems)
	}
	if _, sections := report.Sections(r, report.Groups(r)); len(sections) != 2 || sections[0].Name == sections[1].Name {
		t.Errorf("%d sections", len(sections))
	}
}
