package admission

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// failure is an error of our own: how it is counted, and the message for a person.
type failure struct{ kind, why string }

// failures go from the error to the words. No error's own text reaches a person or the
// API server: it might quote the object.
var failures = []struct {
	err error
	failure
}{
	{errNoObject, failure{metrics.ErrorObject, "the request has no object"}},
	{decision.ErrTooLarge, failure{metrics.ErrorObject, "it is larger than 3 MiB"}},
	{decision.ErrTooMany, failure{metrics.ErrorObject, "it has more than 200 000 fields"}},
	{decision.ErrLongText, failure{metrics.ErrorObject, "a text in it is longer than 256 KiB"}},
	{decision.ErrMalformed, failure{metrics.ErrorObject, "it is not a JSON object"}},
	{errSurroundings, failure{metrics.ErrorSurroundings, "what its namespace says is not known"}},
	{decision.ErrDeadline, failure{metrics.ErrorDeadline, "it took more than 250 ms"}},
	{decision.ErrPanic, failure{metrics.ErrorPanic, "headroom has a bug here"}},
}

func failureOf(err error) failure {
	for _, known := range failures {
		if errors.Is(err, known.err) {
			return known.failure
		}
	}
	return failure{metrics.ErrorEvaluation, "the policies failed"}
}

// failed is the answer where headroom could not judge. Outside enforce namespaces it never
// refuses; in enforce, an object that was not judged is refused.
func (h *handler) failed(r *review, err error) answer {
	if errors.Is(err, decision.ErrBusy) {
		return answer{busy: true}
	}
	f := failureOf(err)
	h.metrics.Erred(f.kind)
	var panicked decision.Panic
	if errors.As(err, &panicked) {
		h.log.Error(err, "could not judge an object", append(r.metadataForLog(), "stack", string(panicked.Stack))...)
	} else {
		h.log.Error(err, "could not judge an object", r.metadataForLog()...)
	}
	what := fmt.Sprintf("headroom could not judge this %s: %s", clean(r.kind, maxWord), f.why)
	a := answer{verdict: metrics.Failed, source: metrics.None}
	a.response.AuditAnnotations = map[string]string{auditError: f.kind}
	if !h.closed {
		a.response.Allowed = true
		a.response.Warnings = []string{clean(what+"; it is admitted as it is", maxWarning)}
		return a
	}
	a.response.Result = &metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusInternalServerError,
		Reason:  metav1.StatusReasonInternalError,
		Message: what + ".\n\n" + unjudgedAdvice(r, f.kind),
	}
	return a
}

// unevaluated tells of rules that failed for an object: what the others found stands. In enforce mode an object
// that a failed rule might have refused is refused.
func (h *handler) unevaluated(a *answer, s *subject, failures []engine.Failure) {
	if len(failures) == 0 {
		return
	}
	h.metrics.Erred(metrics.ErrorEvaluation)
	var rules []string
	for _, f := range failures {
		rules = append(rules, f.Rule)
		h.log.Error(f, "a rule failed", s.metadataForLog()...)
		a.response.Warnings = append(a.response.Warnings, clean("headroom: "+f.Error(), maxWarning))
	}
	what := metrics.ErrorEvaluation + ": " + strings.Join(rules, ", ")
	a.response.AuditAnnotations[auditError] = clean(what, maxWarning)
	if h.operation != metrics.Validate || s.facts.Mode != ModeEnforce || !a.response.Allowed || s.settled() {
		return
	}
	a.verdict, a.response.Allowed = metrics.Failed, false
	a.response.Result = &metav1.Status{
		Status: metav1.StatusFailure,
		Code:   http.StatusForbidden,
		Reason: metav1.StatusReasonForbidden,
		Message: "headroom could not evaluate " + strings.Join(rules, ", ") + " for this " + clean(s.kind, maxWord) +
			".\n\n" + unjudgedAdvice(s.review, what),
	}
}

// unjudgedAdvice says why a namespace in enforce mode refuses what was not judged, and the way out.
func unjudgedAdvice(r *review, kind string) string {
	return "Namespaces in enforce mode admit nothing that has not been judged.\n" +
		"  if it is urgent: kubectl label namespace " + clean(r.namespace, maxWord) +
		" headroom.dev/mode=warn --overwrite\n" +
		"  more:            docs/break-glass.md, and the log of the headroom webhook (" + kind + ")"
}

// metadataForLog is all that is ever logged of a request.
func (r *review) metadataForLog() []any {
	return []any{
		"uid", clean(r.uid, maxWord), "operation", clean(r.operation, maxWord), "kind", clean(r.kind, maxWord),
		"namespace", clean(r.namespace, maxWord), "name", clean(r.metadata().name, maxWord),
	}
}
