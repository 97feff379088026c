# METADATA
# title: Node.js
# description: |
#   Node.js, whose V8 has a heap with a bound of its own and whose libuv has a pool of threads. Shown by the
#   annotation, by the command, by the official image, by NODE_OPTIONS or by the size of that pool.
package headroom.runtime.node

import data.headroom.environment
import data.headroom.serving
import data.headroom.workers

# libuv's pool reads files, resolves names, compresses and encrypts; it has 4 threads by itself, which
# most programs leave idle.
about := {
	"aliases": ["nodejs"],
	"words": "Node.js",
	"rank": 4,
	"images": ["node"],
	"marks": ["NODE_VERSION"],
	"starts": ["node", "nodejs", "pm2-runtime"],
	"threads": {"UV_THREADPOOL_SIZE": 4},
	"variables": ["NODE_OPTIONS"],
}

found := object.union(serving.found("node"), object.union(workers.found("node"), _set_variables))

_set_variables := {id: {"sure": true, "evidence": "NODE_OPTIONS is set"} |
	some id, present in environment.present
	"NODE_OPTIONS" in present
	not _other(id)
}

# Node.js is in images that start something else, as in a build.
_other(id) if {
	count(workers.started[id]) > 0
	{command.runtime | some command in workers.started[id]} & {"node"} == set()
}
