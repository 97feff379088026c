package headroom.runtime.jvm

import data.headroom.duration
import data.headroom.quantity
import data.headroom.workload

# about is what the registry has of the JVM.
about := {
	"aliases": ["java", "openjdk"],
	"words": "a JVM",
	"bursts": "garbage collection, JIT compilation and requests on several threads",
	"rank": 1,
	"sizes": true,
	"category": "jvm",
	"example": "jvm version=17",
	"annotation": {
		"says": concat(" ", [
			"What a manifest cannot show of a JVM: version, threads, loaded classes, native memory, metaspace, code cache,",
			"direct memory, what the heap holds after a collection (live), the processors that it counts, length of a GC",
			"pause. Any of them, with blanks between.",
		]),
		"example": "version=17 threads=200",
		"expected": concat(" ", [
			"words such as version=17 threads=200 native=100Mi classes=20000 metaspace=90Mi codecache=40Mi",
			"direct=64Mi live=300Mi processors=2 pause=20ms",
		]),
	},
}

# fact is what a word of its annotations looks like, for editors.
fact := concat("|", [
	concat("", ["(?:threads|classes|processors)=", _without_anchors(_positive)]),
	concat("", [
		"(?:native|metaspace|codecache|direct|live)=", _blanks, `[+-]?[0-9]*\.?[0-9]*`, quantity.suffix,
		_blanks,
	]),
	sprintf("pause=(?:[+-]?0|%s)", [_without_anchors(duration.pattern)]),
	sprintf(`version=(?:1\.)?[1-9][0-9]?(?:(?:%s)[0-9]{1,4})?(?:[.+_-][^ =]*)?`, [_before_update]),
])

_without_anchors(pattern) := trim_suffix(trim_prefix(pattern, "^"), "$")

_blanks := sprintf("[%s]*", [trim_left(quantity.blanks, " ")])

# by_id are the JVMs by the container that they run in.
by_id := {j.c.id: j | some j in jvms}

found := {j.c.id: {"sure": j.sure, "evidence": j.evidence} | some j in jvms}

# readable are the words of annotations that say something; HR105 speaks of the others.
readable := {word |
	some prefix in ["jvm.headroom.dev/", "runtime.headroom.dev/"]
	some text in workload.annotations_of(prefix)
	is_string(text)
	some word in split(text, " ")
	_words([word]) != {}
}
