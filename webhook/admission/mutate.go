package admission

import (
	"context"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

var jsonPatch = admissionv1.PatchTypeJSONPatch

// mutate puts a Pod right, and tells its user what was changed and why.
func (h *handler) mutate(ctx context.Context, s *subject) answer {
	mutation, err := h.decide.Mutate(ctx, s.request(s.object.Raw))
	if err != nil {
		return h.failed(s.review, err)
	}
	a := answer{verdict: metrics.Allowed, source: source(mutation.Cached)}
	a.response.Allowed = true
	a.response.AuditAnnotations = map[string]string{auditMode: s.facts.Mode}
	if len(mutation.Skipped) > 0 {
		a.verdict = metrics.Skipped
	}
	if mutation.Patch != nil {
		a.verdict = metrics.Mutated
		a.response.Patch, a.response.PatchType = mutation.Patch, &jsonPatch
		a.response.AuditAnnotations[auditChange] = listed(mutation.Applied, func(c engine.Applied) string {
			return c.Rule + " " + clean(c.Container, maxWord)
		})
		a.response.Warnings = changed(mutation.Applied, mutation.Before)
		for _, rule := range rulesOf(mutation.Applied) {
			h.metrics.Patched(rule)
		}
	}
	h.unevaluated(&a, s, mutation.Failed)
	if log := h.log.V(1); log.Enabled() {
		log.Info("fixed", append(s.metadataForLog(),
			"mode", s.facts.Mode, "verdict", a.verdict, "changes", len(mutation.Applied), "cache", a.source)...)
	}
	return a
}

func rulesOf(applied []engine.Applied) []string {
	var rules []string
	for _, a := range applied {
		if !slices.Contains(rules, a.Rule) {
			rules = append(rules, a.Rule)
		}
	}
	return rules
}

// changed says in one line for each rule and container what was changed, and why.
func changed(applied []engine.Applied, before []engine.Finding) []string {
	type of struct{ rule, container string }
	var order []of
	changes := map[of][]string{}
	for _, a := range applied {
		key := of{a.Rule, a.Container}
		if changes[key] == nil {
			order = append(order, key)
		}
		changes[key] = append(changes[key], change(a))
	}
	var lines []string
	for i, key := range order {
		if i == maxWarnings {
			lines = append(lines, "and more; the Pod's annotation headroom.dev/applied lists all changes")
			break
		}
		line := "[" + key.rule + "] " + where(key.container) + strings.Join(changes[key], ", ")
		if why := reason(before, key.rule, key.container); why != "" {
			line += "; why: " + why
		}
		lines = append(lines, clean(line, maxWarning))
	}
	return lines
}

// reason is the message of the finding that a change answers.
func reason(before []engine.Finding, rule, container string) string {
	for _, f := range before {
		if f.Rule == rule && f.Container == container {
			return f.Message
		}
	}
	return ""
}

// change is one change in words: `removed limits.cpu 2`.
func change(a engine.Applied) string {
	name := field(engine.Finding{Path: a.Path, Container: a.Container})
	name = strings.TrimPrefix(name, "resources.")
	switch {
	case a.BehindJava():
		return "added " + a.Added + " behind java"
	case a.Added != "" && strings.HasPrefix(a.Added, "-"):
		return "added " + a.Added + " to JAVA_TOOL_OPTIONS"
	case a.Added != "":
		return "added " + a.Added
	case a.New == "":
		return "removed " + name + " " + a.Old
	case a.Old == "":
		return "set " + name + " to " + a.New
	default:
		return "set " + name + " from " + a.Old + " to " + a.New
	}
}
