# METADATA
# title: Varnish
# description: |
#   Varnish caches. Shown by the annotation, by the command or by the image. The size of a malloc storage bounds the
#   objects; their overhead, the workspaces of threads and transient objects come on top (R70).
package headroom.runtime.varnish

import data.headroom.ceiling
import data.headroom.serving

about := {
	"words": "Varnish",
	"images": ["varnish", "varnish/varnish"],
	"starts": ["varnishd"],
	"variables": ["VARNISH_SIZE"],
}

found := serving.found("varnish")

# As much as for Redis is left for the rest of the process: it was not measured (R70).
_share := 0.75

# ceilings are the storages of a server together.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": storages[0].path,
	"terms": [{"text": storage.text, "bytes": storage.bytes, "sure": true} | some storage in storages],
	"before": "Varnish evicts an object",
	"expected": sprintf("storages of %vM together (75 %% of limits.memory), or limits.memory of %s", [
		ceiling.room(server.c.memory_limit, _share, 0),
		ceiling.limit_for(sum([storage.bytes | some storage in storages]), _share),
	]),
} |
	some server in serving.servers("varnish")
	storages := array.concat(_of_options(server), _of_image(server))
	count(storages) > 0
]

_of_options(server) := [_storage(found[1], path) |
	some i, [word, _] in server.words
	some [text, path] in _values(server.words, i, word)
	found := regex.find_all_string_submatch_n(`^(?:[A-Za-z]\w*=)?(?:malloc|default|umem),([0-9]+[kKmMgGtT]?)`, text, 1)[0]
]

_values(words, i, "-s") := [words[i + 1]]

_values(words, i, word) := [[trim_prefix(word, "-s"), words[i][1]]] if regex.match(`^-s.`, word)

# The script of the image makes a malloc storage of VARNISH_SIZE.
_of_image(server) := [_storage(words[0][0], words[0][1]) |
	server.image != ""
	words := serving.variable_words(server.c, "VARNISH_SIZE")
	ceiling.size(words[0][0])
]

_storage(size, path) := {
	"text": sprintf("Varnish's cache may take %v MiB (malloc,%s)", [ceiling.mib(ceiling.size(size)), size]),
	"bytes": ceiling.size(size),
	"path": path,
}
