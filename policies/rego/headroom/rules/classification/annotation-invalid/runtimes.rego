package headroom.rules.classification["annotation-invalid"]

import data.headroom.runtime.jvm
import data.headroom.words

_runtimes := {"go", "jvm", "native", "node", "python", "ruby"}

# Names by which people call them.
_aliases := {"golang": "go", "java": "jvm", "nodejs": "node", "openjdk": "jvm"}

complaints contains [entry, why, sprintf("one of %s", [words.listed(_runtimes)])] if {
	some entry in _texts
	entry.reads == "runtime"
	runtime := split(entry.value, " ")[0]
	not runtime in _runtimes
	near := object.get(_aliases, lower(runtime), words.nearest(runtime, _runtimes))
	why := sprintf("is %s, which is no runtime%s", [words.quoted(entry.value), _or_nothing(near)])
}

_or_nothing("") := ""

_or_nothing(near) := sprintf("; did you mean %s?", [near]) if near != ""

# What may stand behind the runtime: a JVM's facts, Go's version, anyone's version.
complaints contains [entry, why, expected] if {
	some entry in _texts
	entry.reads == "runtime"
	[runtime, rest] := _first(split(entry.value, " "))
	runtime in _runtimes
	some word in rest
	not _says_something(runtime, word)
	why := sprintf("says %s, which headroom cannot read", [words.quoted(word)])
	expected := object.get({"go": "go version=1.24", "jvm": "jvm version=17"}, runtime, runtime)
}

_first(all) := [all[0], [word | some word in array.slice(all, 1, count(all)); word != ""]]

_says_something("jvm", word) if jvm.fact_of(word) != {}

_says_something("go", word) if regex.match(`^version=(?:go)?[1-9][0-9]?\.(?:[1-9][0-9]{0,2}|0)(?:[^0-9].*)?$`, word)

_says_something(runtime, word) if {
	not runtime in {"go", "jvm"}
	startswith(word, "version=")
}
