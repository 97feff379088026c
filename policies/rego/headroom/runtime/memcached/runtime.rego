# METADATA
# title: memcached
# description: |
#   memcached. Shown by the annotation, by the command or by the image. -m bounds the items; the hash table and
#   connections come on top (R66).
package headroom.runtime.memcached

import data.headroom.ceiling
import data.headroom.serving

about := {
	"words": "memcached",
	"images": ["memcached", "bitnami/memcached", "bitnamilegacy/memcached"],
	"starts": ["memcached"],
	"variables": ["MEMCACHED_CACHE_SIZE"],
}

found := serving.found("memcached")

# What is left is for the hash table and connections (R66).
_share := 0.8

_default := {"text": "64", "path": []}

# ceilings are the sizes of all, also of those that keep the default of 64 MiB.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": _path(server, said),
	"terms": [{
		"text": sprintf("memcached's items may take %v MiB (-m %s)", [mib, said.text]),
		"bytes": bytes,
		"sure": true,
	}],
	"before": "memcached evicts an item",
	"expected": sprintf("-m %v (80 %% of limits.memory), or limits.memory of %s", [
		ceiling.room(server.c.memory_limit, _share, 0),
		ceiling.limit_for(bytes, _share),
	]),
} |
	some server in serving.servers("memcached")
	said := _said(server)
	regex.match(`^[1-9][0-9]{0,8}$`, said.text)
	mib := to_number(said.text)
	bytes := mib * 1048576
]

_path(_, said) := said.path if said.path != []

_path(server, said) := ceiling.resources(server.c) if said.path == []

_said(server) := serving.option(server, ["-m", "--memory-limit"]) if {
	serving.option(server, ["-m", "--memory-limit"])
} else := {"text": joined[1], "path": path} if {
	some [word, path] in server.words
	joined := regex.find_all_string_submatch_n(`^-m([0-9]+)$`, word, 1)[0]
} else := {"text": text, "path": words[0][1]} if {
	# Bitnami's script makes -m of it.
	words := serving.variable_words(server.c, "MEMCACHED_CACHE_SIZE")
	text := words[0][0]
} else := _default
