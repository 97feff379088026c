package engine

import (
	"slices"
	"strings"
)

// TemplatePath is where an object of a kind keeps its pod template, as dotted fields. It is "-" for
// a Pod, which is its own template, and "" for a kind that is not known to have one.
func TemplatePath(apiVersion, kind string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	switch {
	case !grouped && kind == "Pod":
		return "-"
	case !grouped && kind == "ReplicationController":
		return "spec.template"
	case group == "apps" || group == "extensions":
		switch kind {
		case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet":
			return "spec.template"
		}
	case group == "batch" && kind == "Job":
		return "spec.template"
	case group == "batch" && kind == "CronJob":
		return "spec.jobTemplate.spec.template"
	}
	return ""
}

// FixableInPods leaves as fixable what the webhook itself fixes: the spec of Pods. What
// is elsewhere has to be fixed in manifests.
func FixableInPods(findings []Finding, manifest map[string]any) {
	r := ResourceOf(manifest)
	spec := append(strings.FieldsFunc(TemplatePath(r.APIVersion, r.Kind), func(r rune) bool {
		return r == '.' || r == '-'
	}), "spec")
	for i := range findings {
		f := &findings[i]
		f.Fixable = f.Fixable && slices.ContainsFunc(f.Changes, func(c Change) bool { return c.Within(spec) })
	}
}
