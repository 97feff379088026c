package headroom.rules.classification["class-missing_test"]

import data.headroom.rules.classification["class-missing"] as rule

_deployment(annotations, spec) := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"spec": {"template": {"metadata": {"annotations": annotations}, "spec": spec}},
}

_containers(given) := {f.container | some f in rule.report with input as given}

_two := {"containers": [{"name": "app"}, {"name": "other"}], "initContainers": [{"name": "wait"}]}

test_each_container_without_a_class if {
	_containers(_deployment({}, _two)) == {"app", "other"}
	_containers(_deployment({"class.headroom.dev/app": "batch"}, _two)) == {"other"}
	_containers(_deployment({}, {"containers": [{"name": "app"}, {"name": "envoy"}]})) == {"app"}
}

test_what_has_a_class_is_not_reported if {
	_containers(_deployment({"headroom.dev/workload-class": "batch"}, _two)) == set()
	_containers({"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": _two}}}) == set()
	_containers(_deployment({}, _two)) == set() with data.headroom.overrides as {"defaultClass": "batch"}
	_containers(_deployment({}, {})) == set()
}

# HR102 says that, and alone.
test_an_unknown_class_is_no_missing_one if {
	_containers(_deployment({"headroom.dev/workload-class": "bach"}, _two)) == set()
}

test_the_path_is_where_the_annotation_would_stand if {
	[f] := [f | some f in rule.report with input as _deployment({}, {"containers": [{"name": "app"}]})]
	f.path == ["spec", "template", "metadata", "annotations", "headroom.dev/workload-class"]
	f.message == "Class not set: CPU limits were not checked."
	f.expected == concat(" ", [
		"annotation headroom.dev/workload-class on the pod template:",
		"one of batch, cron, latency-sensitive, multi-tenant, sidecar",
	])
	f.figures == {"labels": {}}
}

test_a_suggestion_comes_first if {
	named := object.union(_deployment({}, {"containers": [{"name": "app"}]}), {"metadata": {"name": "mail-worker"}})
	[f] := [f | some f in rule.report with input as named]
	f.expected == concat(" ", [
		"annotation headroom.dev/workload-class on the pod template:",
		"batch (it is named like a queue consumer, and no Service leads to it)",
	])
	f.figures == {
		"suggested_class": "batch",
		"evidence": "it is named like a queue consumer, and no Service leads to it",
		"sure": false,
		"labels": {},
	}
}
