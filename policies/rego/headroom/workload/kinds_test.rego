package headroom.workload_test

import data.headroom.workload

_of(version, kind) := {"apiVersion": version, "kind": kind}

test_kinds_that_no_rule_looks_at_are_inert if {
	every case in [
		["v1", "Service"],
		["v1", "ConfigMap"],
		["apps/v1", "ControllerRevision"],
		["apps/v1", "DeploymentList"],
		["autoscaling/v1", "Scale"],
		["apps/v1", "Scale"],
		["v1", "Podd"],
		["extensions/v1", "Ingress"],
		["rbac.authorization.k8s.io/v1", "Role"],
		["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
	] {
		workload.inert with input as _of(case[0], case[1])
	}
}

test_kinds_that_a_rule_may_look_at_are_not_inert if {
	every case in [
		["v1", "Pod"],
		["v1", "PodTemplate"],
		["v1", "DeploymentConfig"],
		["v1", "Namespace"],
		["apps/v2", "Deployment"],
		["v1", "Job"],
		["apps/v1", "Deployment"],
		["batch/v1", "CronJob"],
		["argoproj.io/v1alpha1", "Rollout"],
		["kubelet.config.k8s.io/v1beta1", "KubeletConfiguration"],
		["apps/v1", "Deploymnt"],
		["batch/v1", "Cronjob"],
		["v1", "pod"],
		["extensions/v1", "deployment"],
		["", ""],
	] {
		not workload.inert with input as _of(case[0], case[1])
	}
}

test_a_list_is_not_inert if {
	not workload.inert with input as {"apiVersion": "v1", "kind": "List", "items": []}
}

test_context_kinds if {
	workload.context_kind == "limit_ranges" with input as _of("v1", "LimitRange")
	workload.context_kind == "namespaces" with input as _of("v1", "Namespace")
	workload.context_kind == "services" with input as _of("v1", "Service")
	workload.context_kind == "routes" with input as _of("networking.k8s.io/v1", "Ingress")
	workload.context_kind == "routes" with input as _of("gateway.networking.k8s.io/v1", "HTTPRoute")
	workload.context_kind == "autoscalers" with input as _of("autoscaling/v2", "HorizontalPodAutoscaler")
	workload.context_kind == "" with input as _of("v1", "Pod")
	workload.context_kind == "" with input as _of("example.com/v1", "ConfigMap")
	workload.context_kind == "" with input as "text"
}

test_foreign_kinds_may_carry_a_template if {
	every case in [["v1", "PodTemplate"], ["v1", "DeploymentConfig"], ["argoproj.io/v1alpha1", "Rollout"], ["", ""]] {
		workload.foreign with input as _of(case[0], case[1])
	}
	every case in [["v1", "Pod"], ["v1", "Service"], ["batch/v1", "Job"], ["policy/v1", "PodDisruptionBudget"]] {
		not workload.foreign with input as _of(case[0], case[1])
	}
}
