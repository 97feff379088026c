package cel

import (
	"fmt"
	"regexp"
	"strings"
)

// Variable holds a rule's findings.
func (r Rule) Variable() Variable {
	return Variable{strings.ToLower(r.ID), r.Findings}
}

// Message is an expression that gives what a rule found, in one line:
//
//	HR202 latency-cpu-limit: container app: … | the workload: …. What to do.
func (r Rule) Message() string {
	return fmt.Sprintf(`'%s %s: ' + variables.%s.map(f, (f.container == '' ? 'the workload: ' : 'container ' + string(f.container) + ': ')`+
		` + string(f.text)).join(' | ') + %s`, r.ID, r.Slug, r.Variable().Name, text(". "+r.Advice()))
}

var sentenceEnd = regexp.MustCompile(`[.;]\s`)

// Advice is the first sentence of the remediation, without Markdown.
func (r Rule) Advice() string {
	advice := strings.ReplaceAll(strings.Join(strings.Fields(r.Remediation), " "), "`", "")
	if at := sentenceEnd.FindStringIndex(advice); at != nil {
		advice = advice[:at[0]]
	}
	return strings.TrimSuffix(advice, ".") + "."
}
