//go:build integration

package charts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// A right is a component, the kind of its role, a resource with the name that it is limited to, and
// the verbs; why says what needs it. Whatever stands in no list is too much.
type rights map[string]string

func (r rights) with(more rights) rights {
	all := maps.Clone(r)
	maps.Copy(all, more)
	return all
}

const (
	read      = "get,list,watch"
	decides   = "what a decision depends on"
	owners    = "who owns a Pod, and what its class is"
	judges    = "what it judges"
	reports   = "what it writes"
	onlyCerts = "the CA into its own configurations"
)

// The same in every mode: the webhook reads, and the chart's own test, which somebody starts, creates a
// Deployment as a dry run in a namespace of its own.
var always = rights{
	"webhook ClusterRole namespaces " + read:                     decides,
	"webhook ClusterRole limitranges " + read:                    decides,
	"webhook ClusterRole resourcequotas " + read:                 decides,
	"webhook ClusterRole deployments.apps " + read:               owners,
	"webhook ClusterRole replicasets.apps " + read:               owners,
	"webhook ClusterRole statefulsets.apps " + read:              owners,
	"webhook ClusterRole daemonsets.apps " + read:                owners,
	"webhook ClusterRole jobs.batch " + read:                     owners,
	"webhook ClusterRole cronjobs.batch " + read:                 owners,
	"webhook ClusterRole replicationcontrollers " + read:         owners,
	"test Role deployments.apps create":                          "helm test",
	"test ClusterRole mutatingwebhookconfigurations[NAME] get":   "helm test",
	"test ClusterRole validatingwebhookconfigurations[NAME] get": "helm test",
}

var ofSelfSigned = rights{
	"webhook Role secrets[NAME-webhook-self-signed] " + read + ",update":            "its certificate, in the Secret that the chart creates",
	"webhook Role secrets create":                                                   "that Secret, where it was deleted; what is created has no name yet",
	"webhook ClusterRole mutatingwebhookconfigurations[NAME] " + read + ",update":   onlyCerts,
	"webhook ClusterRole validatingwebhookconfigurations[NAME] " + read + ",update": onlyCerts,
}

var ofAudit = rights{
	"audit ClusterRole namespaces list,watch":                                                 judges,
	"audit ClusterRole limitranges list,watch":                                                judges,
	"audit ClusterRole resourcequotas list,watch":                                             judges,
	"audit ClusterRole deployments.apps list,watch":                                           judges,
	"audit ClusterRole statefulsets.apps list,watch":                                          judges,
	"audit ClusterRole daemonsets.apps list,watch":                                            judges,
	"audit ClusterRole cronjobs.batch list,watch":                                             judges,
	"audit ClusterRole horizontalpodautoscalers.autoscaling list,watch":                       judges,
	"audit ClusterRole verticalpodautoscalers.autoscaling.k8s.io list,watch":                  judges,
	"audit ClusterRole startupcpuboosts.autoscaling.x-k8s.io list,watch":                      judges,
	"audit ClusterRole pods " + read:                                                          judges,
	"audit ClusterRole replicationcontrollers " + read:                                        judges,
	"audit ClusterRole replicasets.apps " + read:                                              judges,
	"audit ClusterRole jobs.batch " + read:                                                    judges,
	"audit ClusterRole reports.openreports.io " + read + ",create,update,delete":              reports,
	"audit ClusterRole clusterreports.openreports.io " + read + ",create,update,delete":       reports,
	"audit ClusterRole policyreports.wgpolicyk8s.io " + read + ",create,update,delete":        reports,
	"audit ClusterRole clusterpolicyreports.wgpolicyk8s.io " + read + ",create,update,delete": reports,
	"audit Role leases.coordination.k8s.io create":                                            "who leads; a creation cannot be limited to a name",
	"audit Role leases.coordination.k8s.io[NAME-audit] get,update":                            "who leads",
}

// TestRightsAreFew: in every mode the chart grants what these lists have, no more and no less (S2, S3,
// S4): no wildcard, no Secret but the webhook's own, by its name.
func TestRightsAreFew(t *testing.T) {
	each(t, func(t *testing.T, settings []string, objects []object) {
		want := always
		if slices.Contains(settings, selfSigned) {
			want = want.with(ofSelfSigned)
		}
		if slices.Contains(settings, auditing) {
			want = want.with(ofAudit)
		}
		name := "headroom"
		if slices.Contains(settings, "fullnameOverride=other") {
			name = "other"
		}
		got := map[string]bool{}
		for _, o := range objects {
			if o.GetKind() == "ClusterRole" || o.GetKind() == "Role" {
				for _, right := range granted(t, o, name) {
					got[right] = true
				}
			}
		}
		if slices.Contains(settings, "rbac.create=false") {
			want = maps.Clone(want)
			maps.DeleteFunc(want, func(right, _ string) bool { return !strings.HasPrefix(right, "test ") })
		}
		for right := range got {
			if want[right] == "" {
				t.Errorf("not on the list: %s", right)
			}
		}
		for right, why := range want {
			if !got[right] {
				t.Errorf("missing: %s (%s)", right, why)
			}
		}
	})
}

// granted are the rights of a role, in the words of the lists.
func granted(t *testing.T, o object, name string) []string {
	t.Helper()
	component := o.GetLabels()["app.kubernetes.io/component"]
	if o.audits() {
		component = "audit"
	}
	if component == "" {
		component = "webhook"
	}
	var all []string
	for _, rule := range as[rbacv1.ClusterRole](t, o).Rules {
		if len(rule.NonResourceURLs) > 0 {
			t.Errorf("%s: URLs %v", o.name(), rule.NonResourceURLs)
		}
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, of := range names {
					all = append(all, fmt.Sprintf("%s %s %s %s", component, o.GetKind(), written(group, resource, of, name),
						strings.Join(rule.Verbs, ",")))
				}
			}
		}
	}
	return all
}

// written is a resource as kubectl writes it, with the one name. The group of what configures webhooks
// is left out: it is long.
func written(group, resource, of, name string) string {
	if group != "" && group != "admissionregistration.k8s.io" {
		resource += "." + group
	}
	if of != "" {
		resource += "[" + strings.Replace(of, name, "NAME", 1) + "]"
	}
	return resource
}
