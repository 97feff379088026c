package compare

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
	"github.com/headroom-dev/headroom/tests/system/conformance/engines"
)

var (
	inBoth   = engines.Verdict{Case: "c1", Rule: "HR202", Container: "a"}
	missing  = engines.Verdict{Case: "c1", Rule: "HR202", Container: "b"}
	added    = engines.Verdict{Case: "c2", Rule: "HR301"}
	notAsked = engines.Verdict{Case: "c3", Rule: "HR301"}
	regoAlso = engines.Verdict{Case: "c1", Rule: "HR410", Container: "a"}
)

func compared(gaps ...Gap) *Result {
	list := []engines.Engine{{Name: "rego"}, {Name: "cel", OnlyK: true}}
	answers := []*engines.Answer{
		{Verdicts: engines.Verdicts{inBoth: "error", missing: "error", notAsked: "error", regoAlso: "warning"}},
		{Verdicts: engines.Verdicts{inBoth: "", added: "error"}, Unjudged: map[string]string{"c3": "no such kind"}},
	}
	return Comparison{
		Corpus: []cases.Case{{ID: "c1", Source: "one"}, {ID: "c2", Source: "two"}, {ID: "c3", Source: "three"}},
		Rules:  []engine.Rule{{ID: "HR202", Kyverno: true}, {ID: "HR301", Kyverno: true}, {ID: "HR410"}},
		Gaps:   gaps,
	}.Compare(list, answers)
}

func TestDifferencesFail(t *testing.T) {
	want := []string{
		"cel does not say: c1 HR202 container b (one)",
		"only cel says: c2 HR301 the workload (two)",
	}
	if got := compared().Problems; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// An engine that tells no infos has to be silent of them.
func TestNoInfos(t *testing.T) {
	list := []engines.Engine{{Name: "rego"}, {Name: "native", NoInfos: true}}
	result := Comparison{
		Corpus: []cases.Case{{ID: "c1", Source: "one"}, {ID: "c2", Source: "two"}},
		Rules:  []engine.Rule{{ID: "HR202"}, {ID: "HR301"}},
	}.Compare(list, []*engines.Answer{
		{Verdicts: engines.Verdicts{inBoth: "error", missing: "info", added: "info"}},
		{Verdicts: engines.Verdicts{inBoth: "error", added: "info"}},
	})
	if want := []string{"only native says: c2 HR301 the workload (two)"}; !reflect.DeepEqual(result.Problems, want) {
		t.Errorf("%q", result.Problems)
	}
	if got := result.Columns[1].Cells["HR202"]; got.Wanted != 1 || got.Agreed != 1 {
		t.Errorf("%+v", got)
	}
}

func TestGaps(t *testing.T) {
	known := []Gap{
		{Engine: "cel", Rule: "HR202", Case: "one", Reason: "why"},
		{Engine: "cel", Rule: "HR301", Case: "*", Reason: "why"},
	}
	result := compared(known...)
	if len(result.Problems) > 0 {
		t.Errorf("%q", result.Problems)
	}
	want := map[string]Cell{
		"HR202": {Covered: true, Wanted: 2, Agreed: 1, Gaps: 1},
		"HR301": {Covered: true, Wanted: 1, Gaps: 1},
		"HR410": {Wanted: 1},
	}
	if got := result.Columns[1]; !reflect.DeepEqual(got.Cells, want) || got.Judged != 2 || got.Unjudged["no such kind"] != 1 {
		t.Errorf("%+v", got)
	}
	closed := append(known, Gap{Engine: "cel", Rule: "HR202", Case: "two", Reason: "why"})
	if got := compared(closed...).Problems; !reflect.DeepEqual(got, []string{"known_gaps.yaml: cel HR202 two does not occur"}) {
		t.Errorf("%q", got)
	}
}

func TestSeveritiesAreCompared(t *testing.T) {
	reference := &engines.Answer{Verdicts: engines.Verdicts{inBoth: "error"}}
	for said, problems := range map[string][]difference{
		"error":   {{inBoth, nobody}},
		"":        {{inBoth, nobody}},
		"warning": {{inBoth, "%s says warning, not error, of"}},
	} {
		other := &engines.Answer{Verdicts: engines.Verdicts{inBoth: said}}
		if got := differences(reference, other); !reflect.DeepEqual(got, problems) {
			t.Errorf("%q: %v", said, got)
		}
	}
}

// What another project wrote is held to the Rego, and counts nowhere.
func TestForeignCases(t *testing.T) {
	foreign := Comparison{
		Corpus: []cases.Case{{ID: "c1", Source: "one"}, {ID: "c2", Source: "two", Foreign: true}, {ID: "c3", Source: "three", Foreign: true}},
		Rules:  []engine.Rule{{ID: "HR202", Kyverno: true}, {ID: "HR301", Kyverno: true}},
		Gaps:   []Gap{{Engine: "cel", Rule: "HR301", Case: "two", Reason: "why"}},
	}
	list := []engines.Engine{{Name: "rego"}, {Name: "cel"}}
	answers := []*engines.Answer{
		{Verdicts: engines.Verdicts{inBoth: "error", {Case: "c2", Rule: "HR202"}: "info"}},
		{Verdicts: engines.Verdicts{inBoth: "", added: "error"}, Unjudged: map[string]string{"c3": "no such kind"}},
	}
	result := foreign.Compare(list, answers)
	problems := []string{
		"cel does not say: c2 HR202 the workload (two)",
		"known_gaps.yaml: cel HR301 two does not occur",
	}
	if !reflect.DeepEqual(result.Problems, problems) {
		t.Errorf("%q", result.Problems)
	}
	cells := map[string]Cell{"HR202": {Covered: true, Wanted: 1, Agreed: 1}, "HR301": {Covered: true}}
	if got := result.Columns[1]; !reflect.DeepEqual(got.Cells, cells) || got.Judged != 1 || len(got.Unjudged) != 0 || result.Cases != 1 {
		t.Errorf("%d cases, %+v", result.Cases, got)
	}
}

func TestTable(t *testing.T) {
	result := compared(Gap{"cel", "HR202", "*", "why"}, Gap{"cel", "HR301", "*", "why"})
	rules := []engine.Rule{{ID: "HR202"}, {ID: "HR301"}, {ID: "HR410"}}
	want := `| rule         | rego | cel                  | CEL cost |
|--------------|------|----------------------|----------|
| cases judged | 3    | 2                    |          |
| HR202        | 2    | 1 of 2, differs in 1 | 17       |
| HR301        | 1    | 0 of 1, differs in 1 | –        |
| HR410        | 1    | –                    | –        |
`
	if got := result.Table(rules, map[string]int64{"HR202": 17}, func(r engine.Rule) string { return r.ID }); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestReadGaps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gaps.yaml")
	for text, fine := range map[string]bool{
		"[]\n": true,
		"- {engine: native, rule: HR202, case: '*', reason: why}\n":                                              true,
		"- {engine: native, rule: HR202, case: '*'}\n":                                                           false,
		"- {engine: native, rule: HR202, cases: '*', reason: why}\n":                                             false,
		"- {engine: a, rule: HR202, case: b, reason: why}\n- {engine: a, rule: HR202, case: b, reason: other}\n": false,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadGaps(file); (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
	}
}
