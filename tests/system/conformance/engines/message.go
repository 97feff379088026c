package engines

import (
	"fmt"
	"regexp"
	"strings"
)

// aFinding is one container's part of a message: what a rule found in it, after its severity where
// the policies have been made to say that.
var (
	messageHead = regexp.MustCompile(`^(HR\d{3}) ([a-z0-9-]+): `)
	aFinding    = regexp.MustCompile(`^(?:container ([a-z0-9]([-a-z0-9]*[a-z0-9])?)|the workload): (?:severity ([a-z]+): )?`)
)

// part is what a message says of one container.
type part struct{ container, severity string }

// readMessage reads what the CEL policies say of a rule:
//
//	HR202 latency-cpu-limit: container app: … | the workload: …. What to do.
func readMessage(message string) (rule string, parts []part, err error) {
	head := messageHead.FindStringSubmatch(message)
	if head == nil {
		return "", nil, fmt.Errorf("no rule is named in %q", message)
	}
	for text := range strings.SplitSeq(message[len(head[0]):], " | ") {
		found := aFinding.FindStringSubmatch(text)
		if found == nil {
			return "", nil, fmt.Errorf("%q names no container in %q", text, message)
		}
		parts = append(parts, part{found[1], found[3]})
	}
	return head[1], parts, nil
}

// addMessage takes down what a message says of a case.
func (a *Answer) addMessage(id, message string) error {
	rule, parts, err := readMessage(message)
	if err != nil {
		return err
	}
	for _, p := range parts {
		a.Verdicts.add(Verdict{id, rule, p.container}, p.severity)
	}
	return nil
}
