package headroom.runtime.node

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.images
import data.headroom.measured
import data.headroom.workload

# heaps are the bounds of the old space of programs that tell how full it is, by container: {bytes, text, path, said,
# larger, share}. said is whether the manifest sets the bound. larger is a bound in MiB in words, of which the heap
# takes the share. Several processes have a space each, and which of them tells is not known.
heaps := {c.id: heap |
	some c in workload.containers
	measured.runtime_of(c.name).kind == "node"
	_processes(c.id) == 1
	heap := _bound(c)
}

# narrow are heaps that a release bounds by itself to less than half of the limit: {c, feature, mib}. Several processes
# may share the limit, and one that may start more is left out.
narrow := [{"c": c, "feature": release(c), "mib": heap.bytes / 1048576} |
	some id, _ in found
	c := workload.containers[id]
	c.role != "init"
	count([counter | some counter in counters; counter.c.id == id]) == 0
	heap := _bound(c)
	not heap.said
	not _unread(c)
	not _reads_a_file(c)
	heap.bytes * 2 < c.memory_limit
	heap.bytes > _least_narrow
	not environment.setting(c, "WEB_CONCURRENCY").text
]

# A file may set options: one that Node.js reads, or one that the shell reads before.
_reads_a_file(c) if {
	some word in _said(c)
	regex.match(`^--(?:env-file|experimental-(?:default-)?config-file)`, word)
}

_reads_a_file(c) if {
	some call in images.calls(c)
	count(call.hides) > 0
}

# Of smaller heaps nothing is said: what a small limit has beside them is little.
_least_narrow := 1073741824

_bound(c) := {
	"bytes": said.mib * 1048576,
	"text": said.option,
	"path": said.path,
	"said": true,
	"larger": "--max-old-space-size=%v",
	"share": 1,
} if {
	said := _old_space(c)
} else := {
	"bytes": min([mib.most, max([mib.least, floor((c.memory_limit * mib.share) / 1048576)])]) * 1048576,
	"text": sprintf("the bound that Node.js %v takes under limits.memory", [feature]),
	"path": ceiling.resources(c),
	"said": false,
	"larger": "--max-old-space-size=%v in NODE_OPTIONS",
	"share": 1,
} if {
	not _space(c, `^--max[-_]heap[-_]size=([0-9]{1,9})$`)
	not _unread(c)
	not environment.setting(c, "NODE_OPTIONS").state in {"unknown", "resource"}
	environment.hidden(c) == []
	c.memory_limit > 0
	feature := release(c)
	mib := _own_bound(feature, c.memory_limit)
}

# About half of the limit, from 20 on (R1). From 15 GiB on V8 allows 4 GiB instead of 2. What 24 takes there was not
# measured, nor what 25 and later releases take of more than 4 GiB.
_own_bound(feature, limit) := {"share": 0.512, "least": 259, "most": _most(limit)} if {
	feature >= 20
	feature < 24
}

_own_bound(24, limit) := {"share": 0.547, "least": 259, "most": 2240} if limit < _large

_own_bound(feature, limit) := {"share": 0.547, "least": 259, "most": 2240} if {
	feature > 24
	limit <= 4294967296
}

_most(limit) := 2096 if limit < _large

_most(limit) := 4144 if limit >= _large

_large := 16106127360
