# What many tests ask the policies about.
package headroom.reviews_test

# of_object is an object, and what stands beside it.
of_object(object, context) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": object,
	"context": context,
}

# of_template is a Deployment with such a pod template, and what stands beside it.
of_template(annotations, spec, context) := of_object(
	{
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"metadata": {"name": "articles"},
		"spec": {"template": {"metadata": {"annotations": annotations}, "spec": spec}},
	},
	context,
)

# of_pod is a Pod, and what stands beside it.
of_pod(annotations, spec, context) := of_object(
	{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "app", "annotations": annotations}, "spec": spec},
	context,
)

# java is a container whose whole command line is visible, its flags in JAVA_TOOL_OPTIONS.
java(limits, flags) := {
	"name": "app",
	"image": "eclipse-temurin:17",
	"command": ["java", "-jar", "app.jar"],
	"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
	"resources": {"requests": {"cpu": "1"}, "limits": limits},
}

# pod has one JVM.
pod(container, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": annotations},
	"spec": {"containers": [object.union(
		{"name": "app", "image": "registry.example.com/app:1", "command": ["java", "-jar", "/app.jar"]},
		container,
	)]},
}

# of_flags is a Pod whose JVM has these flags in JAVA_TOOL_OPTIONS, under a limit of 4Gi and without one of CPU.
of_flags(text, more, annotations) := pod(
	object.union(
		{
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": text}],
			"resources": {"requests": {"cpu": "1"}, "limits": {"memory": "4Gi"}},
		},
		more,
	),
	annotations,
)

# measured is a Pod whose use Prometheus has seen.
measured(annotations, container, seen) := of_pod(
	annotations,
	{"containers": [object.union({"name": "app"}, container)]},
	{"measured": {"app": object.union(
		{"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30},
		seen,
	)}},
)

# with_file is a Pod with a limit of 1Gi, whose volume conf has the file app.conf.
with_file(container, text) := of_pod(
	{},
	{
		"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "1Gi"}}}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	},
	{"config_maps": [{"metadata": {"name": "conf"}, "data": {"app.conf": text}}]},
)
