package headroom.runtime.go

import data.headroom.environment
import data.headroom.measured
import data.headroom.workload

# heaps are the limits that Go keeps its memory to in programs that tell how much is live: by container, as for any
# runtime. What the manifest says counts before what the program said then. With GOGC=off nothing is collected until the
# limit is near: only what is live tells something then.
heaps := {c.id: heap |
	some c in workload.containers
	measured.runtime_of(c.name).kind == "go"
	heap := _bound(c)
	_collects(c)
}

_collects(c) if measured.runtime_of(c.name).live > 0

_collects(c) if lower(environment.setting(c, "GOGC").text) != "off"

_collects(c) if environment.setting(c, "GOGC").state == "absent"

_bound(c) := _limit(bytes, "GOMEMLIMIT", path) if {
	some g in gos
	g.c.id == c.id
	g.gomemlimit.bytes > 0
	bytes := g.gomemlimit.bytes
	path := g.gomemlimit.path
} else := object.union(_limit(pod.memory_limit, "GOMEMLIMIT as it says itself", c.path), {"pod": pod}) if {
	pod := _fullest(c.name)
}

_fullest(name) := pod if {
	pod := measured.of_pod(name, "live_share")
	pod.live
} else := measured.of_pod(name, "floor_share")

_limit(bytes, text, path) := {
	"bytes": bytes,
	"text": text,
	"path": path,
	"said": true,
	"larger": "GOMEMLIMIT=%vMiB",
	"soft": true,
	"share": 1,
}
