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
	// maxRefusing findings are written out; who has more begins with these.
	maxRefusing = 20
	// maxMessage bounds one message: the longest of the catalogue have some 400 characters.
	maxMessage = 600
)

// refusal tells a person why, what would pass, and how to get there.
func refusal(s *subject, findings []engine.Finding, others int) *metav1.Status {
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
	fixable := false
	for i, f := range findings {
		if i == maxRefusing {
			fmt.Fprintf(&b, "\nand %d more: `headroom lint` shows them all\n", len(findings)-i)
			break
		}
		fixable = fixable || f.Fixable
		message, expected := clean(f.Message, maxMessage), clean(f.Expected, maxMessage)
		fmt.Fprintf(&b, "\n[%s] %s%s\n", f.Rule, where(f.Container), clean(field(f), maxMessage))
		fmt.Fprintf(&b, "  is:   %s\n", message)
		if expected != "" {
			fmt.Fprintf(&b, "  want: %s\n", expected)
		}
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{
			Type: metav1.CauseType(f.Rule), Field: clean(f.Path, maxMessage), Message: message,
		})
	}
	if others > 0 {
		fmt.Fprintf(&b, "\n%d more that refuse nothing; `headroom lint` shows them\n", others)
	}
	b.WriteString("\nfix:    ")
	if fixable && !s.facts.Mutate {
		b.WriteString("headroom fixes some of it itself in Pods of namespaces labelled headroom.dev/mutate=enabled; ")
	}
	rule := findings[0].Rule
	fmt.Fprintf(&b, "`headroom rules %s` tells why and how\n", rule)
	fmt.Fprintf(&b, "exempt: annotate the Pod template with ignore.headroom.dev/%s: \"<reason>\"", rule)
	b.WriteString(", where the namespace allows it")
	status.Message = b.String()
	return status
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
