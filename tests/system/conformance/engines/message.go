package engines

import (
	"fmt"
	"regexp"
	"strings"
)

// aFinding is one container's part of a message: what a rule found in it.
var (
	messageHead = regexp.MustCompile(`^(HR\d{3}) ([a-z0-9-]+): `)
	aFinding    = regexp.MustCompile(`^(?:container ([a-z0-9]([-a-z0-9]*[a-z0-9])?)|the workload): `)
)

// readMessage reads what the CEL policies say of a rule:
//
//	HR202 latency-cpu-limit: container app: … | the workload: …. What to do.
func readMessage(message string) (rule string, containers []string, err error) {
	head := messageHead.FindStringSubmatch(message)
	if head == nil {
		return "", nil, fmt.Errorf("no rule is named in %q", message)
	}
	for part := range strings.SplitSeq(message[len(head[0]):], " | ") {
		found := aFinding.FindStringSubmatch(part)
		if found == nil {
			return "", nil, fmt.Errorf("%q names no container in %q", part, message)
		}
		containers = append(containers, found[1])
	}
	return head[1], containers, nil
}

// addMessage takes down what a message says of a case.
func (a *Answer) addMessage(id, message string) error {
	rule, containers, err := readMessage(message)
	if err != nil {
		return err
	}
	for _, container := range containers {
		a.Verdicts[Verdict{id, rule, container}] = true
	}
	return nil
}
