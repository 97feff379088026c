package compare

import (
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
	"github.com/headroom-dev/headroom/tests/system/conformance/engines"
)

// Cell is what one engine said of one rule.
type Cell struct {
	Covered bool // the engine has the rule
	Wanted  int  // verdicts of the Rego, on whatever case
	Agreed  int  // of those, the ones that the engine gave too
	Gaps    int  // differences that are known
}

// Column is one engine.
type Column struct {
	Engine   engines.Engine
	Judged   int            // of the project's own cases
	Unjudged map[string]int // how many cases, by reason
	Cells    map[string]Cell
}

// Result is the comparison of all engines.
type Result struct {
	Cases   int // the project's own
	Columns []Column
	// Problems are unknown differences and known gaps that are closed.
	Problems []string
}

// Comparison is what is compared.
type Comparison struct {
	Corpus []cases.Case
	Rules  []engine.Rule
	Gaps   []Gap
	Images map[string]bool // the names of known images
}

// Compare holds answers against the first one.
func (c Comparison) Compare(list []engines.Engine, answers []*engines.Answer) *Result {
	result := &Result{}
	met := make([]bool, len(c.Gaps))
	sources := map[string]string{}
	objects := map[string]any{}
	foreign := map[string]bool{}
	for i := range c.Corpus {
		sources[c.Corpus[i].ID] = c.Corpus[i].Source
		objects[c.Corpus[i].ID] = c.Corpus[i].Object
		foreign[c.Corpus[i].ID] = c.Corpus[i].Foreign
		if !c.Corpus[i].Foreign {
			result.Cases++
		}
	}
	for i, e := range list {
		column := Column{
			Engine: e, Judged: result.Cases, Unjudged: map[string]int{}, Cells: map[string]Cell{},
		}
		for id, reason := range answers[i].Unjudged {
			if !foreign[id] {
				column.Judged--
				column.Unjudged[reason]++
			}
		}
		for _, rule := range c.Rules {
			column.Cells[rule.ID] = Cell{Covered: rule.Kyverno || !e.OnlyK}
		}
		reference := answers[0]
		if e.NoInfos {
			reference = reference.WithoutInfos()
		}
		for _, d := range differences(reference, answers[i]) {
			cell, known := column.Cells[d.Rule]
			switch {
			case !known:
				result.fail("%s has a rule %s that there is not", e.Name, d.Rule)
				continue
			case !cell.Covered:
				if d.only == engineOnly {
					result.fail("%s judges %s, which the catalogue does not expect of it", e.Name, d.Rule)
				}
			case d.only == nobody:
				cell.Agreed++
			case d.only == unjudged:
			default:
				source := sources[d.Case]
				at := slices.IndexFunc(c.Gaps, func(g Gap) bool {
					return g.Engine == e.Name && g.Rule == d.Rule && (g.Case == anyCase || g.Case == source ||
						g.Case == knownImages && runsKnown(objects[d.Case], d.Container, c.Images))
				})
				if at < 0 {
					result.fail("%s: %s (%s)", fmt.Sprintf(d.only, e.Name), d.Verdict, source)
				} else if !foreign[d.Case] {
					met[at] = true
					cell.Gaps++
				}
			}
			if d.only != engineOnly {
				cell.Wanted++
			}
			if !foreign[d.Case] {
				column.Cells[d.Rule] = cell
			}
		}
		result.Columns = append(result.Columns, column)
	}
	for i, gap := range c.Gaps {
		if !met[i] {
			result.fail("known_gaps.yaml: %s does not occur", gap)
		}
	}
	return result
}

func (r *Result) fail(format string, arguments ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, arguments...))
}

// What a difference may be.
const (
	nobody     = ""
	engineOnly = "only %s says"
	regoOnly   = "%s does not say"
	unjudged   = "%s was not asked"
	severity   = "%%s says %s, not %s, of"
)

// difference is a verdict of one of two, and of which.
type difference struct {
	engines.Verdict
	only string
}

func differences(reference, other *engines.Answer) []difference {
	var list []difference
	for _, verdict := range reference.Verdicts.Sorted() {
		_, skipped := other.Unjudged[verdict.Case]
		want := reference.Verdicts[verdict]
		said, there := other.Verdicts[verdict]
		switch {
		case skipped:
			list = append(list, difference{verdict, unjudged})
		case !there:
			list = append(list, difference{verdict, regoOnly})
		case said != "" && said != want:
			list = append(list, difference{verdict, fmt.Sprintf(severity, said, want)})
		default:
			list = append(list, difference{verdict, nobody})
		}
	}
	for _, verdict := range other.Verdicts.Sorted() {
		if _, there := reference.Verdicts[verdict]; !there {
			list = append(list, difference{verdict, engineOnly})
		}
	}
	return list
}
