package headroom.runtime.beam_watermark_test

import data.headroom.runtime.beam

pod(container, volumes) := {"apiVersion": "v1", "kind": "Pod", "spec": {"volumes": volumes, "containers": [object.union(
	{"name": "app", "image": "rabbitmq:4", "resources": {"limits": {"memory": "1Gi"}}},
	container,
)]}}

sizes(container) := [term.bytes | some term in found[_].terms] if {
	found := beam.ceilings with input as pod(container, [])
}

marked(text) := {"env": [{"name": "RABBITMQ_VM_MEMORY_HIGH_WATERMARK", "value": text}]}

test_variable if {
	sizes(marked("2GB")) == [2000000000]
	sizes(marked("512MiB")) == [536870912]
	sizes(marked("1073741824")) == [1073741824]
	sizes(marked("0.6")) == []
	sizes(marked("0")) == []
	sizes(marked("many")) == []
	sizes({}) == []
}

test_file if {
	review := {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": pod(
			{"volumeMounts": [{"name": "config", "mountPath": "/etc/rabbitmq/rabbitmq.conf", "subPath": "rabbitmq.conf"}]},
			[{"name": "config", "configMap": {"name": "rabbit"}}],
		),
		"context": {"config_maps": [{
			"kind": "ConfigMap",
			"metadata": {"name": "rabbit"},
			"data": {"rabbitmq.conf": "# memory\nvm_memory_high_watermark.absolute = 4GB\n"},
		}]},
	}
	found := beam.ceilings with input as review
	found[0].terms[0].bytes == 4000000000
	found[0].path == ["spec", "containers", 0, "image"]
}
