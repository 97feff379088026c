# METADATA
# title: Workload model
# description: |
#   The only package that reads `input`. It turns a Kubernetes object into its pod
#   template and its containers, with the values that the API server would make of it.
package headroom.workload

# Where each kind keeps its pod template. A kind is known by its API version too:
# a Job of another group is another thing.
_template_paths := {
	"v1": {"Pod": [], "ReplicationController": ["spec", "template"]},
	"apps/v1": {
		"Deployment": ["spec", "template"],
		"ReplicaSet": ["spec", "template"],
		"StatefulSet": ["spec", "template"],
		"DaemonSet": ["spec", "template"],
	},
	"batch/v1": {
		"Job": ["spec", "template"],
		"CronJob": ["spec", "jobTemplate", "spec", "template"],
	},
}

# Earlier versions of these groups had the same kinds.
_later_versions := {
	"apps/v1beta1": "apps/v1",
	"apps/v1beta2": "apps/v1",
	"batch/v1beta1": "batch/v1",
	"extensions/v1beta1": "apps/v1",
}

# Groups of Kubernetes itself. Their kinds carry a pod template only where
# _template_paths or _carriers says so.
_builtin_groups := {
	"admission.k8s.io",
	"admissionregistration.k8s.io",
	"apiextensions.k8s.io",
	"apiregistration.k8s.io",
	"apps",
	"authentication.k8s.io",
	"authorization.k8s.io",
	"autoscaling",
	"batch",
	"certificates.k8s.io",
	"coordination.k8s.io",
	"discovery.k8s.io",
	"events.k8s.io",
	"extensions",
	"flowcontrol.apiserver.k8s.io",
	"internal.apiserver.k8s.io",
	"metrics.k8s.io",
	"networking.k8s.io",
	"node.k8s.io",
	"policy",
	"rbac.authorization.k8s.io",
	"resource.k8s.io",
	"scheduling.k8s.io",
	"storage.k8s.io",
	"storagemigration.k8s.io",
	"v1",
}

# Kinds that carry a pod template although their API version is not in _template_paths. These are a
# PodTemplate, which no controller of Kubernetes runs (package headroom.kinds has it), and OpenShift's
# DeploymentConfig from the time before it had a group. Known kinds with a version that does not exist count too.
_carriers := {"PodTemplate", "DeploymentConfig"} | {kind | some kind, _ in _template_paths[_]}

# context_kinds are the objects that change what is right for a workload beside
# them, or show what it is, and the name under which they reach it.
context_kinds := {
	"v1": {
		"ConfigMap": "config_maps",
		"LimitRange": "limit_ranges",
		"Namespace": "namespaces",
		"ResourceQuota": "resource_quotas",
		"Service": "services",
	},
	"networking.k8s.io/v1": {"Ingress": "routes"},
	"gateway.networking.k8s.io/v1": {"GRPCRoute": "routes", "HTTPRoute": "routes"},
	"kubelet.config.k8s.io/v1beta1": {"KubeletConfiguration": "kubelets"},
	"autoscaling/v1": {"HorizontalPodAutoscaler": "autoscalers"},
	"autoscaling/v2": {"HorizontalPodAutoscaler": "autoscalers"},
	"autoscaling.k8s.io/v1": {"VerticalPodAutoscaler": "autoscalers"},
	"autoscaling.x-k8s.io/v1alpha1": {"StartupCPUBoost": "boosts"},
}

# context_kind names the list of `context` that an object belongs to, or is "".
default context_kind := ""

context_kind := context_kinds[api_version][kind]

# foreign is true for an object of a kind that headroom does not judge and that may
# carry a pod template nevertheless (HR002).
default foreign := false

foreign if {
	not template_path
	not several
	not _known_bare
	count(unread) == 0
}

# A kind of Kubernetes that carries no pod template.
_known_bare if {
	split(api_version, "/")[0] in _builtin_groups
	not kind in _carriers
	not _misspelt
}

# A kind that its API version does not have may be misspelt. Without this check its containers
# would be skipped without a message.
_misspelt if {
	kinds
	not kind in {"ControllerRevision", "Scale"}
	not endswith(kind, "List")
	api_version != "v1"
}

_misspelt if {
	some carrier in _carriers
	lower(kind) == lower(carrier)
}

# kinds are those of the object's API version that headroom judges; undefined where it judges
# none of them.
kinds := object.keys(_template_paths[object.get(_later_versions, api_version, api_version)])

# inert is true for an object that no rule looks at, so that callers with many
# objects can skip it. In doubt an object is evaluated.
default inert := false

inert if {
	_known_bare
	not template_path
	not known
	kind != "Namespace"
	not several
}
