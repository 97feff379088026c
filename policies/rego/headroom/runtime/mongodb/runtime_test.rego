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

# refused has what is said of a release that does not look at the limit, and what is advised.
refused(container) := [[bound.message, bound.expected] | some bound in found] if {
	found := mongodb.refused with input as reviews.with_file(container, "")
}

blind := [
	[{"image": "mongo:3.2"}, "MongoDB 3.2 does not look at the memory limit: WiredTiger's"],
	[{"image": "mongo:4.2.24"}, "MongoDB 4.2 looks at no limit of cgroup v2: WiredTiger's"],
	[{"image": "mongo:4.2-bionic"}, "MongoDB 4.2 looks at no limit of cgroup v2: WiredTiger's"],
	[{"image": "bitnami/mongodb:4.4.13-debian-10-r30"}, "MongoDB 4.4 looks at no limit of cgroup v2: WiredTiger's"],
	[{"image": "mongo:4.4.14"}, ""],
	[{"image": "mongo:4.4"}, ""],
	[{"image": "mongo:5.0.6"}, ""],
	[{"image": "mongo"}, ""],
	[{"image": "example.com/db:3.2", "command": ["mongod"]}, ""],
	[{"image": "mongo:3.2", "args": ["--wiredTigerCacheSizeGB=1"]}, ""],
	[{"image": "mongo:3.2", "args": ["--config", "/etc/mongod.conf"]}, ""],
	[{"image": "mongo:3.2", "envFrom": [{"secretRef": {"name": "a"}}]}, ""],
	[
		{
			"image": "bitnami/mongodb:4.2", "volumeMounts": [{
				"name": "conf",
				"mountPath": "/opt/bitnami/mongodb/conf/mongodb.conf",
			}],
		},
		"",
	],
]

test_releases_that_do_not_look if {
	every case in blind {
		[container, want] := case
		limited := object.union(container, {"resources": {"limits": {"memory": "2Gi"}}})
		found := refused(limited)
		count(found) == {true: 0, false: 1}[want == ""]
		every said in found {
			startswith(said[0], want)
			said[1] == "--wiredTigerCacheSizeGB of 1 (half of limits.memory), or a release from 4.4.14 on"
		}
	}
	limited := {"image": "mongo:3.2", "resources": {"limits": {"memory": "2Gi"}}}
	refused(limited) == [] with data.headroom.nodes.declared as {"cpu": 0, "memory": 4294967296}
	count(refused(limited)) == 1 with data.headroom.nodes.declared as {"cpu": 0, "memory": 34359738368}
}
