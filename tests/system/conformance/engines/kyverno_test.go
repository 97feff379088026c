package engines

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

func TestReadKyverno(t *testing.T) {
	corpus := []cases.Case{{ID: "c0001", Kind: "Pod"}, {ID: "c0002", Kind: "Job"}, {ID: "c0003", Kind: "Rollout"}}
	const found = "HR202 latency-cpu-limit: container a: 2. Remove it."
	answer, err := readApply([]byte(`{"results":[
		{"policy":"p","result":"fail","message":"`+found+`","resources":[{"kind":"Pod","name":"c0001"}]},
		{"policy":"p","result":"pass","message":"success","resources":[{"kind":"Job","name":"c0002"}]}]}`), corpus)
	if err != nil || len(answer.Verdicts) != 1 || !slices.Contains(answer.Verdicts.Sorted(), Verdict{"c0001", "HR202", "a"}) ||
		len(answer.Unjudged) != 1 || answer.Unjudged["c0003"] == "" || answer.mostSaid(corpus) != &corpus[0] {
		t.Errorf("%+v, %v", answer, err)
	}
	for _, text := range []string{
		`no JSON`,
		`[{"policy":"p","kind":"Pod","name":"c0001","result":"error","message":"no such key"}]`,
		`[{"policy":"p","kind":"Pod","name":"c0001","result":"fail","message":"no rule"}]`,
		`[{"policy":"p","kind":"Pod","name":"c0009","result":"pass","message":""}]`,
		`[{"policy":"p","kind":"Job","name":"c0001","result":"pass","message":""}]`,
	} {
		if answer, err := readJudge([]byte(text), corpus); err == nil {
			t.Errorf("%s is read as %+v", text, answer)
		}
	}
}
