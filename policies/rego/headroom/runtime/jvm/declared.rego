package headroom.runtime.jvm

import data.headroom.duration
import data.headroom.inside
import data.headroom.measured
import data.headroom.quantity
import data.headroom.registry
import data.headroom.workload

# declared_facts is what jvm.headroom.dev/<container> says of its JVM, readable keys only;
# HR105 speaks of the others.
declared_facts := {name: object.union(_words(object.get(registry.declared, name, [])), _words(split(value, " "))) |
	some name, value in workload.annotations_of("jvm.headroom.dev/")
	is_string(value)
}

facts_of(name) := declared_facts[name] if {
	declared_facts[name]
} else := _words(object.get(registry.declared, name, []))

# facts_of_image is what an image's config says of its JVM.
facts_of_image(raw) := {"version": version} if {
	version := _fact("version", inside.java(raw))
} else := {}

# seen_of is what the JVM of a container measures of itself, under the same keys. It takes the place of what an
# annotation says.
seen_of(name) := {key: amount |
	some key in seen_facts
	amount := measured.runtime_of(name)[key]
	_undisturbed(name, key)
}

seen_facts := {"threads", "classes", "metaspace", "code_cache", "direct", "live", "processors", "pause"}

# A quota stops the collector's threads, too: the pause of a JVM that was throttled is not its collector's own.
_undisturbed(_, key) if key != "pause"

_undisturbed(name, "pause") if measured.containers[name].ratio <= 0.01

# fact_text is where a fact comes from, in words.
fact_text(j, key) := measured.runtime_of(j.container).text if {
	key in object.get(j, "seen", set())
} else := concat("", ["annotation", measured.beside(j.container, _word_of(key))])

# fact_grade is its grade: what an annotation says is declared, unless a date beside it says that it was measured.
fact_grade(j, key) := "measured" if {
	key in object.get(j, "seen", set())
} else := "measured" if {
	measured.by_annotation(j.container, _word_of(key))
} else := "declared"

_word_of(key) := replace(key, "_", "")

_words(words) := object.union_n([fact |
	some word in words
	[key, text] := split(word, "=")
	name := object.get(_keys, key, key)
	fact := {name: value | value := _fact(name, text)}
])

# What is written otherwise than it is called here.
_keys := {"codecache": "code_cache"}

_fact("threads", text) := to_number(text) if regex.match(_positive, text)

_fact("classes", text) := to_number(text) if regex.match(_positive, text)

_fact("processors", text) := to_number(text) if regex.match(_positive, text)

_positive := `^[1-9][0-9]{0,6}$`

_fact("metaspace", text) := _size(text)

_fact("code_cache", text) := _size(text)

_fact("direct", text) := _size(text)

_fact("live", text) := _size(text)

_size(text) := size if {
	size := quantity.bytes(text)
	size > 0
}

_fact("native", text) := size if {
	size := quantity.bytes(text)
	size >= 0
}

_fact("pause", text) := pause if {
	pause := duration.ms(text)
	pause >= 0
}

# version is the feature release and, where it is said, the update: 8u181 and 1.8.0_181
# are {"feature": 8, "update": 181}. Which of them has container support depends on it.
_fact("version", text) := {"feature": to_number(text), "update": 0} if {
	regex.match(`^[1-9][0-9]?$`, text)
} else := {"feature": to_number(feature), "update": to_number(update)} if {
	some [_, feature, _, given] in regex.find_all_string_submatch_n(
		concat("", [`^(?:1\.)?([1-9][0-9]?)((?:`, _before_update, `)([0-9]{1,4}))?(?:[.+_-].*)?$`]),
		text, 1,
	)
	update := [u | some u in [trim_left(given, "0"), "0"]; u != ""][0]
}

# version_of reads a version as somebody, or a JVM itself, tells it.
version_of(text) := _fact("version", text)

_before_update := `\.0_|u|\.0\.`

# lacks_container_support names a release without it, and without the flags that came with it:
# ActiveProcessorCount and MaxRAMPercentage.
lacks_container_support(version) := "JDK 9" if version.feature == 9

lacks_container_support(version) := sprintf("Java %v", [version.feature]) if version.feature < 8

lacks_container_support(version) := sprintf("Java 8u%v", [version.update]) if {
	version.feature == 8
	version.update > 0
	version.update < first_update_with_support
}

first_update_with_support := 191

# release_lacks names the release of a JVM that has no container support, if it is known to be one.
release_lacks(j) := lacks_container_support(j.facts.version)

# without_support says why a JVM with container support off does not see its limits: by its release, or by a flag.
without_support(flags) := sprintf("%s has no container support", [flag.source]) if {
	flag := flags.UseContainerSupport
	flag.path[count(flag.path) - 1] == "image"
} else := "container support is off"

# reads_v1_alone names a release that reads the limits of cgroup v1 and takes a node with v2 for no container (J11).
reads_v1_alone(version) := sprintf("Java 8u%v", [version.update]) if {
	version.feature == 8
	version.update >= first_update_with_support
	version.update < first_with_v2["8"]
} else := sprintf("Java 11.0.%v", [version.update]) if {
	version.feature == 11
	version.update > 0
	version.update < first_with_v2["11"]
} else := sprintf("Java %v", [version.feature]) if {
	version.feature in without_v2
}

first_with_v2 := {"8": 372, "11": 16}

# Releases that had their last update before 15 brought it.
without_v2 := [10, 12, 13, 14]

# counts_shares names a release that, without a CPU limit, counts a processor for each 1024 CPU shares (J3): what
# requests.cpu comes to. JDK-8281181 took that out.
counts_shares(version) := _named(version) if {
	version.update > 0
	version.update < first_without_shares[sprintf("%d", [version.feature])]
	not lacks_container_support(version)
} else := _named(version) if {
	version.feature in {10, 12, 13, 14, 15, 16}
}

first_without_shares := {"8": 372, "11": 17, "17": 5}

_named(version) := sprintf("Java 8u%v", [version.update]) if {
	version.feature == 8
} else := sprintf("Java %v.0.%v", [version.feature, version.update]) if {
	version.update > 0
} else := sprintf("Java %v", [version.feature])
