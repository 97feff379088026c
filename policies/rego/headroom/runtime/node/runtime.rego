# METADATA
# title: Node.js
# description: Node.js, whose libuv has a pool of threads. Shown by the annotation, or by the size of that pool.
package headroom.runtime.node

import data.headroom.runtime.workers

# libuv's pool reads files, resolves names, compresses and encrypts; it has 4 threads by itself, which
# most programs leave idle.
about := {
	"aliases": ["nodejs"],
	"words": "Node.js",
	"rank": 4,
	"threads": {"UV_THREADPOOL_SIZE": 4},
}

found := workers.found("node")
