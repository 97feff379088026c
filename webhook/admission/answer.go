package admission

import (
	"context"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// answer is a response, and what is counted of it.
type answer struct {
	response admissionv1.AdmissionResponse
	verdict  string
	source   string
	busy     bool // there is no answer: the request is turned away
}

var (
	errNoObject     = errors.New("the request has no object")
	errSurroundings = errors.New("what the cluster says around the object is not known")
)

// subject is a request that is to be judged, and what is known of it.
type subject struct {
	*review
	meta  metadata
	facts Facts
}

func (h *handler) answer(ctx context.Context, r *review) answer {
	if !h.concerns(r) {
		return skipped("")
	}
	if !r.object.IsObject() {
		return h.failed(r, errNoObject)
	}
	s := &subject{review: r, meta: r.metadata()}
	facts, err := h.around.Around(ctx, r.namespace, Owned{Kind: r.kind, Owners: s.meta.owners})
	if err != nil {
		return h.failed(r, fmt.Errorf("%w: %w", errSurroundings, err))
	}
	if !slices.Contains(modes, facts.Mode) {
		return h.failed(r, fmt.Errorf("%w: the namespace's mode is %q", errSurroundings, facts.Mode))
	}
	if h.closed {
		// The API server has just read the label that brings a request here. What we
		// remember may be older than that, and must not let anything in.
		facts.Mode = ModeEnforce
	}
	s.facts = facts
	switch {
	case facts.Excluded:
		return skipped(facts.Mode)
	case facts.Mode == ModeOff:
		return h.told(skipped(facts.Mode), facts)
	case h.operation == metrics.Mutate && !facts.Mutate:
		return skipped(facts.Mode)
	}
	judge := h.validate
	if h.operation == metrics.Mutate {
		judge = h.mutate
	}
	a := judge(ctx, s)
	if facts.Mode == ModeAudit {
		a.response.Warnings = nil // not even of an error of our own
	}
	return h.told(a, facts)
}

// told warns of labels of the Namespace that mean nothing, in any mode: the one that was meant may be another. It does
// so once, where an object is judged.
func (h *handler) told(a answer, facts Facts) answer {
	if h.operation != metrics.Validate {
		return a
	}
	for _, odd := range facts.Odd {
		a.response.Warnings = append(a.response.Warnings, clean(odd, maxWarning))
	}
	return a
}

// concerns says whether a request is one that headroom judges. Pods are changed and judged
// where they are made; what may be changed of them later cannot put a finding right, but
// for a resize (W21, W22).
func (h *handler) concerns(r *review) bool {
	create, update := r.operation == "CREATE", r.operation == "UPDATE"
	switch {
	case r.namespace == "":
		return false
	case r.kind == "Pod" && r.subresource == "resize":
		return update && h.operation == metrics.Validate
	case r.subresource != "":
		return false
	case r.kind == "Pod":
		return create
	default:
		return (create || update) && h.operation == metrics.Validate
	}
}

func skipped(mode string) answer {
	a := answer{response: admissionv1.AdmissionResponse{Allowed: true}, verdict: metrics.Skipped, source: metrics.None}
	if mode != "" {
		a.response.AuditAnnotations = map[string]string{auditMode: mode}
	}
	return a
}

// request is what is decided about.
func (s *subject) request(object string) decision.Request {
	return decision.Request{
		Object:      object,
		Checked:     true, // with the review around it
		Name:        s.meta.name,
		Namespace:   s.namespace,
		Around:      s.facts.Around,
		Fingerprint: s.facts.Fingerprint,
	}
}

func source(cached bool) string {
	if cached {
		return metrics.Hit
	}
	return metrics.Miss
}
