package metrics

import (
	"slices"
	"time"
)

// The operations, which are the paths /mutate and /validate.
const (
	Mutate   = "mutate"
	Validate = "validate"
)

// The verdicts of a request.
const (
	Allowed = "allowed" // judged, and nothing to say
	Warned  = "warned"  // judged, and findings told to the user or to the audit log
	Refused = "refused"
	Mutated = "mutated"
	Skipped = "skipped" // nothing that headroom judges
	Failed  = "error"   // headroom itself failed
)

// Where a decision came from.
const (
	Hit  = "hit"
	Miss = "miss"
	None = "none" // no decision was needed
)

// The kinds of errors of our own.
const (
	ErrorRequest      = "request"      // no AdmissionReview: HTTP 4xx
	ErrorObject       = "object"       // an object that cannot be read, or is too large
	ErrorSurroundings = "surroundings" // what the cluster says is not known
	ErrorDeadline     = "deadline"
	ErrorEvaluation   = "evaluation"
	ErrorOverload     = "overload" // shed with HTTP 429
	ErrorPanic        = "panic"
)

var (
	operations = []string{Mutate, Validate}
	verdicts   = []string{Allowed, Warned, Refused, Mutated, Skipped, Failed}
	sources    = []string{Hit, Miss, None}
	severities = []string{"error", "warning", "info"}
	exempters  = []string{"annotation", "config"}
	kinds      = []string{
		ErrorRequest, ErrorObject, ErrorSurroundings, ErrorDeadline, ErrorEvaluation, ErrorOverload, ErrorPanic,
	}
)

// other stands for every value that is not on the list of its label.
const other = "other"

func known(value string, list []string) string {
	if slices.Contains(list, value) {
		return value
	}
	return other
}

func (m *Metrics) rule(id string) string {
	if m.rules[id] {
		return id
	}
	return other
}

// Answered counts a request and how long it took.
func (m *Metrics) Answered(operation, verdict, cache string, took time.Duration) {
	operation = known(operation, operations)
	m.decisions.WithLabelValues(operation, known(verdict, verdicts)).Inc()
	m.duration.WithLabelValues(operation, known(cache, sources)).Observe(took.Seconds())
}

// Found counts a finding.
func (m *Metrics) Found(rule, severity string) {
	m.findings.WithLabelValues(m.rule(rule), known(severity, severities)).Inc()
}

// Exempted counts a finding that an exemption covers.
func (m *Metrics) Exempted(rule, source string) {
	m.exemptions.WithLabelValues(m.rule(rule), known(source, exempters)).Inc()
}

// Patched counts a Pod that a rule had changed.
func (m *Metrics) Patched(rule string) {
	m.patches.WithLabelValues(m.rule(rule)).Inc()
}

// Erred counts a request that could not be judged.
func (m *Metrics) Erred(kind string) {
	m.errors.WithLabelValues(known(kind, kinds)).Inc()
}

// Cached counts a question to the cache.
func (m *Metrics) Cached(hit bool) {
	if hit {
		m.cacheRequests.WithLabelValues(Hit).Inc()
		return
	}
	m.cacheRequests.WithLabelValues(Miss).Inc()
}

// Started counts a request as being answered until the function that it gives is called.
func (m *Metrics) Started() func() {
	m.inFlight.Inc()
	return m.inFlight.Dec
}
