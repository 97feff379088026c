package reports

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

// Bounds of what one result says, in bytes.
const (
	maxMessage    = 1024
	maxProperty   = 256
	maxProperties = 24
)

// severities are those of the schema: critical, high, medium, low, info. Nothing that is
// found in a manifest is critical.
var severities = map[string]string{
	engine.SeverityError: "high", engine.SeverityWarning: "medium", engine.SeverityInfo: "info",
}

// outcome is the result of a finding. A team may live with findings that are not errors.
func outcome(finding engine.Finding) string {
	switch {
	case finding.Suppressed != nil:
		return Skip
	case finding.Severity == engine.SeverityError:
		return Fail
	}
	return Warn
}

func resultOf(finding engine.Finding, category string) Result {
	r := Result{
		Source: Source, Policy: finding.Slug, Rule: finding.Rule, Category: category,
		Severity: severities[finding.Severity], Result: outcome(finding),
		Message: bounded(finding.Message, maxMessage), Properties: map[string]string{},
	}
	r.Scored = r.Result == Fail
	r.put("container", finding.Container)
	r.put("path", finding.Path)
	r.put("class", finding.Class)
	r.put("expected", finding.Expected)
	if finding.Fixable {
		r.put("fixable", "true")
	}
	if s := finding.Suppressed; s != nil {
		r.put("exemption", s.Source)
		r.put("reason", s.Reason)
		r.put("until", s.Until)
	}
	for _, key := range slices.Sorted(maps.Keys(finding.Figures)) {
		if value, ok := figure(finding.Figures[key]); ok && len(r.Properties) < maxProperties {
			r.put(key, value)
		}
	}
	return r
}

// put keeps what a key says first.
func (r *Result) put(key, value string) {
	if _, taken := r.Properties[key]; value != "" && !taken {
		r.Properties[bounded(key, maxProperty)] = bounded(value, maxProperty)
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

// bounded cuts a text between two characters.
func bounded(text string, most int) string {
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
