# METADATA
# title: Envoy
# description: |
#   Envoy itself; what an agent starts, as in Istio's sidecar, sizes it by itself. Shown by the annotation, by the
#   command or by the image. --concurrency is its worker threads, without it one for each thread of the node (R54).
package headroom.runtime.envoy

import data.headroom.cpu
import data.headroom.serving

about := {
	"words": "Envoy",
	"follows": "--concurrency %v",
	"images": ["envoyproxy/envoy", "envoyproxy/envoy-distroless", "bitnami/envoy"],
	"starts": ["envoy"],
}

found := serving.found("envoy")

# counters are the worker threads that an option sets. The default has come to look at quotas, from release to release.
counters := [{
	"c": server.c,
	"sure": true,
	"path": said.path,
	"text": sprintf("Envoy runs %s worker threads (--concurrency %s)", [said.text, said.text]),
	"count": to_number(said.text),
	"expected": sprintf("--concurrency %v, limits.cpu rounded up", [cpu.cores[server.c.id]]),
} |
	some server in serving.of("envoy")
	server.c.role != "init"
	said := serving.option(server, ["--concurrency"])
	regex.match(`^[1-9][0-9]{0,3}$`, said.text)
]
