package headroom.runtime.redis_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.redis
import data.headroom.runtimes

# sizes are the terms of what may be taken, in MiB.
sizes(container, text) := [floor(term.bytes / 1048576) | some term in found[_].terms] if {
	found := redis.ceilings with input as reviews.with_file(container, text)
}

cases := [
	[{"image": "redis:7", "args": ["--maxmemory", "2gb"]}, [2048]],
	[{"command": ["redis-server", "--maxmemory", "1g"]}, [953]],
	[{"command": ["redis-server", "/conf/none", "--maxmemory", "1048576"]}, [1]],
	[{"command": ["valkey-server", "--maxmemory", "512MB"]}, [512]],
	[{"command": ["redis-server", "--maxmemory", "0"]}, []],
	[{"command": ["redis-server", "--maxmemory", "75%"]}, []],
	[{"command": ["redis-server", "--maxmemory-policy", "noeviction"]}, []],
	[{"image": "bitnami/redis:7", "env": [{"name": "REDIS_EXTRA_FLAGS", "value": "--maxmemory 2gb"}]}, [2048]],
	[{"image": "redis:7", "command": ["redis-cli", "--maxmemory", "2gb"]}, []],
	[{"image": "redis:7"}, []],
]

test_sizes if {
	every case in cases {
		[container, want] := case
		sizes(container, "") == want
	}
}

files := [
	[{"command": ["redis-server", "/conf/app.conf"]}, "port 1\nmaxmemory 2gb\n", [2048]],
	[{"command": ["redis-server", "/conf/app.conf"]}, "# maxmemory 2gb\nmaxmemory-policy allkeys-lru", []],
	[{"command": ["redis-server", "/conf/app.conf", "--maxmemory", "1mb"]}, "maxmemory 2gb", [1]],
	[{"image": "redis:7", "args": ["/conf/app.conf"]}, "maxmemory 2gb", [2048]],
	[{"image": "redis:7", "args": ["cat", "/conf/app.conf"]}, "maxmemory 2gb", []],
]

test_files if {
	every case in files {
		[container, text, want] := case
		mounted := object.union(container, {"volumeMounts": [{"name": "conf", "mountPath": "/conf"}]})
		sizes(mounted, text) == want
	}
}

shown := [
	[{"image": "redis:7"}, "redis"],
	[{"image": "public.ecr.aws/docker/library/redis:7.2"}, "redis"],
	[{"image": "redis:7", "args": ["redis-server"]}, "redis"],
	[{"image": "redis:7", "command": ["redis-cli"]}, ""],
	[{"image": "oliver006/redis_exporter"}, ""],
]

test_found if {
	every case in shown {
		[container, want] := case
		running := runtimes.running[0].name with input as reviews.with_file(container, "")
		running == want
	}
}

threads := [
	[{"image": "redis:7", "args": ["--io-threads", "8"]}, "", [8]],
	[{"command": ["redis-server", "/conf/app.conf"]}, "io-threads 4\nio-threads-do-reads yes\n", [4]],
	[{"command": ["redis-server", "/conf/app.conf"]}, "# io-threads 4", []],
	[{"command": ["redis-server", "--io-threads", "$(N)"]}, "", []],
	[{"command": ["redis-server"]}, "", []],
]

test_threads if {
	every case in threads {
		[container, text, want] := case
		mounted := object.union(container, {"volumeMounts": [{"name": "conf", "mountPath": "/conf"}]})
		found := redis.counters with input as reviews.with_file(mounted, text)
		[counter.count | some counter in found] == want
	}
}
