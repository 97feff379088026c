package headroom.runtime.go

import data.headroom.measured
import data.headroom.workload

# heaps are the limits that Go keeps its memory to in programs that tell how much is live: by container, as for any
# runtime. What the manifest says counts before what the program said then.
heaps := {c.id: heap |
	some c in workload.containers
	measured.runtime_of(c.name).kind == "go"
	heap := _bound(c)
}

_bound(c) := _limit(bytes, "GOMEMLIMIT", path) if {
	some g in gos
	g.c.id == c.id
	g.gomemlimit.bytes > 0
	bytes := g.gomemlimit.bytes
	path := g.gomemlimit.path
} else := _limit(measured.runtime_of(c.name).memory_limit, "GOMEMLIMIT as it says itself", c.path)

_limit(bytes, text, path) := {
	"bytes": bytes,
	"text": text,
	"path": path,
	"larger": "GOMEMLIMIT=%vMiB",
	"share": 1,
}
