package headroom.runtime.mongodb_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.mongodb
import data.headroom.runtimes

# sizes are the terms of what may be taken, in MiB.
sizes(container, text) := [floor(term.bytes / 1048576) | some term in found[_].terms] if {
	found := mongodb.ceilings with input as reviews.with_file(container, text)
}

cases := [
	[{"image": "mongo:7", "args": ["--wiredTigerCacheSizeGB", "2"]}, [2048]],
	[{"command": ["mongod", "--wiredTigerCacheSizeGB=0.5"]}, [512]],
	[
		{"image": "bitnami/mongodb:7", "env": [{"name": "MONGODB_EXTRA_FLAGS", "value": "--wiredTigerCacheSizeGB=2"}]},
		[2048],
	],
	[{"command": ["mongod", "--wiredTigerCacheSizeGB", "2G"]}, []],
	[{"image": "mongo:7"}, []],
	[{"image": "mongo:7", "command": ["mongosh", "--wiredTigerCacheSizeGB=2"]}, []],
]

test_sizes if {
	every case in cases {
		[container, want] := case
		sizes(container, "") == want
	}
}

shown := [
	[{"image": "mongo:7"}, "mongodb"],
	[{"command": ["mongod"]}, "mongodb"],
	[{"image": "mongo-express"}, ""],
]

test_found if {
	every case in shown {
		[container, want] := case
		running := runtimes.running[0].name with input as reviews.with_file(container, "")
		running == want
	}
}

in_yaml := "storage:\n  wiredTiger:\n    engineConfig:\n      cacheSizeGB: 2 # half\n"

files := [
	[{"image": "mongo:7", "args": ["--config", "/conf/app.conf"]}, in_yaml, [2048]],
	[{"image": "mongo:7", "args": ["-f", "/conf/app.conf", "--wiredTigerCacheSizeGB=1"]}, in_yaml, [1024]],
	[{"image": "mongo:7", "args": ["--config", "/etc/app.conf"]}, in_yaml, []],
	[{"image": "mongo:7"}, in_yaml, []],
	[{"image": "mongo:7", "args": ["--config", "/conf/app.conf"]}, "net:\n  port: 27017\n", []],
]

test_files if {
	every case in files {
		[container, text, want] := case
		mounted := object.union(container, {"volumeMounts": [{"name": "conf", "mountPath": "/conf"}]})
		sizes(mounted, text) == want
	}
	bitnami := {"image": "bitnami/mongodb:7", "volumeMounts": [{
		"name": "conf",
		"mountPath": "/opt/bitnami/mongodb/conf/mongodb.conf",
		"subPath": "app.conf",
	}]}
	sizes(bitnami, in_yaml) == [2048]
}
