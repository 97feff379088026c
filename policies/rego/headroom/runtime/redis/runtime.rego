# METADATA
# title: Redis and Valkey
# description: |
#   Redis, Valkey and KeyDB. Shown by the annotation, by the command or by the image. maxmemory bounds the
#   data; buffers, fragmentation and a copy that is being saved come on top (R64).
package headroom.runtime.redis

import data.headroom.ceiling
import data.headroom.serving

about := {
	"aliases": ["valkey", "keydb"],
	"words": "Redis or Valkey",
	"images": [
		"redis", "redis/redis-stack-server", "bitnami/redis", "bitnamilegacy/redis", "valkey/valkey", "bitnami/valkey",
		"bitnamilegacy/valkey", "eqalpha/keydb",
	],
	"starts": ["keydb-server", "redis-server", "valkey-server"],
	"variables": ["REDIS_EXTRA_FLAGS", "VALKEY_EXTRA_FLAGS"],
}

found := serving.found("redis")

# What is left is for buffers of clients and replicas, and for fragmentation (R64).
_share := 0.75

# ceilings are the configured sizes of the data; 0 means no ceiling.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": said.path,
	"terms": [{"text": sprintf("maxmemory %v MiB", [ceiling.mib(bytes)]), "bytes": bytes, "sure": true}],
	"before": "Redis evicts or refuses anything",
	"expected": sprintf("maxmemory of at most %vmb (75 %% of limits.memory), or limits.memory of %s", [
		ceiling.room(server.c.memory_limit, _share, 0),
		ceiling.limit_for(bytes, _share),
	]),
} |
	some server in serving.servers("redis")
	said := _said(server)
	bytes := _bytes(said.text)
	bytes > 0
]

_said(server) := serving.option(server, ["--maxmemory"]) if {
	serving.option(server, ["--maxmemory"])
} else := found[0] if {
	found := [said |
		some name in about.variables
		said := serving.option({"words": serving.variable_words(server.c, name)}, ["--maxmemory"])
	]
	count(found) > 0
} else := {"text": lines[count(lines) - 1][1], "path": array.concat(server.c.path, ["volumeMounts"])} if {
	lines := regex.find_all_string_submatch_n(`(?mi)^\s*maxmemory\s+(\S+)`, _file(server), -1)
}

# The first word that is no option is its file.
_file(server) := serving.file(server.c, server.words[0][0]) if not startswith(server.words[0][0], "-")

# Redis's k, m and g are powers of 1000, its kb, mb and gb powers of 1024 (R64).
_bytes(text) := to_number(groups[1]) * _units[lower(groups[2])] if {
	groups := regex.find_all_string_submatch_n(`^([0-9]{1,15})([kKmMgG]?[bB]?)$`, text, 1)[0]
}

_units := {"": 1, "b": 1, "k": 1000, "kb": 1024, "m": 1000000, "mb": 1048576, "g": 1000000000, "gb": 1073741824}
