package headroom.explain_test

import data.headroom.explain

cron_job(annotations, template_annotations) := {
	"apiVersion": "batch/v1",
	"kind": "CronJob",
	"metadata": {"name": "nightly", "annotations": annotations},
	"spec": {"jobTemplate": {"spec": {"template": {
		"metadata": {"annotations": template_annotations},
		"spec": {
			"containers": [{"name": "app"}, {"name": "envoy"}],
			"initContainers": [{"name": "wait"}, {"name": "proxy", "restartPolicy": "Always"}],
		},
	}}}},
}

said(given) := found if {
	found := [[x.class, x.class_evidence, x.weaker] | some x in explain.result] with input as given
}

test_the_stronger_and_the_weaker if {
	given := cron_job(
		{"headroom.dev/workload-class": "cron"},
		{"headroom.dev/workload-class": "batch", "class.headroom.dev/envoy": "latency-sensitive"},
	)
	said(given) == [
		["batch", "annotation headroom.dev/workload-class of the pod template", [
			"Annotation headroom.dev/workload-class of the workload would say cron.",
			"Owner kind CronJob would say cron.",
		]],
		["latency-sensitive", "annotation class.headroom.dev/envoy of the pod template", [
			"Being a known sidecar (name envoy) would say sidecar.",
			"Annotation headroom.dev/workload-class would say batch.",
			"Owner kind CronJob would say cron.",
		]],
		["init", "an init container", [
			"Annotation headroom.dev/workload-class would say batch.",
			"Owner kind CronJob would say cron.",
		]],
		["sidecar", "a native sidecar (init container with restartPolicy: Always)", [
			"Annotation headroom.dev/workload-class would say batch.",
			"Owner kind CronJob would say cron.",
		]],
	]
}

test_where_the_annotation_stands if {
	on_workload := cron_job({"headroom.dev/workload-class": "batch"}, {})
	first(on_workload).class_evidence == "annotation headroom.dev/workload-class of the workload"
	on_pod := pod({"headroom.dev/workload-class": "batch"}, [{"name": "app"}])
	first(on_pod).class_evidence == "annotation headroom.dev/workload-class of the Pod"
	owned := around(pod({}, [{"name": "app"}]), {"owners": [{
		"kind": "Deployment",
		"annotations": {"headroom.dev/workload-class": "batch"},
	}]})
	first(owned).class_evidence == "annotation headroom.dev/workload-class of the object that it belongs to"
}

test_the_namespace_and_the_config_are_weaker if {
	given := around(
		pod({"headroom.dev/workload-class": "batch"}, [{"name": "app"}]),
		{"namespaces": [{"metadata": {"annotations": {"headroom.dev/default-class": "bach"}}}]},
	)
	found := first(given) with data.headroom.overrides as {"defaultClass": "cron"}
	found.weaker == [
		"The namespace's headroom.dev/default-class would say \"bach\", which is no class.",
		"The config's defaultClass would say cron.",
	]
}

test_what_would_classify if {
	first(pod({}, [{"name": "app"}])).weaker == [
		concat(" ", [
			"Annotation headroom.dev/workload-class on the Pod would say it:",
			"batch, cron, latency-sensitive, multi-tenant, sidecar.",
		]),
		"So would headroom.dev/default-class on its Namespace, and defaultClass in headroom.yaml.",
	]
	deployment := {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": {"spec": {"containers": [{}]}}}}
	startswith(first(deployment).weaker[0], "Annotation headroom.dev/workload-class on the pod template would")
}

test_a_name_that_is_no_class if {
	first(pod({"headroom.dev/workload-class": "bach"}, [{}])).weaker == ["\"bach\" is no class; perhaps batch was meant."]
	first(pod({"headroom.dev/workload-class": 5}, [{}])).weaker == [concat(" ", [
		"5 is no class;",
		"classes are batch, cron, latency-sensitive, multi-tenant, sidecar.",
	])]
}

test_a_value_that_is_no_text_would_say_nothing if {
	every other in [5, null, ["batch"], "cron"] {
		given := cron_job({"headroom.dev/workload-class": other}, {"headroom.dev/workload-class": "cron"})
		first(given).weaker == ["Owner kind CronJob would say cron."]
	}
}

test_a_name_that_is_near_no_class if {
	first(pod({"headroom.dev/workload-class": "zzzzzzzzzzzz"}, [{}])).weaker == [concat(" ", [
		"\"zzzzzzzzzzzz\" is no class;",
		"classes are batch, cron, latency-sensitive, multi-tenant, sidecar.",
	])]
}
