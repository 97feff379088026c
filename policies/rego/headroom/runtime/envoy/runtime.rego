# METADATA
# title: Envoy
# description: |
#   Envoy itself; what an agent starts, as in Istio's sidecar, sizes it by itself. Shown by the annotation, by the
#   command or by the image. --concurrency is its worker threads; without it, releases before 1.40 start one for each
#   thread of the node, whatever the quota is (R54).
package headroom.runtime.envoy

import data.headroom.cpu
import data.headroom.images
import data.headroom.registry
import data.headroom.serving

about := {
	"words": "Envoy",
	"follows": "--concurrency %v",
	"images": array.concat(
		["envoyproxy/envoy", "envoyproxy/envoy-distroless", "bitnami/envoy"],
		[image | some image, _ in _agents],
	),
	"starts": ["envoy"],
}

found := serving.found("envoy")

# counters are the worker threads that an option sets, and those of a release that counts the node's.
counters := array.concat(_set, array.concat(_of_the_node, _of_agents))

_set := [_counter(server.c, said.path, text, to_number(said.text)) |
	some server in serving.servers("envoy")
	server.c.role != "init"
	said := serving.option(server, ["--concurrency"])
	regex.match(`^[1-9][0-9]{0,3}$`, said.text)
	text := sprintf("Envoy runs %s worker threads (--concurrency %s)", [said.text, said.text])
]

_of_the_node := [_counter(server.c, array.concat(server.c.path, ["image"]), text, 0) |
	some server in serving.servers("envoy")
	server.c.role != "init"
	not _sized(server)
	minor := _release(server.c)
	minor < _looks_at_quotas(server)
	text := sprintf("Envoy 1.%v starts a worker thread for each core of the node (no --concurrency)", [minor])
]

_counter(c, path, text, number) := {
	"c": c,
	"sure": true,
	"path": path,
	"text": text,
	"count": number,
	"expected": sprintf("--concurrency %v (limits.cpu rounded up)", [cpu.cores[c.id]]),
}

_sized(server) if {
	some [word, _] in server.words
	startswith(word, "--concurrency")
}

# What a variable holds may be the option.
_sized(server) if {
	some field in ["command", "args"]
	some text in server.c.raw[field]
	is_string(text)
	contains(text, "$")
}

# The first minor release of 1 that counts the quota's cores: with --cpuset-threads 1.37 does.
_looks_at_quotas(server) := 37 if "--cpuset-threads" in {word | some [word, _] in server.words}

else := 40

# _release is the minor release that the tag of an image of Envoy's own publishers says: distroless-v1.34.1.
_release(c) := to_number(minor) if {
	registry.imaged[c.id].name == "envoy"
	not _kind(c)
	tag := images.reference(c.raw.image).tag
	minor := regex.find_all_string_submatch_n(`^(?:[a-z]+-)*v?1\.([0-9]{1,3})(?:[.-].*)?$`, tag, 1)[0][1]
}
