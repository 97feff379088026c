package headroom.rules.classification["annotation-invalid"]

import data.headroom.registry
import data.headroom.runtimes
import data.headroom.words

complaints contains [entry, why, sprintf("one of %s", [words.listed(registry.names)])] if {
	some entry in _texts
	entry.reads == "runtime"
	runtime := split(entry.value, " ")[0]
	not runtime in registry.names
	near := object.get(registry.aliases, lower(runtime), words.nearest(runtime, registry.names))
	why := sprintf("is %s, which is no runtime%s", [words.quoted(entry.value), words.did_you_mean(near)])
}

# What may stand behind the runtime: its version, or what else it can read.
complaints contains [entry, why, expected] if {
	some entry in _texts
	entry.reads == "runtime"
	[runtime, rest] := _first(split(entry.value, " "))
	some word in rest
	not runtimes.reads(runtime, word)
	why := sprintf("says %s, which headroom cannot read", [words.quoted(word)])
	expected := registry.about[runtime].example
}

_first(all) := [all[0], [word | some word in array.slice(all, 1, count(all)); word != ""]]
