package headroom.size_test

import data.headroom.size

# use is what was measured of a container for a week.
use := {
	"source": "Prometheus",
	"window_seconds": 604800,
	"seen_seconds": 604800,
	"samples": 2016,
	"age_seconds": 40,
	"cpu_average": "200m",
	"cpu_peak": "600m",
	"memory_peak": "400Mi",
	"periods": 1000,
	"throttled": 0,
	"oom_kills": 0,
	"memory_growth_bytes": 0,
}

review(class, containers, measured) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"metadata": {"name": "cart"},
		"spec": {"template": {
			"metadata": {"annotations": {"headroom.dev/workload-class": class}},
			"spec": {"containers": containers},
		}},
	},
	"context": {"measured": measured},
}

result(given) := found if {
	found := size.result with input as given
}

# of is what a container of a class gets with what was measured of it.
of(class, container, changes) := sized if {
	given := review(class, [object.union({"name": "app"}, container)], {"app": object.union(use, changes)})
	sized := result(given).containers[0]
}

native := {"runtime.headroom.dev/app": "native"}

# declared is a container in a Pod that has more annotations.
declared(annotations, class, container, changes) := sized if {
	plain := review(class, [object.union({"name": "app"}, container)], {"app": object.union(use, changes)})
	patch := [{"op": "add", "path": path, "value": value} |
		some key, value in annotations
		path := sprintf("/object/spec/template/metadata/annotations/%s", [replace(key, "/", "~1")])
	]
	sized := result(json.patch(plain, patch)).containers[0]
}

wanted(sized) := {v.name: v.wanted | some v in sized.values; v.wanted != ""}

limits(cpu, memory) := {"resources": {
	"requests": {"cpu": cpu, "memory": memory},
	"limits": {"cpu": cpu, "memory": memory},
}}

memory(cpu, amount) := {"resources": {
	"requests": {"cpu": cpu, "memory": amount},
	"limits": {"memory": amount},
}}

java(flags, resources) := object.union(
	{"image": "eclipse-temurin:17", "command": array.concat(array.concat(["java"], flags), ["-jar", "cart.jar"])},
	resources,
)

says(texts, words) if {
	some text in texts
	contains(text, words)
}
