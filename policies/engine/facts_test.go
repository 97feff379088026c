package engine

import (
	"strings"
	"testing"
)

func TestFactsNote(t *testing.T) {
	const where = "https://github.com/headroom-dev/headroom/blob/main/docs/facts/README.md"
	for text, want := range map[string]string{
		"":                               "",
		"a service called T1, and (T1x)": "",
		"a quota (T1)":                   "T1: see " + where,
		"(T12) and (T2, M1) and (T5,\n      T14), (T2)": "M1, T2, T5, T12, T14: see " + where,
	} {
		if got := FactsNote(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLinkFacts(t *testing.T) {
	got := LinkFacts("T3 of a burst (T2, J3), (see T4) and (S3x)", func(fact string) string { return "<" + FactURL(fact) + ">" })
	const base = "https://github.com/headroom-dev/headroom/blob/main/docs/facts/"
	want := "T3 of a burst (<" + base + "throttling.md#T2>, <" + base + "jvm.md#J3>), (see T4) and (S3x)"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A rule shows its facts in the terminal and on its page.
func TestFactsOfARule(t *testing.T) {
	r := Rule{ID: "HR202", Facts: []string{"T1", "M1"}, Description: "A quota (T1)."}
	for _, c := range [][2]string{
		{r.Text(), "\nFacts\n\n  T1   " + FactURL("T1") + "\n  M1   " + FactURL("M1") + "\n"},
		{r.Page(), "| Facts | [T1](../facts/throttling.md#T1), [M1](../facts/memory.md#M1) |\n"},
		{r.Page(), "A quota ([T1](../facts/throttling.md#T1))."},
	} {
		if !strings.Contains(c[0], c[1]) {
			t.Errorf("no %q in\n%s", c[1], c[0])
		}
	}
	if none := (Rule{}); strings.Contains(none.Text()+none.Page(), "Facts") {
		t.Errorf("%s", none.Page())
	}
}
