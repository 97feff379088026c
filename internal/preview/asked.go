package preview

import "strings"

// asked says whether the API server asks the webhook about an object or its Pods at all. The
// chart's match conditions leave out Windows Pods, by the field that tells them for sure, and
// mirror Pods, which a node makes.
func asked(manifest map[string]any, path []string) bool {
	if text(at(manifest, path...), "spec", "os", "name") == "windows" {
		return false
	}
	if len(path) > 0 {
		return true
	}
	_, mirror := at(manifest, "metadata", "annotations")["kubernetes.io/config.mirror"]
	return !mirror
}

// judgedOwner says that an object is made by a controller of a workload whose template the
// webhook has judged: it is asked only about the Pods then.
func judgedOwner(manifest map[string]any) bool {
	owner := controllerOf(manifest)
	kind, group := text(owner, "kind"), text(owner, "apiVersion")
	return kind == "Deployment" && strings.HasPrefix(group, "apps/") ||
		kind == "CronJob" && strings.HasPrefix(group, "batch/")
}
