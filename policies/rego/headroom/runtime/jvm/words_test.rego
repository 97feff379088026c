package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

_cores_text(annotations, measured) := found[0] if {
	review := {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": annotations}, "spec": {"containers": [{
			"name": "app",
			"command": ["java", "-jar", "a.jar"],
			"resources": {"requests": {"cpu": "1"}},
		}]}},
		"context": {"measured": {"app": measured}},
	}
	found := [jvm.cores_text(j) | some j in jvm.jvms] with input as review
}

test_cores_say_who_measured_the_average if {
	entry := {"source": "Prometheus", "samples": 100, "window_seconds": 86400, "cpu_average": "1200m"}
	annotations := {"cpu-average.headroom.dev/app": "2"}
	_cores_text(annotations, entry) == concat("", [
		"twice the average of 1200m, ",
		"measured by Prometheus: 100 samples over 24h, newest 0s old",
	])
	few := object.union(entry, {"samples": 1})
	doubt := "Prometheus has 1 sample, at least 60 are wanted"
	_cores_text(annotations, few) == concat("; ", ["twice the average of 2, measured", doubt])
	_cores_text({}, few) == concat("; ", ["twice the average of 1, taken from the request", doubt])
}
