package sentences

import (
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Printed counts what a report prints, so that its last lines speak of nothing else.
type Printed struct {
	report.Counts
	Fresh     report.Counts // those that are new of a change
	Fixable   int
	Unclassed int // warnings that are errors once a class is set
}

// Add counts a finding that is printed, alone or for others that are like it.
func (p *Printed) Add(f *engine.Finding, fresh bool) {
	p.Counts.Add(f.Severity, 1)
	if fresh {
		p.Fresh.Add(f.Severity, 1)
	}
	if f.Fixable {
		p.Fixable++
	}
	if f.Unclassed && f.Severity == engine.SeverityWarning {
		p.Unclassed++
	}
}

// PrintedEntries counts what a report prints that prints each entry once.
func PrintedEntries(entries []*report.Entry) (p Printed) {
	for _, e := range entries {
		p.Add(&e.Finding, e.Mark.New)
	}
	return p
}
