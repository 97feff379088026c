package headroom.rules.classification["annotation-invalid"]

import data.headroom.registry
import data.headroom.workload

# entries are headroom's annotations: {key, domain, name, value, reads}, where
# class.headroom.dev/app has the domain "class." and the name "app", headroom.dev/applied
# the domain "". reads is how its value is read, null for a key that means nothing here.
entries := [{"key": key, "domain": domain, "name": name, "value": value, "reads": _reads(domain, name)} |
	some key, value in workload.annotations
	[domain, name] := split(key, "headroom.dev/")
	_headroom_domain(domain)
]

_headroom_domain("") := true

_headroom_domain(domain) if endswith(domain, ".")

_reads("", name) := object.get(_readers, name, null)

_reads(domain, _) := object.get(_readers, domain, null) if domain != ""

# Keys of headroom on a workload, and how the value of each is read; "" where another rule
# reads it. Keys with a point are followed by headroom.dev and a name.
_on_workloads := object.union(_of_runtimes, {
	"applied": "",
	"class.": "",
	"cores-per-worker.": "cores",
	"cpu-allocation": "cpu",
	"cpu-average": "cpu",
	"cpu-average.": "cpu",
	"cpu-peak.": "cpu",
	"cpu-pinning": "pinning",
	"ignore.": "exemption",
	"inject.": "caps",
	"measured.": "dated",
	"memory-peak.": "memory",
	"runtime.": "runtime",
	"workload-class": "",
})

# A runtime may have an annotation for its facts: jvm.headroom.dev/app.
_of_runtimes := {concat("", [name, "."]): "facts" | some name, _ in registry.annotated}

container_domains := object.keys(_of_runtimes) | {
	"class.",
	"cores-per-worker.",
	"cpu-average.",
	"cpu-peak.",
	"inject.",
	"measured.",
	"memory-peak.",
	"runtime.",
}

_on_namespaces := {
	"allow-ignore": "rules",
	"allowed-classes": "classes",
	"cpu-allocation": "cpu",
	"default-class": "",
}

_readers := _on_workloads if not _namespace

_readers := _on_namespaces if _namespace

_namespace if workload.kind == "Namespace"
