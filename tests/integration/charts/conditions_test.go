//go:build integration

package charts

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"
)

// request is something that happens in a cluster.
type request struct {
	what     string
	user     string // "" is alice
	verb     admission.Operation
	resource string // group/resource/subresource; "" as group is core
	manifest string
	mutate   bool // whether /mutate is asked
	validate bool // whether /validate or /validate/enforce is
}

const (
	node       = "system:node:worker-1"
	controller = "system:serviceaccount:kube-system:deployment-controller"
	pods       = "/pods"
)

var requests = []request{
	{
		what: "a Pod", verb: admission.Create, resource: pods,
		manifest: "{kind: Pod, spec: {}}", mutate: true, validate: true,
	},
	{
		what: "the kubelet's mirror of a static Pod (W24)", user: node, verb: admission.Create, resource: pods,
		manifest: "{kind: Pod, metadata: {annotations: {kubernetes.io/config.mirror: abc}}}",
	},
	{
		what: "a user's Pod that says it is a mirror", verb: admission.Create, resource: pods,
		manifest: "{kind: Pod, metadata: {annotations: {kubernetes.io/config.mirror: abc}}}", mutate: true, validate: true,
	},
	{
		what: "another Pod of a node", user: node, verb: admission.Create, resource: pods,
		manifest: "{kind: Pod, metadata: {annotations: {a: b}}}", mutate: true, validate: true,
	},
	{
		what: "a Windows Pod", verb: admission.Create, resource: pods,
		manifest: "{kind: Pod, spec: {os: {name: windows}}}",
	},
	{
		what: "a Windows Deployment", verb: admission.Create, resource: "apps/deployments",
		manifest: "{kind: Deployment, spec: {template: {spec: {os: {name: windows}}}}}",
	},
	{
		what: "a Windows CronJob", verb: admission.Create, resource: "batch/cronjobs",
		manifest: "{kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {os: {name: windows}}}}}}}",
	},
	{
		what: "a Windows Job", verb: admission.Create, resource: "batch/jobs",
		manifest: "{kind: Job, spec: {template: {spec: {os: {name: windows}}}}}",
	},
	{
		what: "a Deployment with the field of a Pod", verb: admission.Create, resource: "apps/deployments", validate: true,
		manifest: "{kind: Deployment, spec: {os: {name: windows}, template: {spec: {os: {name: linux}}}}}",
	},
	{
		what: "a Pod with the field of a Deployment", verb: admission.Create, resource: pods, mutate: true, validate: true,
		manifest: "{kind: Pod, spec: {template: {spec: {os: {name: windows}}}}}",
	},
	{
		what: "an operator's kind with such fields", verb: admission.Create, resource: "argoproj.io/rollouts", validate: true,
		manifest: "{kind: Rollout, spec: {os: {name: windows}, template: {spec: {os: {name: windows}}}}}",
	},
	{
		what: "a Deployment that says it is a mirror (M2)", verb: admission.Create, resource: "apps/deployments", validate: true,
		manifest: "{kind: Deployment, metadata: {annotations: {kubernetes.io/config.mirror: abc}}}",
	},
	{
		what: "a Linux CronJob", verb: admission.Update, resource: "batch/cronjobs",
		manifest: "{kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {os: {name: linux}}}}}}}", validate: true,
	},
	{what: "a change of a Pod's labels (F22)", verb: admission.Update, resource: pods, manifest: "{kind: Pod}"},
	{what: "a Pod's status", verb: admission.Update, resource: "/pods/status", manifest: "{kind: Pod}"},
	{
		what: "a Pod resized (W22)", verb: admission.Update, resource: "/pods/resize",
		manifest: "{kind: Pod}", validate: true,
	},
	{
		what: "an ephemeral container (W23)", verb: admission.Update, resource: "/pods/ephemeralcontainers",
		manifest: "{kind: Pod}", validate: true,
	},
	{
		what: "a Deployment", verb: admission.Create, resource: "apps/deployments",
		manifest: "{kind: Deployment}", validate: true,
	},
	{
		what: "a Deployment changed", verb: admission.Update, resource: "apps/deployments",
		manifest: "{kind: Deployment}", validate: true,
	},
	{
		what: "a Deployment scaled", verb: admission.Update, resource: "apps/deployments/scale",
		manifest: "{kind: Scale}",
	},
	{
		what: "a Deployment's status", verb: admission.Update, resource: "apps/deployments/status",
		manifest: "{kind: Deployment}",
	},
	{
		what: "a Deployment deleted (W39)", verb: admission.Delete, resource: "apps/deployments",
		manifest: "{kind: Deployment}",
	},
	{
		what: "a finalizer removed from a Deployment", verb: admission.Update, resource: "apps/deployments",
		manifest: "{kind: Deployment, metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}}",
	},
	{
		what: "the ReplicaSet of a Deployment", user: controller, verb: admission.Create, resource: "apps/replicasets",
		manifest: "{kind: ReplicaSet, metadata: {ownerReferences: [{apiVersion: apps/v1, kind: Deployment, controller: true}]}}",
	},
	{
		what: "the ReplicaSet of something else", verb: admission.Create, resource: "apps/replicasets", validate: true,
		manifest: "{kind: ReplicaSet, metadata: {ownerReferences: " +
			"[{apiVersion: argoproj.io/v1alpha1, kind: Rollout, controller: true}]}}",
	},
	{
		what: "a ReplicaSet that names a Deployment as no controller", verb: admission.Create, resource: "apps/replicasets",
		manifest: "{kind: ReplicaSet, metadata: {ownerReferences: [{apiVersion: apps/v1, kind: Deployment}]}}",
		validate: true,
	},
	{
		what: "the Job of a CronJob", verb: admission.Create, resource: "batch/jobs",
		manifest: "{kind: Job, metadata: {ownerReferences: [{apiVersion: batch/v1, kind: CronJob, controller: true}]}}",
	},
	{what: "a Job", verb: admission.Create, resource: "batch/jobs", manifest: "{kind: Job}", validate: true},
	{
		what: "the Pod of a ReplicaSet", verb: admission.Create, resource: pods, mutate: true, validate: true,
		manifest: "{kind: Pod, metadata: {ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, controller: true}]}}",
	},
	{
		what: "a Pod that claims a Deployment as its controller", verb: admission.Create, resource: pods,
		manifest: "{kind: Pod, metadata: {ownerReferences: [{apiVersion: apps/v1, kind: Deployment, controller: true}]}}",
		mutate:   true, validate: true,
	},
	{
		what: "a ReplicationController", verb: admission.Create, resource: "/replicationcontrollers",
		manifest: "{kind: ReplicationController}", validate: true,
	},
	{
		what: "a lease (W7)", verb: admission.Update, resource: "coordination.k8s.io/leases",
		manifest: "{kind: Lease}",
	},
	{what: "a node (W1)", verb: admission.Update, resource: "/nodes", manifest: "{kind: Node}"},
}

