# METADATA
# title: Node.js
# description: Node.js, whose libuv has a pool of threads. Shown by the annotation, or by the size of that pool.
package headroom.runtime.node

import data.headroom.runtime.workers

# libuv's pool reads files, resolves names, compresses and encrypts; its default of 4 is not
# judged, since most programs leave it idle.
about := {
	"aliases": ["nodejs"],
	"words": "Node.js",
	"rank": 4,
	"threads": ["UV_THREADPOOL_SIZE"],
}

found := workers.found("node")
