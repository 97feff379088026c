package headroom.explain_test

import data.headroom.explain

# Each Pod of an object is explained by itself, and what would pass is asked of that Pod alone.
test_an_object_of_several_pods if {
	template := {"spec": {"containers": [{"name": "app", "resources": both("500m", "1Gi")}]}}
	explanations := explain.result with input as {
		"apiVersion": "jobset.x-k8s.io/v1alpha2",
		"kind": "JobSet",
		"metadata": {"name": "a"},
		"spec": {"replicatedJobs": [
			{"template": {"spec": {"template": template}}},
			{"template": {"spec": {"template": template}}},
		]},
	}
	[e.class | some e in explanations] == ["batch", "batch"]
	explanations[1].path == ["spec", "replicatedJobs", 1, "template", "spec", "template", "spec", "containers", 0]
	contains(block(explanations[1]), "memory: 1Gi")
}

# Flags are those of the object's own field.
test_an_object_without_a_pod_template if {
	[kafka] := explain.result with input as {
		"apiVersion": "kafka.strimzi.io/v1beta2",
		"kind": "Kafka",
		"metadata": {"name": "a"},
		"spec": {"kafka": {"resources": both("1", "4Gi"), "jvmOptions": {"-Xmx": "1g"}}},
	}
	kafka.path == ["spec", "kafka"]
	not contains(json.marshal(kafka), "JAVA_TOOL_OPTIONS")
	contains(json.marshal(kafka), "(jvmOptions)")
	contains(block(kafka), "memory: 4Gi")
}
