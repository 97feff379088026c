package main

import "testing"

func TestWithRules(t *testing.T) {
	const page = "# P\n\n## <a id=\"T1\"></a>T1: a\n\ntext\n\n- Source: s\n- Rules: HR1, HR9\n\n## <a id=\"T2\"></a>T2: b\n\n- Source: s\n"
	const want = "# P\n\n## <a id=\"T1\"></a>T1: a\n\ntext\n\n- Source: s\n- Rules: HR2, HR3\n\n## <a id=\"T2\"></a>T2: b\n\n- Source: s\n- Rules: HR4\n"
	byFact := map[string][]string{"T1": {"HR3", "HR2"}, "T2": {"HR4"}}
	if got := withRules(page, byFact); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := withRules(want, byFact); got != want {
		t.Errorf("written again, it differs:\n%s", got)
	}
	if got := withRules("# P\n\nno facts\n", byFact); got != "# P\n\nno facts\n" {
		t.Errorf("got\n%s", got)
	}
}
