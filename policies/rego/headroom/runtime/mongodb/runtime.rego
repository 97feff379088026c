# METADATA
# title: MongoDB
# description: |
#   MongoDB. Shown by the annotation, by the command or by the image. WiredTiger's cache is half of the memory above
#   1 GiB, and looks at the container's limit from some release on, unless it is told a size (R68).
package headroom.runtime.mongodb

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.images
import data.headroom.nodes
import data.headroom.serving

about := {
	"aliases": ["mongo"],
	"words": "MongoDB",
	"images": [
		"mongo", "bitnami/mongodb", "bitnamilegacy/mongodb", "mongodb/mongodb-community-server",
		"percona/percona-server-mongodb",
	],
	"starts": ["mongod"],
	"variables": ["MONGODB_EXTRA_FLAGS"],
}

found := serving.found("mongodb")

# MongoDB's own default is half of what it has (R68).
_share := 0.5

# ceilings are the caches that somebody sized.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": said.path,
	"terms": [{"text": sprintf("WiredTiger's cache of %v MiB", [ceiling.mib(bytes)]), "bytes": bytes, "sure": true}],
	"before": "WiredTiger evicts a page",
	"expected": sprintf("--wiredTigerCacheSizeGB of at most %v (half of limits.memory), or limits.memory of %s", [
		round(ceiling.room(server.c.memory_limit, _share, 0) / 10.24) / 100,
		ceiling.limit_for(bytes, _share),
	]),
} |
	some server in serving.servers("mongodb")
	said := _said(server)
	regex.match(`^[0-9]{1,6}(?:\.[0-9]{1,6})?$`, said.text)
	bytes := round(to_number(said.text) * 1073741824)
]

_options := ["--wiredTigerCacheSizeGB"]

_said(server) := serving.option(server, _options) if {
	serving.option(server, _options)
} else := found if {
	found := serving.option({"words": serving.variable_words(server.c, "MONGODB_EXTRA_FLAGS")}, _options)
} else := {"text": lines[0][1], "path": array.concat(server.c.path, ["volumeMounts"])} if {
	lines := regex.find_all_string_submatch_n(_line, serving.file(server.c, _file(server)), -1)
}

_file(server) := serving.option(server, ["--config", "-f"]).text if {
	serving.option(server, ["--config", "-f"])
} else := "/opt/bitnami/mongodb/conf/mongodb.conf"

# storage.wiredTiger.engineConfig.cacheSizeGB, which stands nowhere else.
_line := `(?m)^[ ]+cacheSizeGB:[ ]*([^\s#]+)`

# refused are caches that a release makes of the node's memory, as it does not look at the limit (R68).
refused := [{
	"c": server.c,
	"path": array.concat(server.c.path, ["image"]),
	"message": sprintf("%s: WiredTiger's cache may grow to half of the node's memory.", [_blind(server)]),
	"why": sprintf("The container is OOMKilled at %v MiB before a page is evicted.", [ceiling.mib(server.c.memory_limit)]),
	"expected": sprintf("--wiredTigerCacheSizeGB of %v (half of limits.memory), or a release from 4.4.14 on", [
		max([0.25, round(ceiling.room(server.c.memory_limit, _share, 0) / 10.24) / 100]),
	]),
	"percent": 50,
} |
	some server in serving.servers("mongodb")
	server.image != ""
	server.c.memory_limit > 0
	not _said(server)
	not _reads_a_file(server)
	environment.hidden(server.c) == []
	environment.setting(server.c, "MONGODB_EXTRA_FLAGS").state in {"absent", "literal"}
	not _node_is_small(server.c)
]

_blind(server) := sprintf("MongoDB %v.%v does not look at the memory limit", [feature, minor]) if {
	[feature, minor, _] := _release(server)
	[feature, minor] < [3, 6]
} else := sprintf("MongoDB %v.%v looks at no limit of cgroup v2", [feature, minor]) if {
	[feature, minor, patch] := _release(server)
	[feature, minor, patch] < [4, 4, 14]
}

# A tag without a patch has the last one of 4.4.
_release(server) := [to_number(n) | some n in [groups[1], groups[2], "99"]] if {
	groups := _tag_of(server)
	groups[3] == ""
} else := [to_number(n) | some n in array.slice(_tag_of(server), 1, 4)]

_tag_of(server) := regex.find_all_string_submatch_n(
	`^v?([1-9][0-9]?)\.([0-9]{1,2})(?:\.([0-9]{1,3}))?(?:$|[-_])`,
	images.reference(server.c.raw.image).tag, 1,
)[0]

_reads_a_file(server) if serving.option(server, ["--config", "-f"])

_reads_a_file(server) if serving.covered(server.c, _file(server))

_node_is_small(c) if {
	nodes.declared.memory > 0
	(nodes.declared.memory - 1073741824) / 2 < c.memory_limit
}
