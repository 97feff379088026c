package html

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
)

// A workload whose containers were not judged is there all the same.
func TestHeadlineWithoutContainers(t *testing.T) {
	r := &report.Report{Workloads: []report.Workload{{}}}
	if got := headline(r, &report.Section{}, nil); got != "There is no container to judge" {
		t.Errorf("got %q", got)
	}
}
