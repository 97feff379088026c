// Package result has the entries of reports, as the audit writes them into a cluster and the command line prints them.
package result

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Source names headroom in every report.
const Source = "headroom"

// Results of a rule, as the reports' schema has them.
const (
	Pass  = "pass"
	Fail  = "fail"
	Warn  = "warn"
	Error = "error"
	Skip  = "skip"
)

// Result is one entry of a report.
type Result struct {
	Source     string            `json:"source"`
	Policy     string            `json:"policy"` // the rule's slug, as the Kyverno policy is called
	Rule       string            `json:"rule,omitempty"`
	Category   string            `json:"category,omitempty"`
	Severity   string            `json:"severity,omitempty"`
	Result     string            `json:"result"`
	Scored     bool              `json:"scored,omitempty"` // it counts as a failure
	Message    string            `json:"message,omitempty"`
	Resources  []Subject         `json:"resources,omitempty"` // only where the report is not about one subject
	Properties map[string]string `json:"properties,omitempty"`
	// Timestamp is when the result was first written; of a result that stays, it stays.
	Timestamp *Timestamp `json:"timestamp,omitempty"`
}

// Subject is the object that a result is about.
type Subject struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
}

// Timestamp is what the schema takes for one.
type Timestamp struct {
	Seconds int64 `json:"seconds"`
	Nanos   int64 `json:"nanos"`
}

// MaxMessage bounds the message of a result, in bytes.
const MaxMessage = 1024

// Bounds of what else one result says, in bytes.
const (
	maxProperty   = 256
	maxProperties = 24
)

// severities are those of the schema: critical, high, medium, low, info. Nothing that is
// found in a manifest is critical.
var severities = map[string]string{
	engine.SeverityError: "high", engine.SeverityWarning: "medium", engine.SeverityInfo: "info",
}

// Outcome is the result of a finding. A team may live with findings that are not errors.
func Outcome(finding engine.Finding) string {
	switch {
	case finding.Suppressed != nil:
		return Skip
	case finding.Severity == engine.SeverityError:
		return Fail
	}
	return Warn
}

// Of is what a report says of a finding; category is that of its rule.
func Of(finding engine.Finding, category string) Result {
	r := Result{
		Source: Source, Policy: finding.Slug, Rule: finding.Rule, Category: category,
		Severity: severities[finding.Severity], Result: Outcome(finding),
		Message: Bounded(finding.Message, MaxMessage), Properties: map[string]string{},
	}
	r.Scored = r.Result == Fail
	r.Put("container", finding.Container)
	r.Put("path", finding.Path)
	r.Put("class", finding.Class)
	r.Put("expected", finding.Expected)
	if finding.Fixable {
		r.Put("fixable", "true")
	}
	if s := finding.Suppressed; s != nil {
		r.Put("exemption", s.Source)
		r.Put("reason", s.Reason)
		r.Put("until", s.Until)
	}
	for _, key := range slices.Sorted(maps.Keys(finding.Figures)) {
		if value, ok := figure(finding.Figures[key]); ok && len(r.Properties) < maxProperties {
			r.Put(key, value)
		}
	}
	return r
}

// Put keeps what a key says first.
func (r *Result) Put(key, value string) {
	if _, taken := r.Properties[key]; value != "" && !taken {
		r.Properties[Bounded(key, maxProperty)] = Bounded(value, maxProperty)
	}
}

// figure writes a single figure; the terms of a sum are in the message.
func figure(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return v.String(), true
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64), true
	}
	return "", false
}

// Bounded cuts a text between two characters.
func Bounded(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	const ellipsis = "…"
	cut := most - len(ellipsis)
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}
