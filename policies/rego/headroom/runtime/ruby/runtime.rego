# METADATA
# title: Ruby
# description: Ruby's servers, whose workers are processes. Shown by the annotation, or by a server.
package headroom.runtime.ruby

import data.headroom.workers

about := {
	"words": "Ruby",
	"rank": 3,
	"example": "ruby worker=300Mi",
	"marks": ["RUBY_VERSION"],
	"variables": ["RACK_ENV", "RAILS_ENV"],
	"starts": ["rails", "rake", "sidekiq"],
	"programs": [
		{"name": "unicorn", "options": [], "variables": ["UNICORN_WORKER_PROCESSES", "WEB_CONCURRENCY"]},
		{"name": "puma", "options": ["--workers", "-w"], "variables": ["PUMA_WORKERS", "WEB_CONCURRENCY"]},
	],
	# Mastodon's config/puma.rb starts two (R28).
	"told": [{
		"program": "puma",
		"by": `(?:^|/)(?:mastodon|tootsuite)/mastodon(?:[:@]|$)`,
		"variable": "WEB_CONCURRENCY",
		"file": "/opt/mastodon/config/puma.rb",
		"line": `(?m)^[ \t]*workers[ \t(]+([0-9]{1,6})[ \t)]*$`,
		"count": 2,
	}],
}

# The facts of its annotation: what one worker takes of the memory.
fact := workers.fact

found := workers.found("ruby")

ceilings := workers.ceilings("ruby")
