package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# Which releases may run. What says nothing excludes none: an old one does not start with flags that came later.

# takes_flags says that every release that may run has the flags which came with container support. All that tell of one
# tell of such a one, or a flag is set with which no older one starts.
takes_flags(j) if {
	count(told_releases(j)) > 0
	every release in told_releases(j) { _has_support(j.c, release) }
	not _is_image_java(j.c)
}

takes_flags(j) if {
	count(told_releases(j)) == 0
	_proves_support(j)
	not _is_image_java(j.c)
}

# The image java ended at 8u111; its successors say their version in the tag, as 8u131-jre.
_is_image_java(c) if {
	is_string(c.raw.image)
	regex.match(_image_java, c.raw.image)
}

_image_java := `^(?:(?:docker\.io/)?library/)?java(?:[:@]|$)`

# told_releases are all {feature, update} that something tells: annotation, image, tag, JAVA_VERSION, a path.
told_releases(j) := ((_exactly(j) | _by_version(j)) | _at_least(j)) | _told_by_words(j.c)

_exactly(j) := {release |
	release := j.release
	release.feature
}

_by_version(j) := {{"feature": j.version, "update": 0} |
	j.version > 0
	not j.release.feature
}

_at_least(j) := {{"feature": j.least_version, "update": 0} | j.least_version >= 10}

_told_by_words(c) := {release |
	found := process.variable(c, "JAVA_VERSION")
	release := version_of(regex.replace(found.value, `^jdk-?`, ""))
} | {release |
	some text in _places_of_java(c)
	some groups in regex.find_all_string_submatch_n(release_in_words, text, -1)
	release := version_of(groups[1])
}

_places_of_java(c) := ({text |
	some name in ["JAVA_HOME", "JRE_HOME"]
	text := process.variable(c, name).value
} | {word | some word in images.words(c); contains(word, "/")}) | {text |
	not images.known(c)
	is_string(c.raw.image)
	text := split(c.raw.image, "@")[0]
}

# java-1.8.0-openjdk, jdk1.8.0_102, jre8, zulu-11. The same pattern for the CEL policies.
release_in_words := `(?:^|[^a-z])(?:java|jdk|jre|jvm|openjdk|temurin|corretto|zulu|liberica)[-_]?([1-9][0-9a-zA-Z.+_]*)`

_has_support(_, release) if release.feature >= 10

_has_support(_, release) if {
	release.feature == 8
	release.update >= first_update_with_support
}

# The tag of a JDK's own image that names no update has the last one.
_has_support(c, release) if {
	release == {"feature": 8, "update": 0}
	image := images.found[c.id]
	regex.match(`jdk|temurin|corretto|zulu|liberica|sapmachine`, image.name)
	images.release(image) == release
}

_proves_support(j) if {
	not on(j.flags, "IgnoreUnrecognizedVMOptions")
	some name, _ in j.flags
	_is_later(name)
}

_proves_support(j) if {
	some s in j.sources
	not s.assumed
	some option, _ in s.options
	regex.match(`^(?:--(?:add|enable|illegal|limit|patch)-|-Xlog:)`, option)
}

_is_later(name) if name in _came_with_support

_is_later(name) if {
	states := flag_fields(name).states
	startswith(states, "-")
	regex.match(`[^-]`, states)
}

_came_with_support := {
	"ActiveProcessorCount", "InitialRAMPercentage", "MaxRAMPercentage", "MinRAMPercentage", "UseContainerSupport",
}
