// Package engines asks each engine for its verdicts on the whole corpus, in one run each, and
// reads them from what the engine prints for people.
package engines

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Verdict is what all engines have to agree on: a rule that finds fault with a container of
// a case, or with the whole of it when Container is "".
type Verdict struct{ Case, Rule, Container string }

func (v Verdict) String() string {
	if v.Container == "" {
		return fmt.Sprintf("%s %s the workload", v.Case, v.Rule)
	}
	return fmt.Sprintf("%s %s container %s", v.Case, v.Rule, v.Container)
}

// Compare sorts verdicts.
func Compare(a, b Verdict) int {
	return cmp.Or(cmp.Compare(a.Case, b.Case), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Container, b.Container))
}

// Verdicts is a set of them, each with its severity: "" where the engine does not tell it.
type Verdicts map[Verdict]string

var severities = []string{"", engine.SeverityInfo, engine.SeverityWarning, engine.SeverityError}

// add takes a verdict down. Of two of one rule on one container the more severe counts.
func (v Verdicts) add(verdict Verdict, severity string) {
	if known, there := v[verdict]; !there || slices.Index(severities, severity) > slices.Index(severities, known) {
		v[verdict] = severity
	}
}

// Sorted is the set as a list.
func (v Verdicts) Sorted() []Verdict {
	list := make([]Verdict, 0, len(v))
	for verdict := range v {
		list = append(list, verdict)
	}
	slices.SortFunc(list, Compare)
	return list
}

// Answer is what an engine said of the corpus.
type Answer struct {
	Verdicts Verdicts
	// Unjudged are the cases that the engine was not asked about or could not be, and why.
	Unjudged map[string]string
}

// WithoutInfos is the answer as an engine gives it that tells errors and warnings alone.
func (a *Answer) WithoutInfos() *Answer {
	told := maps.Clone(a.Verdicts)
	maps.DeleteFunc(told, func(_ Verdict, severity string) bool { return severity == "info" })
	return &Answer{Verdicts: told, Unjudged: a.Unjudged}
}

func newAnswer() *Answer { return &Answer{Verdicts: Verdicts{}, Unjudged: map[string]string{}} }

// Engine judges cases.
type Engine struct {
	Name string
	// OnlyK: the engine has the rules that the catalogue marks with kyverno, and no others.
	OnlyK bool
	// NoInfos: the engine tells errors and warnings alone.
	NoInfos bool
	Judge   func(ctx context.Context, corpus []cases.Case) (*Answer, error)
}

// index finds a case by its name.
func index(corpus []cases.Case) map[string]*cases.Case {
	byID := make(map[string]*cases.Case, len(corpus))
	for i := range corpus {
		byID[corpus[i].ID] = &corpus[i]
	}
	return byID
}
