package main_test

import data.main

_sample := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "cart", "annotations": {"headroom.dev/workload-class": "latency-sensitive"}},
	"spec": {"containers": [{
		"name": "app",
		"image": "registry.example/cart:1",
		"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}},
	}]},
}

# The policies themselves, on an input as conftest hands it on.
test_a_document_is_judged if {
	denied := main.deny with input as _sample
	[entry.rule | some entry in denied] == ["HR202"]
}
