package admission

import (
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// A message never points to an exemption that would not hold.
func TestABoundIsNotExempted(t *testing.T) {
	for bound, want := range map[bool]string{
		false: "exempt: ignore.headroom.dev/HR207: \"<reason>\" on the Pod template, where the namespace allows it",
		true:  "exempt: only who owns the namespace can allow that, with headroom.dev/allow-ignore",
	} {
		text := whatToDo([]*cause{{Finding: engine.Finding{Rule: "HR207", Bound: bound}}}, "")
		if !strings.HasSuffix(text, "\n"+want) {
			t.Errorf("%s, not %s", text, want)
		}
	}
}

// An exemption that is there and does not hold is named: who reads the advice would add it again.
func TestAnExemptionThatEndedIsNamed(t *testing.T) {
	s := &subject{review: &review{kind: "Pod", namespace: "shop"}, meta: metadata{name: "web"}}
	refused := engine.Finding{Rule: "HR207", Message: "is"}
	ended := engine.Finding{Rule: "HR106", Message: "ignore.headroom.dev/HR207 ended with 2026-01-31, and exempts nothing."}
	status := refusal(s, []engine.Finding{refused}, []engine.Finding{refused, ended})
	if !strings.HasSuffix(status.Message, "\nexempt: "+ended.Message) || strings.Contains(status.Message, "<reason>") {
		t.Error(status.Message)
	}
}

func TestRefusalInFull(t *testing.T) {
	s := func(mutate bool) *subject {
		return &subject{review: &review{kind: "Deployment", namespace: "shop"}, meta: metadata{name: "web"}, facts: Facts{Mutate: mutate}}
	}
	plain := engine.Finding{Rule: "HR1", Container: "app", Path: "/spec/containers/0/image", Message: "is", Expected: "want"}
	fixable := engine.Finding{Rule: "HR2", Path: "/spec", Message: "so", Fixable: true}
	follower := engine.Finding{Rule: "HR3", Group: "HR1", Container: "app", Message: "too"}
	const (
		end = "check:  `headroom lint --preview enforce FILE`; `headroom rules HR1` says why\n" +
			"exempt: ignore.headroom.dev/HR1: \"<reason>\" on the Pod template, where the namespace allows it"
		one  = "headroom refuses Deployment shop/web, for 1 error:\n\n[HR1] container app: image\n  is:   is\n  want: want\n"
		only = "headroom refuses Deployment shop/web, for 1 error:\n\n[HR2] spec\n  is:   so\n"
		two  = "headroom refuses Deployment shop/web, for 2 errors:\n\n[HR1] container app: image\n  is:   is\n  want: want\n" +
			"\n[HR2] spec\n  is:   so\n"
		do = "\nfix:    do what is wanted above\n"
	)
	for _, tc := range []struct {
		name     string
		mutate   bool
		findings []engine.Finding
		others   int
		want     string
	}{
		{"one", false, []engine.Finding{plain}, 0, one + do + end},
		{"one beside another", true, []engine.Finding{plain}, 1, one + "\n1 more that refuse nothing: headroom lint\n" + do + end},
		{
			"one that can be fixed", false,
			[]engine.Finding{plain, fixable},
			0,
			two + "\nfix:    do what is wanted above; `headroom fix FILE` does 1 of 2\n" + end,
		},
		{
			"only what can be fixed", false,
			[]engine.Finding{fixable},
			0,
			strings.ReplaceAll(only+"\nfix:    `headroom fix FILE` does what is wanted above\n"+end, "HR1", "HR2"),
		},
		{
			"one that follows", false,
			[]engine.Finding{plain, follower},
			0,
			strings.Replace(strings.Replace(one, "[HR1]", "[HR1, with HR3]", 1), "1 error", "2 errors", 1) + do + end,
		},
	} {
		status := refusal(s(tc.mutate), tc.findings, append(slices.Clone(tc.findings), make([]engine.Finding, tc.others)...))
		if status.Message != tc.want || len(status.Details.Causes) != len(tc.findings) || status.Details.Kind != "Deployment" || status.Details.Name != "web" {
			t.Errorf("%s:\n%s\nnot\n%s\n%+v", tc.name, status.Message, tc.want, status.Details)
		}
	}
	for n, want := range map[int]string{20: "", 21: "\n1 more: headroom lint\n", 25: "\n5 more: headroom lint\n"} {
		status := refusal(s(false), found(n), found(n))
		if len(status.Details.Causes) != maxRefusing || strings.Contains(status.Message, "more: headroom lint") != (want != "") || !strings.Contains(status.Message, want) {
			t.Errorf("%d: %d causes in\n%s", n, len(status.Details.Causes), status.Message)
		}
	}
}
