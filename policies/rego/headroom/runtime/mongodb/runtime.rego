# METADATA
# title: MongoDB
# description: |
#   MongoDB. Shown by the annotation, by the command or by the image. WiredTiger's cache is half of the memory above
#   1 GiB, and looks at the container's limit, unless it is told a size (R68).
package headroom.runtime.mongodb

import data.headroom.ceiling
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
