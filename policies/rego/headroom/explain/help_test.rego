package headroom.explain_test

import data.headroom.explain

# pod is a Pod with these annotations and containers.
pod(annotations, containers) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "cart", "annotations": annotations},
	"spec": {"containers": containers},
}

around(object, context) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": object,
	"namespace": "news",
	"context": context,
}

# first is the explanation of the first container.
first(given) := found if {
	found := explain.result[0] with input as given
}

# java is a JVM with these flags on its command line.
java(flags, resources) := {
	"name": "app",
	"image": "registry.example.com/cart:1",
	"command": array.concat(array.concat(["java"], flags), ["-jar", "cart.jar"]),
	"resources": resources,
}

# set is a JVM with these flags in JAVA_TOOL_OPTIONS.
set(flags, resources) := object.union(java([], resources), {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}]})

memory(limit) := {"requests": {"cpu": "1", "memory": limit}, "limits": {"memory": limit}}

both(cpu, limit) := {"requests": {"cpu": cpu, "memory": limit}, "limits": {"cpu": cpu, "memory": limit}}

batch := {"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "1"}

jvm(annotations, container) := first(pod(object.union(batch, annotations), [container]))

# counted is that with numbers where too much of the budget is assumed for lint to say one: the arithmetic itself.
counted(annotations, container) := found if {
	found := jvm(annotations, container) with explain.guessed as false
}

facts(text) := {"jvm.headroom.dev/app": text}
