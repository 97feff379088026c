package admission

import (
	"context"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// validate judges an object and says so as the mode of the namespace wants.
func (h *handler) validate(ctx context.Context, s *subject) answer {
	request := s.request(s.object.Raw)
	if s.subresource == "resize" && s.oldObject.IsObject() {
		request.Before = s.oldObject.Raw
	}
	verdict, err := h.decide.Validate(ctx, request)
	if err != nil {
		return h.failed(s.review, err)
	}
	findings := verdict.Findings
	slices.SortStableFunc(findings, worstFirst)
	for _, f := range findings {
		h.metrics.Found(f.Rule, f.Severity)
	}
	for _, f := range verdict.Exempted {
		h.metrics.Exempted(f.Rule, f.Suppressed.Source)
	}
	a := answer{verdict: metrics.Allowed, source: source(verdict.Cached)}
	a.response.Allowed = true
	refusing, err := h.refusing(ctx, s, findings)
	if err != nil {
		return h.failed(s.review, err)
	}
	a.response.AuditAnnotations = auditOf(s, findings, refusing, verdict.Exempted, verdict.Skipped)
	switch {
	case len(findings) == 0 && len(verdict.Skipped) > 0:
		a.verdict = metrics.Skipped
	case s.facts.Mode == ModeEnforce && len(refusing) > 0:
		a.verdict = metrics.Refused
		a.response.Allowed = false
		a.response.Result = refusal(s, refusing, findings)
	default:
		a.response.Warnings = warnings(findings, s.fixesPods())
		if len(a.response.Warnings) > 0 {
			a.verdict = metrics.Warned
		}
	}
	if s.facts.Mode == ModeEnforce {
		a.response.Warnings = append(a.response.Warnings, exemptions(verdict.Exempted)...)
	}
	h.unevaluated(&a, s, verdict.Failed)
	if log := h.log.V(1); log.Enabled() {
		log.Info("judged", append(s.metadataForLog(),
			"mode", s.facts.Mode, "verdict", a.verdict, "findings", len(findings), "cache", a.source)...)
	}
	return a
}

// fixesPods tells that what is fixable in a workload is fixed in its Pods.
func (s *subject) fixesPods() bool { return s.facts.Mutate && s.kind != "Pod" }

// refusing are the findings that refuse the object in enforce mode.
func (h *handler) refusing(ctx context.Context, s *subject, findings []engine.Finding) ([]engine.Finding, error) {
	var list []engine.Finding
	for _, f := range findings {
		if f.Refuses(s.fixesPods()) {
			list = append(list, f)
		}
	}
	switch {
	case len(list) == 0 || s.settled():
		return nil, nil
	case s.operation == "UPDATE" && s.subresource == "resize":
		return h.brought(ctx, s, list)
	}
	return list, nil
}

// settled tells that an object is there already, and goes, or that whatever is written to it (a label, a finalizer,
// the number of replicas) makes it no worse (W21). It is never refused.
func (s *subject) settled() bool {
	return s.meta.deleting || s.operation == "UPDATE" && s.subresource != "resize" && s.unchanged()
}

// brought are the findings that the Pod did not have before its resize. Nothing else of a running
// Pod can be changed, and so nothing else is held against the resize.
func (h *handler) brought(ctx context.Context, s *subject, findings []engine.Finding) ([]engine.Finding, error) {
	if !s.oldObject.IsObject() {
		return findings, nil
	}
	before, err := h.decide.Validate(ctx, s.request(s.oldObject.Raw))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(findings, func(f engine.Finding) bool {
		return slices.ContainsFunc(before.Findings, func(old engine.Finding) bool {
			return old.Severity == f.Severity && old.Rule == f.Rule && old.Container == f.Container && !larger(f.Size, old.Size)
		})
	}), nil
}

// larger tells that more is wrong than was.
func larger(now, before *engine.Size) bool {
	return now != nil && (before == nil || now.Value > before.Value)
}
