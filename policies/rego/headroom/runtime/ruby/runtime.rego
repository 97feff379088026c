# METADATA
# title: Ruby
# description: Ruby's servers, whose workers are processes. Shown by the annotation, or by a server.
package headroom.runtime.ruby

import data.headroom.runtime.workers

about := {
	"words": "Ruby",
	"rank": 3,
	"programs": [
		{"name": "unicorn", "options": [], "variables": ["UNICORN_WORKER_PROCESSES", "WEB_CONCURRENCY"]},
		{"name": "puma", "options": ["--workers", "-w"], "variables": ["PUMA_WORKERS", "WEB_CONCURRENCY"]},
	],
}

found := workers.found("ruby")