// TestWhatIsAskedAbout matches requests with the API server's own code.
func TestWhatIsAskedAbout(t *testing.T) {
	objects := render(t)
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, 30)))
	mutating, validating := configurations(t, objects)
	mutate := webhook.NewMutatingWebhookAccessor("", "headroom", &mutating.Webhooks[0])
	for _, r := range requests {
		if got := asked(t, compiler, mutate, r); got != r.mutate {
			t.Errorf("%s: /mutate is asked: %v", r.what, got)
		}
		for i := range validating.Webhooks {
			accessor := webhook.NewValidatingWebhookAccessor("", "headroom", &validating.Webhooks[i])
			if got := asked(t, compiler, accessor, r); got != r.validate {
				t.Errorf("%s: %s is asked: %v", r.what, accessor.GetName(), got)
			}
		}
	}
}

func asked(t *testing.T, compiler cel.ConditionCompiler, hook webhook.WebhookAccessor, r request) bool {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(r.manifest), &o.Object); err != nil {
		t.Fatalf("%s: %v", r.what, err)
	}
	if o.Object["metadata"] == nil {
		o.Object["metadata"] = map[string]any{"name": "x"}
	}
	name := r.user
	if name == "" {
		name = "alice"
	}
	resource, subresource := split(r.resource)
	kind := schema.GroupVersionKind{Group: resource.Group, Version: "v1", Kind: o.GetKind()}
	attributes := admission.NewAttributesRecord(o, nil, kind, "shop", "x", resource, subresource, r.verb, nil, false,
		&user.DefaultInfo{Name: name})
	matched := false
	for _, rule := range hook.GetRules() {
		matched = matched || (&rules.Matcher{Rule: rule, Attr: attributes}).Matches()
	}
	if !matched {
		return false
	}
	versioned := &admission.VersionedAttributes{
		Attributes: attributes, VersionedKind: kind, VersionedObject: admission.NewLazyObject(o),
	}
	result := hook.GetCompiledMatcher(compiler).Match(t.Context(), versioned, nil, nil)
	if result.Error != nil {
		t.Fatalf("%s: %s: %v", r.what, hook.GetName(), result.Error)
	}
	return result.Matches
}

func split(text string) (schema.GroupVersionResource, string) {
	parts := append(strings.Split(text, "/"), "")
	return schema.GroupVersionResource{Group: parts[0], Version: "v1", Resource: parts[1]}, parts[2]
}
