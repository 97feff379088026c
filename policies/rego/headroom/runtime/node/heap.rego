package headroom.runtime.node

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.images
import data.headroom.registry
import data.headroom.runtime.workers
import data.headroom.workload

# V8 collects garbage when the old space nears its bound; new space, code and buffers come on top (R1).
_share := 0.75

# ceilings are the old spaces that somebody set, and those that a release takes by itself, whatever the limit is.
ceilings := array.concat(_set, _by_default)

_set := [{
	"c": c,
	"sure": true,
	"path": said.path,
	"terms": [{
		"text": sprintf("The old space may grow to %v MiB (--max-old-space-size=%v)", [mib, mib]),
		"bytes": bytes,
		"sure": true,
	}],
	"before": "V8 collects what is garbage",
	"expected": sprintf("--max-old-space-size=%v (75 %% of limits.memory), or limits.memory of %s", [
		ceiling.room(c.memory_limit, _share, 0),
		ceiling.limit_for(bytes, _share),
	]),
} |
	some id in _candidates
	c := workload.containers[id]
	said := _old_space(c)
	mib := to_number(said.text)
	bytes := mib * 1048576
]

# Before 20 V8's heap may grow to 2 GiB or more, whatever the container's limit is (R1); later releases look at it.
_by_default := [{
	"c": c,
	"sure": true,
	"path": array.concat(c.path, ["image"]),
	"terms": [{
		"text": sprintf("Node.js %v does not look at the limit, and its heap may grow to 2048 MiB or more", [feature]),
		"bytes": 2147483648,
		"sure": false,
	}],
	"before": "V8 collects what is garbage, if the program comes to need that much",
	"expected": sprintf("NODE_OPTIONS: --max-old-space-size=%v (75 %% of limits.memory), or Node.js 20 or later", [
		ceiling.room(c.memory_limit, _share, 0),
	]),
} |
	some id, _ in found
	c := workload.containers[id]
	feature := release(c)
	feature < 20
	not _old_space(c)
	not environment.setting(c, "NODE_OPTIONS").state in {"unknown", "resource"}
	environment.hidden(c) == []
]

# release is the major release of a container's Node.js: by the annotation, by the image's config, or by the tag of the
# official image; undefined where nothing tells it.
release(c) := _major(text) if {
	some word in registry.declared[c.name]
	[key, text] := split(word, "=")
	key == "version"
} else := _major(c.raw.inside.config.environment.NODE_VERSION) if {
	c.raw.inside.config.environment.NODE_VERSION
} else := _major(images.reference(c.raw.image).tag) if {
	registry.imaged[c.id].image == "node"
}

_major(text) := to_number(major) if {
	major := regex.find_all_string_submatch_n(`^v?([1-9][0-9]?)(?:[.-]|$)`, text, 1)[0][1]
}

_candidates := {id | some id, _ in workers.started} | {id |
	some id, present in environment.present
	"NODE_OPTIONS" in present
}

# The command line wins over NODE_OPTIONS, and the last of several counts.
_old_space(c) := _told(c) if {
	_told(c)
} else := _last(_values(words)) if {
	setting := environment.setting(c, "NODE_OPTIONS")
	setting.state == "literal"
	words := [[word, setting.path] | some word in workers.shell_words(setting.text)]
}

_told(c) := _last([value |
	some command in workers.started[c.id]
	command.runtime == "node"
	some value in _values(_own(command.words))
])

# What stands behind the script's name is the script's.
_own(words) := array.slice(words, 0, min(array.concat([count(words)], [i |
	some i, [word, _] in words
	not startswith(word, "-")
])))

_values(words) := [{"text": groups[1], "path": path} |
	some [word, path] in words
	some groups in regex.find_all_string_submatch_n(`^--max[-_]old[-_]space[-_]size=([0-9]{1,9})$`, word, -1)
]

_last(values) := values[count(values) - 1]
