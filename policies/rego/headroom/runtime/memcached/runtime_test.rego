package headroom.runtime.memcached_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.memcached
import data.headroom.runtimes

# sizes are the terms of what may be taken, in MiB.
sizes(container, text) := [floor(term.bytes / 1048576) | some term in found[_].terms] if {
	found := memcached.ceilings with input as reviews.with_file(container, text)
}

cases := [
	[{"image": "memcached:1.6", "args": ["-m", "2048"]}, [2048]],
	[{"image": "memcached:1.6", "args": ["-m2048"]}, [2048]],
	[{"command": ["memcached", "--memory-limit=100"]}, [100]],
	[{"image": "memcached:1.6"}, [64]],
	[{"image": "bitnami/memcached:1", "env": [{"name": "MEMCACHED_CACHE_SIZE", "value": "512"}]}, [512]],
	[{"command": ["memcached", "-m", "many"]}, []],
	[{"image": "memcached:1.6", "command": ["sleep"]}, []],
]

test_sizes if {
	every case in cases {
		[container, want] := case
		sizes(container, "") == want
	}
}

shown := [
	[{"image": "memcached:1.6"}, "memcached"],
	[{"image": "memcached:1.6", "args": ["-c", "100"]}, "memcached"],
	[{"image": "quay.io/prometheus/memcached-exporter"}, ""],
]

test_found if {
	every case in shown {
		[container, want] := case
		running := runtimes.running[0].name with input as reviews.with_file(container, "")
		running == want
	}
}
