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
	auditSkip   = "skipped"
	auditError  = "error"
	auditChange = "changed"
)

// maxListed bounds what a list in an annotation names.
const maxListed = 20

func auditOf(s *subject, findings, refusing []engine.Finding, skipped []engine.Skip) map[string]string {
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
	if len(skipped) > 0 {
		notes[auditSkip] = clean(skipped[0].What+": "+skipped[0].Reason, maxWarning)
	}
	return notes
}

func listed[T any](list []T, word func(T) string) string {
	var words []string
	for i, entry := range list {
		if i == maxListed {
			words = append(words, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		words = append(words, word(entry))
	}
	return strings.Join(words, ", ")
}
