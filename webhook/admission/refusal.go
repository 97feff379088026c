package admission

import (
	"fmt"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/go-openapi/jsonpointer"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	// maxRefusing bounds how many causes are written out: the author can begin with these.
	maxRefusing = 20
	// maxMessage bounds one message: the longest of the catalogue have some 400 characters.
	maxMessage = 600
)

// refusal tells a person why, what would pass, and how to get there.
func refusal(s *subject, findings, all []engine.Finding) *metav1.Status {
	kind, name := clean(s.kind, maxWord), clean(s.meta.name, maxWord)
	status := &metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusForbidden,
		Reason:  metav1.StatusReasonForbidden,
		Details: &metav1.StatusDetails{Kind: kind, Name: name},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "headroom refuses %s %s/%s, for %s:\n", kind, clean(s.namespace, maxWord), name,
		words.Count(len(findings), "error"))
	list := causes(findings)
	for i, c := range list {
		if i == maxRefusing {
			fmt.Fprintf(&b, "\n%d more: headroom lint\n", len(list)-i)
			break
		}
		message, expected := clean(c.Message, maxMessage), clean(c.Expected, maxMessage)
		fmt.Fprintf(&b, "\n[%s] %s%s\n", c.rules(), c.where(), clean(field(c.Finding), maxMessage))
		fmt.Fprintf(&b, "  is:   %s\n", message)
		if expected != "" {
			fmt.Fprintf(&b, "  want: %s\n", expected)
		}
	}
	// For programs, each of them.
	for _, f := range findings[:min(len(findings), maxRefusing)] {
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{
			Type: metav1.CauseType(f.Rule), Field: clean(f.Path, maxMessage), Message: clean(f.Message, maxMessage),
		})
	}
	if others := len(all) - len(findings); others > 0 {
		fmt.Fprintf(&b, "\n%d more that refuse nothing: headroom lint\n", others)
	}
	b.WriteString("\n" + whatToDo(list, withoutEffect(all)))
	status.Message = b.String()
	return status
}

// ruleExempting is the rule of exemptions that have no effect.
const ruleExempting = "HR106"

// withoutEffect says why exemptions that the object has do not hold: one that ended, gives no reason or is not allowed.
func withoutEffect(all []engine.Finding) string {
	const most = 3
	var why []string
	for _, f := range all {
		if f.Rule == ruleExempting && len(why) < most {
			why = append(why, clean(f.Message, maxMessage))
		}
	}
	return strings.Join(why, " ")
}

// whatToDo is the end of a refusal, in three lines. ineffective is why exemptions that are there do not hold.
func whatToDo(list []*cause, ineffective string) string {
	fixable := 0
	for _, c := range list {
		if c.Fixable {
			fixable++
		}
	}
	fix := "do what is wanted above"
	switch {
	case fixable == len(list):
		fix = "`headroom fix FILE` does what is wanted above"
	case fixable > 0:
		fix = fmt.Sprintf("do what is wanted above; `headroom fix FILE` does %d of %d", fixable, len(list))
	}
	rule := list[0].Rule
	exempt := "ignore.headroom.dev/" + rule + ": \"<reason>\" on the Pod template, where the namespace allows it"
	if list[0].Bound {
		exempt = "only who owns the namespace can allow that, with headroom.dev/allow-ignore"
	}
	if ineffective != "" {
		exempt = ineffective
	}
	return "fix:    " + fix + "\n" +
		"check:  `headroom lint --preview enforce FILE`; `headroom rules " + rule + "` says why\n" +
		"exempt: " + exempt
}

// field names the field of a finding from its container, as a person would:
// /spec/template/spec/containers/0/resources/limits/cpu is resources.limits.cpu.
func field(f engine.Finding) string {
	steps := strings.Split(strings.TrimPrefix(f.Path, "/"), "/")
	if f.Container != "" {
		for i, step := range steps {
			if (step == "containers" || step == "initContainers") && i+2 < len(steps) {
				steps = steps[i+2:]
				break
			}
		}
	}
	for i := range steps {
		steps[i] = jsonpointer.Unescape(steps[i])
	}
	return strings.Join(steps, ".")
}
