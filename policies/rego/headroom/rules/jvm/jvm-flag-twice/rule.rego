# METADATA
# title: One flag, two values
# description: |
#   A JVM reads its flags from up to four places, and of a flag that is said twice it takes the
#   later value: JAVA_TOOL_OPTIONS gives way to JDK_JAVA_OPTIONS, that to the command line, and all
#   to _JAVA_OPTIONS; within one text the last wins (measured on JDK 8 to 28). A change of the
#   value that loses has no effect. To override what an image's start script sets is no mistake and
#   is not reported; a script that overrides what the manifest says is.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: JDK_JAVA_OPTIONS in the java command's manual
# custom:
#   id: HR410
#   severity: warning
#   harm: style
#   facts: [J9]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Keep the value that is meant, in one place.
package headroom.rules.jvm["jvm-flag-twice"]

import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	some name in _repeated(j)
	settings := _rivals(jvm.occurrences(j, name))
	count({_meaning(setting.value) | some setting in settings}) > 1
	last := count(settings) - 1
	finding := {
		"container": j.container,
		"path": settings[0].path,
		"message": sprintf("Set twice or more: %s. The last wins, %s.", [
			concat(", then ", [sprintf("%s (%s)", [setting.text, setting.source]) | some setting in settings]),
			settings[last].text,
		]),
		"expected": _expected(j, name, settings),
		"figures": {"values": count(settings)},
	}
}

# Without the values that lose, the JVM runs as it does now, unless one of them has another effect.
_expected(j, name, settings) := "only the one that is meant" if {
	_matter(j, name, settings)
} else := sprintf("only %s, which counts already, or the one that is meant", [settings[count(settings) - 1].text])

# A JVM looks at values that lose, too.
_matter(j, _, settings) if {
	some setting in array.slice(settings, 0, count(settings) - 1)
	some refused in j.startup
	setting.text in refused.flags
}

# -Xms is the least heap as well, which -XX:InitialHeapSize behind it leaves as it is.
_matter(j, "-XX:InitialHeapSize", _) if {
	words := [word | some s in j.sources; some word in jvm.words_of(s)]
	some short in words
	regex.match(`^-X?ms`, short)
	strings.any_prefix_match(words, "-XX:InitialHeapSize=")
}

# A lock is open for the flags that stand between.
_matter(_, name, _) if startswith(name, "-XX:Unlock")

# Names that are set more than once, by one source or by two.
_repeated(j) := {name | some i, name in names; name in array.slice(names, 0, i)} if {
	names := [name |
		some s in j.sources
		some name, values in s.options
		startswith(name, "-XX:")
		some _ in values
	]
}

# _rivals are the settings that somebody wrote into the manifest, and the image's own where that wins:
# what an image sets by itself is there to be overridden.
_rivals(settings) := [setting | some i, setting in settings; _counts(settings, i, setting)] if {
	some setting in settings
	not setting.image
} else := []

_counts(_, _, setting) if not setting.image

_counts(settings, i, setting) if {
	setting.image
	i == count(settings) - 1
}

# 1g and 1024m are one value.
_meaning(value) := jvm.size_of(value) if {
	jvm.size_of(value) >= 0
} else := value
