package engines

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// webhookName is the webhook of the chart that is asked outside of enforcement.
const webhookName = "validate.headroom.dev"

// Webhook creates the cases on an API server whose webhook warns, as it does by default. The
// findings are read from the audit log; the warnings tell some of them, in short.
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
	listed, err := readNote(notes[webhookName+"/findings"])
	if err != nil {
		return err
	}
	for verdict, severity := range listed {
		verdict.Case = id
		a.Verdicts.add(verdict, severity)
	}
	return checkWarnings(said.warnings, listed)
}

var (
	warned = regexp.MustCompile(`^\[(HR\d{3})(?:, with ([HR0-9, ]+))?\] (?:container ([-a-z0-9]+): |containers ([-a-z0-9, ]+): )?`)
	many   = regexp.MustCompile(`^\[HR\d{3}(?:, with [HR0-9, ]+)?\] \d+ containers: `)
	others = regexp.MustCompile(`^\d+ more: headroom lint$`)
	noted  = regexp.MustCompile(`^(HR\d{3}) (error|warning|info)(?: (\S+))?$`)
)

// ofTheServer are warnings that the API server gives by itself.
var ofTheServer = regexp.MustCompile(`^(spec|metadata)\.`)

// checkWarnings holds the webhook's warnings to what it notes. Each speaks of what is noted and is no
// info, and together they leave out nothing but infos, unless they say that there is more.
func checkWarnings(texts []string, listed Verdicts) error {
	told, more := map[string]bool{}, false
	for _, text := range texts {
		found := warned.FindStringSubmatch(text)
		switch {
		case others.MatchString(text), many.MatchString(text):
			more = true
		case ofTheServer.MatchString(text):
		case found == nil:
			return fmt.Errorf("the warning %q is no finding", text)
		default:
			containers := strings.Split(found[3]+found[4], ", ")
			for _, container := range containers {
				severity, there := listed[Verdict{Rule: found[1], Container: container}]
				if !there || severity == engine.SeverityInfo {
					return fmt.Errorf("the warning %q speaks of %q, which the audit log has as %q", text, container, severity)
				}
			}
			told[found[1]] = true
			for rule := range strings.SplitSeq(found[2], ", ") {
				told[rule] = true
			}
		}
	}
	for verdict, severity := range listed {
		if severity != engine.SeverityInfo && !told[verdict.Rule] && !more {
			return fmt.Errorf("no warning speaks of %s, %s", verdict, severity)
		}
	}
	return nil
}

// readNote reads the list of findings in the audit log.
func readNote(text string) (Verdicts, error) {
	listed := Verdicts{}
	if text == "" {
		return listed, nil
	}
	for entry := range strings.SplitSeq(text, ", ") {
		found := noted.FindStringSubmatch(entry)
		if found == nil {
			return nil, fmt.Errorf("the note %q is no finding: make several cases of it", entry)
		}
		listed.add(Verdict{Rule: found[1], Container: found[3]}, found[2])
	}
	return listed, nil
}
