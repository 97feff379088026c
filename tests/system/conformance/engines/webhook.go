package engines

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// webhookName is the webhook of the chart that is asked outside of enforcement.
const webhookName = "validate.headroom.dev"

// Webhook creates the cases on an API server whose webhook warns, as it does by default. What
// the warnings have no room for is read from the audit log.
func Webhook(s *Server) Engine {
	return Engine{Name: "webhook", Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		configuration, err := s.cluster.Client.AdmissionregistrationV1().
			ValidatingWebhookConfigurations().Get(ctx, plane.Release, metav1.GetOptions{})
		if err != nil {
			return nil, fmt.Errorf("read what the webhook is asked: %w", err)
		}
		var rules []admissionregistrationv1.RuleWithOperations
		for _, hook := range configuration.Webhooks {
			if hook.Name == webhookName {
				rules = hook.Rules
			}
		}
		answers, err := s.create(ctx, corpus, rules)
		if err != nil {
			return nil, err
		}
		notes, err := s.noted(ctx, corpus, answers)
		if err != nil {
			return nil, err
		}
		if err := s.again(ctx, corpus, rules, answers, notes); err != nil {
			return nil, err
		}
		answer := newAnswer()
		for i := range corpus {
			if err := answer.addWarnings(corpus[i].ID, answers[i], notes[corpus[i].ID]); err != nil {
				return nil, fmt.Errorf("%s: %w", corpus[i].Source, err)
			}
		}
		return answer, nil
	}}
}

// again creates the cases once more that the webhook did not decide in time, as on a busy machine.
func (s *Server) again(
	ctx context.Context, corpus []cases.Case, rules []admissionregistrationv1.RuleWithOperations,
	answers []answered, notes map[string]map[string]string,
) error {
	const tries = 5
	for range tries {
		var late []cases.Case
		var at []int
		for i := range corpus {
			if notes[corpus[i].ID][webhookName+"/error"] != "" {
				late, at = append(late, corpus[i]), append(at, i)
			}
		}
		if len(late) == 0 {
			return nil
		}
		more, err := s.create(ctx, late, rules)
		if err != nil {
			return err
		}
		said, err := s.noted(ctx, late, more)
		if err != nil {
			return err
		}
		for i, answer := range more {
			answers[at[i]] = answer
			notes[late[i].ID] = said[late[i].ID]
		}
	}
	return errors.New("the webhook does not decide all cases in time")
}

func (a *Answer) addWarnings(id string, said answered, notes map[string]string) error {
	switch {
	case said.unjudged != "":
		a.Unjudged[id] = said.unjudged
		return nil
	case notes[webhookName+"/mode"] == "":
		a.Unjudged[id] = notAsked
		return nil
	case notes[webhookName+"/mode"] != "warn":
		return fmt.Errorf("the webhook notes %v", notes)
	}
	told, more, err := readWarnings(said.warnings)
	if err != nil {
		return err
	}
	if more > 0 {
		listed, unlisted, err := readNote(notes[webhookName+"/findings"])
		if err != nil {
			return err
		}
		if len(listed)+unlisted != len(told)+more || unlisted > 0 {
			return fmt.Errorf("%d findings and %d more in the warnings, %d and %d in the audit log: "+
				"make several cases of it", len(told), more, len(listed), unlisted)
		}
		told = append(told, listed...)
	}
	for _, verdict := range told {
		a.Verdicts[Verdict{id, verdict.Rule, verdict.Container}] = true
	}
	return nil
}

var (
	warned = regexp.MustCompile(`^\[(HR\d{3})\] (?:container ([a-z0-9]([-a-z0-9]*[a-z0-9])?): )?`)
	others = regexp.MustCompile("^and (\\d+) more; `headroom lint` shows them all$")
	noted  = regexp.MustCompile(`^(HR\d{3}) (?:error|warning|info)(?: (\S+))?$`)
	unsaid = regexp.MustCompile(`^and (\d+) more$`)
)

// ofTheServer are warnings that the API server gives by itself.
var ofTheServer = regexp.MustCompile(`^(spec|metadata)\.`)

// readWarnings reads the webhook's warnings, and how many findings had no room in them.
func readWarnings(texts []string) (told []Verdict, more int, err error) {
	for _, text := range texts {
		if found := warned.FindStringSubmatch(text); found != nil {
			told = append(told, Verdict{Rule: found[1], Container: found[2]})
		} else if found := others.FindStringSubmatch(text); found != nil {
			more, _ = strconv.Atoi(found[1])
		} else if !ofTheServer.MatchString(text) {
			return nil, 0, fmt.Errorf("the warning %q is no finding", text)
		}
	}
	return told, more, nil
}

// readNote reads the list of findings in the audit log.
func readNote(text string) (listed []Verdict, more int, err error) {
	for entry := range strings.SplitSeq(text, ", ") {
		if found := noted.FindStringSubmatch(entry); found != nil {
			listed = append(listed, Verdict{Rule: found[1], Container: found[2]})
		} else if found := unsaid.FindStringSubmatch(entry); found != nil {
			more, _ = strconv.Atoi(found[1])
		} else {
			return nil, 0, fmt.Errorf("the note %q is no finding", entry)
		}
	}
	return listed, more, nil
}
