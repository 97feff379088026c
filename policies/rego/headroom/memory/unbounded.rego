package headroom.memory

import data.headroom.images
import data.headroom.process
import data.headroom.runtime.jvm

# unbounded is native memory that no flag bounds and no annotation declares, in words; "" if nothing
# shows that there is any. No manifest tells how much it is.
unbounded(j) := "" if {
	native(j, 0).source in {"annotation", "config"}
} else := sprintf("%s (%s)", [image.record.unbounded, image.title]) if {
	image := images.found[j.c.id]
	image.record.unbounded
	not _bounded_by(j.c, image.record)
	jvm.holds(j.c, image, object.get(image.record, "unbounded_when", {}))
} else := sprintf("%s (%s)", [signs[0].what, signs[0].sign]) if {
	signs := [{"what": sign.what, "sign": found} |
		some sign in _signs
		found := regex.find_n(sign.pattern, jvm.visible_text(j.c, j.sources), 1)[0]
	]
	count(signs) > 0
} else := ""

# A variable may choose a role of the image that has no such memory.
_bounded_by(c, record) if {
	some name, value in record.bounded_by
	process.arrived(images.last_call(c), name).value == value
}

# _signs are what a command line or the environment shows of libraries that allocate by themselves.
_signs := [
	{
		"pattern": `(?i)[a-z0-9._-]*kafka[._-]streams[._][a-z0-9._-]*`,
		"what": "the state stores of Kafka Streams in RocksDB",
	},
	{"pattern": `(?i)[a-z0-9._-]*rocksdb[a-z0-9._-]*`, "what": "RocksDB"},
	{"pattern": `[a-z0-9._-]*(?:jemalloc|tcmalloc)[a-z0-9._-]*`, "what": "what an allocator is preloaded for"},
]
