package headroom.rules.classification["class-not-on-template_test"]

import data.headroom.rules.classification["class-not-on-template"] as rule

_deployment(on_workload, on_template) := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"annotations": on_workload},
	"spec": {"template": {"metadata": {"annotations": on_template}, "spec": {"containers": [{"name": "app"}]}}},
}

_batch := {"headroom.dev/workload-class": "batch"}

_reported(given) := [f | some f in rule.report with input as given]

test_a_class_that_the_template_lacks if {
	_reported(_deployment(_batch, {})) == [{
		"container": "",
		"path": ["spec", "template", "metadata", "annotations", "headroom.dev/workload-class"],
		"message": concat(" ", [
			`headroom.dev/workload-class is "batch" on the Deployment, but not on its pod template:`,
			"its Pods do not get the class.",
		]),
		"expected": "headroom.dev/workload-class: batch on the pod template",
		"fix": [{
			"change": "set",
			"path": ["spec", "template", "metadata", "annotations", "headroom.dev/workload-class"],
			"value": "batch",
		}],
	}]
	count(_reported(_deployment({"class.headroom.dev/app": "batch"}, _batch))) == 1
}

test_a_cron_job_s_template_is_deeper if {
	[f] := _reported({
		"apiVersion": "batch/v1",
		"kind": "CronJob",
		"metadata": {"annotations": _batch},
		"spec": {"jobTemplate": {"metadata": {"annotations": _batch}, "spec": {"template": {}}}},
	})
	f.path == ["spec", "jobTemplate", "spec", "template", "metadata", "annotations", "headroom.dev/workload-class"]
}

test_classes_that_differ if {
	[f] := _reported(_deployment(_batch, {"headroom.dev/workload-class": "cron"}))
	f.path == ["metadata", "annotations", "headroom.dev/workload-class"]
	contains(f.message, `is "batch" on the Deployment, but "cron" on its pod template: its Pods`)
	object.get(f, "fix", []) == []
}

test_what_is_right if {
	_reported(_deployment(_batch, _batch)) == []
	_reported(_deployment({}, _batch)) == []
	_reported(_deployment({"headroom.dev/cpu-average": "1"}, {})) == []
	_reported({"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": _batch}}) == []
	_reported({"apiVersion": "v1", "kind": "Namespace", "metadata": {"annotations": _batch}}) == []
	_reported({"apiVersion": "v1", "kind": "Service", "metadata": {"annotations": _batch}}) == []
}

# HR105 speaks of a value that is no text.
test_values_that_are_no_text if {
	every wrong in [null, 5, {}, []] {
		_reported(_deployment({"headroom.dev/workload-class": wrong}, {})) == []
	}
}
