package admission

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Keys of audit annotations; the API server puts the webhook's name before them, as in
// validate.headroom.dev/findings.
const (
	auditMode     = "mode"
	auditFindings = "findings"
	// auditRefuse lists the rules that refuse the object in enforce mode: a preview, where
	// the mode is another.
	auditRefuse = "would-refuse"
	auditDetail = "detail" // in audit mode, which sends no warnings
	// auditExempted lists the findings that an exemption covers, with its reason.
	auditExempted = "exempted"
	auditSkip     = "skipped"
	auditError    = "error"
	auditChange   = "changed"
)

// maxList bounds a list in an annotation, in bytes. Every finding has room in it, but for those of an
// object with some hundred containers.
const maxList = 8 << 10

func auditOf(s *subject, findings, refusing, exempted []engine.Finding, skipped []engine.Skip) map[string]string {
	notes := map[string]string{auditMode: s.facts.Mode}
	if len(findings) > 0 {
		notes[auditFindings] = listed(findings, func(f engine.Finding) string {
			return strings.TrimRight(f.Rule+" "+f.Severity+" "+clean(f.Container, maxWord), " ")
		})
	}
	if len(refusing) > 0 {
		notes[auditRefuse] = listed(refusing, func(f engine.Finding) string {
			return strings.TrimRight(f.Rule+" "+clean(f.Container, maxWord), " ")
		})
	}
	if s.facts.Mode == ModeAudit && len(findings) > 0 {
		notes[auditDetail] = strings.Join(warnings(findings, s.fixesPods()), " | ")
	}
	if len(exempted) > 0 {
		notes[auditExempted] = listed(exempted, func(f engine.Finding) string {
			return strings.TrimRight(f.Rule+" "+clean(f.Container, maxWord), " ") + " (" + f.Suppressed.Source + ": " +
				clean(f.Suppressed.Reason, maxWarning) + ")"
		})
	}
	if len(skipped) > 0 {
		notes[auditSkip] = clean(skipped[0].What+": "+skipped[0].Reason, maxWarning)
	}
	return notes
}

func listed[T any](list []T, word func(T) string) string {
	const more = len(", and 1000000 more")
	var b strings.Builder
	for i, entry := range list {
		text := word(entry)
		if b.Len()+len(", ")+len(text) > maxList-more {
			fmt.Fprintf(&b, ", and %d more", len(list)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
	}
	return b.String()
}
