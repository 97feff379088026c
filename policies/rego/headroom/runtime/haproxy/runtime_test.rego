package headroom.runtime.haproxy_test

import data.headroom.runtime.haproxy
import data.headroom.runtimes

pod(container, text) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
		"containers": [object.union({"name": "app", "resources": {"limits": {"cpu": "1"}}}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	}},
	"context": {"config_maps": [{"metadata": {"name": "conf"}, "data": {"haproxy.cfg": text}}]},
}

at(folder) := {"image": "haproxy:3", "volumeMounts": [{"name": "conf", "mountPath": folder}]}

counts(container, text) := [counter.count | some counter in found] if {
	found := haproxy.counters with input as pod(container, text)
}

test_threads if {
	every case in [
		[at("/usr/local/etc/haproxy"), "frontend a\n", [0]],
		[at("/usr/local/etc/haproxy"), "global\n  nbthread 8 # many\nfrontend a\n", [8]],
		[at("/usr/local/etc/haproxy"), "global\n  cpu-map 1 1\nfrontend a\n", []],
		[at("/usr/local/etc/haproxy"), "# not a configuration", []],
		[at("/conf"), "frontend a\n", []],
		[object.union(at("/conf"), {"args": ["-f", "/conf/haproxy.cfg"]}), "frontend a\n", [0]],
		[{"image": "haproxy:3"}, "frontend a\n", []],
	] {
		[container, text, want] := case
		counts(container, text) == want
	}
	runtimes.running[0].name == "haproxy" with input as pod(at("/conf"), "")
}
