package headroom.search_test

import data.headroom.detail
import data.headroom.main as decision

# Some malformed value stands in every place that the policies read. The result must be
# there, whatever the input is: undefined would look like no findings.
_wrong := [null, true, 0, -1.5, "", "a", [], [null], ["a", 1, {}], {}, {"a": null}]

_total(given) if {
	[result, details] := [decision.result, detail.result] with input as given
	object.keys(result) == {"findings", "exempted", "skipped", "objects"}
	every list in result {
		is_array(list)
	}

	# Every container has its details, whatever is wrong with it.
	count(details) == sum([count(object.containers) | some object in result.objects])
}

_full := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": "a", "namespace": "b", "annotations": {}, "ownerReferences": []},
	"spec": {"template": {
		"metadata": {"annotations": _annotations, "labels": {}},
		"spec": {
			"resources": {"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}},
			"nodeSelector": {"kubernetes.io/os": "linux"},
			"os": {"name": "linux"},
			"containers": [{
				"name": "app",
				"image": "eclipse-temurin:21",
				"command": ["sh", "-c", "exec java $JAVA_OPTS -jar app.jar"],
				"args": ["-Xmx1g"],
				"env": [
					{"name": "JAVA_OPTS", "value": "-Xmx512m -XX:+UseG1GC"},
					{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}},
					{"name": "WEB_CONCURRENCY", "value": "4"},
					{"name": "GOMAXPROCS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
				],
				"envFrom": [{"configMapRef": {"name": "c"}}, {"secretRef": {"name": "s"}}],
				"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}},
			}],
			"initContainers": [{"name": "proxy", "restartPolicy": "Always", "resources": {}}],
			"ephemeralContainers": [{"name": "debug"}],
		},
	}},
}

_annotations := {
	"headroom.dev/workload-class": "batch",
	"class.headroom.dev/proxy": "sidecar",
	"cpu-average.headroom.dev/app": "1",
	"cpu-peak.headroom.dev/app": "2",
	"memory-peak.headroom.dev/app": "1Gi",
	"headroom.dev/cpu-average": "1",
	"headroom.dev/cpu-allocation": "4",
	"headroom.dev/cpu-pinning": "static",
	"runtime.headroom.dev/app": "jvm",
	"jvm.headroom.dev/app": "version=17 threads=200 native=100Mi classes=20000 pause=20ms",
	"cores-per-worker.headroom.dev/app": "2",
	"inject.headroom.dev/app": "metaspace",
	"ignore.headroom.dev/HR202": "until=2027-01-31; known",
	"kubectl.kubernetes.io/default-container": "app",
}

# Every field above, as JSON pointers. The Go test of the engine breaks each in every way;
# here each takes one of the wrong values in turn, and null.
_places := [concat("/", array.concat([""], [_step(step) | some step in path])) | walk(_full, [path, _]); path != []]

_step(step) := replace(step, "/", "~1") if is_string(step)

_step(step) := sprintf("%d", [step]) if is_number(step)

test_total_with_every_field_broken if {
	count(_places) > 80
	every i, place in _places {
		every wrong in {null, _wrong[i % 11]} {
			_total(json.patch(_full, [{"op": "replace", "path": place, "value": wrong}]))
		}
	}
}

_measured := {
	"source": "Prometheus",
	"window_seconds": 604800,
	"samples": 10080,
	"age_seconds": 40,
	"cpu_average": "1",
	"cpu_peak": "2",
	"memory_peak": "1Gi",
	"periods": 100,
	"throttled": 10,
	"throttled_seconds": 1.5,
	"oom_kills": 1,
	"restarts": 1,
}

test_total_with_every_context_broken if {
	every wrong in _wrong {
		review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": _full}
		every name in ["namespaces", "limit_ranges", "resource_quotas", "config_maps", "owners"] {
			_total(object.union(review, {"context": {name: wrong}}))
			_total(object.union(review, {"context": {name: [{"metadata": wrong, "spec": wrong, "data": wrong, "kind": wrong}]}}))
		}
		_total(object.union(review, {"context": wrong, "prefix": wrong, "namespace": wrong}))
		_total(object.union(review, {"context": {"measured": wrong}}))
		_total(object.union(review, {"context": {"measured": {"app": wrong, "proxy": _measured}}}))
		_total(object.union(review, {"context": {"measured": {"app": {key: wrong | some key, _ in _measured}}}}))
		every key in ["allow-ignore", "allowed-classes", "default-class", "cpu-allocation"] {
			namespace := {"metadata": {"annotations": {concat("", ["headroom.dev/", key]): wrong}}}
			_total(object.union(review, {"context": {"namespaces": [namespace]}}))
		}
	}
}
