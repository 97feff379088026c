package headroom.runtime.beam_watermark_test

import data.headroom.reviews_test as reviews
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
	review := reviews.of_object(
		pod(
			{"volumeMounts": [{"name": "config", "mountPath": "/etc/rabbitmq/rabbitmq.conf", "subPath": "rabbitmq.conf"}]},
			[{"name": "config", "configMap": {"name": "rabbit"}}],
		),
		{"config_maps": [{
			"kind": "ConfigMap",
			"metadata": {"name": "rabbit"},
			"data": {"rabbitmq.conf": "# memory\nvm_memory_high_watermark.absolute = 4GB\n"},
		}]},
	)
	found := beam.ceilings with input as review
	found[0].terms[0].bytes == 4000000000
	found[0].path == ["spec", "containers", 0, "image"]
}

configured(text) := reviews.of_object(
	pod(
		{"volumeMounts": [{"name": "config", "mountPath": "/etc/rabbitmq/conf.d"}]},
		[{"name": "config", "configMap": {"name": "rabbit"}}],
	),
	{"config_maps": [{"metadata": {"name": "rabbit"}, "data": {"20-mem.conf": text}}]},
)

shares(review) := [[share.percent, share.severity] | some share in found] if {
	found := beam.refused with input as review
}

test_shares_of_what_it_sees if {
	shares(configured("vm_memory_high_watermark.relative = 0.7")) == [[70, "warning"]]
	shares(configured("vm_memory_high_watermark.relative = 0.7 # much")) == [[70, "warning"]]
	shares(configured("vm_memory_high_watermark.relative = 0")) == []
	shares(configured("vm_memory_high_watermark.absolute = 600MB")) == []
	shares(configured(concat("\n", [
		"vm_memory_high_watermark.relative = 0.7",
		"total_memory_available_override_value = 1GB",
	]))) == []
	shares(configured("listeners.tcp.default = 5672")) == []
	shares(pod(marked("0.6"), [])) == [[60, "warning"]]
	shares(pod(marked("512MiB"), [])) == []
	shares(pod({}, [])) == [[60, "info"]]
	shares(pod({"image": "rabbitmq:3.12-management"}, [])) == [[40, "info"]]
	shares(pod({"volumeMounts": [{"name": "config", "mountPath": "/etc/rabbitmq"}]}, [])) == []
	shares(pod({"envFrom": [{"secretRef": {"name": "a"}}]}, [])) == []
	shares(pod({"resources": null}, [])) == []
}
