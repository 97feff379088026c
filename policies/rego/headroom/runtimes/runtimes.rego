# METADATA
# title: What runs
# description: |
#   What the directories below runtime/ find, each of its own runtime: the containers that it runs in (`found`),
#   what it may grow to (`ceilings`), what it sizes by cores (`counters`). All who ask what runs in a container ask
#   here; what runtimes declare of themselves is the registry's. This package stands beside runtime/, as OPA takes
#   iteration over data.headroom.runtime for recursion in any package below it.
package headroom.runtimes

import data.headroom.inside
import data.headroom.registry
import data.headroom.serving
import data.headroom.workload

# reads tells whether a runtime can read a word of what an annotation says of it.
reads(name, word) if word in data.headroom.runtime[name].readable

reads(name, word) if {
	not data.headroom.runtime[name].readable
	regex.match(concat("", ["^(?:", registry.facts[name], ")$"]), word)
}

# running is what runs in each container, as far as the manifest shows it, aligned with
# workload.containers: {name, sure, evidence, id, text}. The name is "" where nothing shows it, the
# id of a guess ends in a question mark, and the text is for people.
running := [_nothing | some _ in workload.containers] if {
	_found == {}
	registry.declared == {}
	not inside.known
} else := [_shown(_running(c)) | some c in workload.containers]

_found := {name: found | found := data.headroom.runtime[name].found; found != {}}

_nothing := {"name": "", "sure": true, "evidence": "", "id": "", "text": ""}

_running(c) := {"name": name, "sure": true, "evidence": concat("", ["annotation runtime.headroom.dev/", c.name])} if {
	name := registry.declared[c.name][0]
	name in registry.names
} else := object.union({"name": claims[0][1]}, _found[claims[0][1]][c.id]) if {
	claims := sort([[registry.about[name].rank, name] | some name, found in _found; found[c.id]])
} else := {"name": marks[0][1], "sure": false, "evidence": sprintf("its image sets %s", [marks[0][2]])} if {
	# What an image was built on may be there for something else.
	not serving.utility(c)
	marks := sort([[registry.about[name].rank, name, mark] |
		some mark, _ in c.raw.inside.config.environment
		name := registry.marks[mark]
	])
} else := _nothing

_shown(seen) := seen if seen.name == ""

_shown(seen) := object.union(seen, {
	"id": seen.name,
	"text": concat(" ", ["runs", registry.about[seen.name].words]),
}) if {
	seen.sure
}

_shown(seen) := object.union(seen, {
	"id": concat("", [seen.name, "?"]),
	"text": concat(" ", ["probably runs", registry.about[seen.name].words]),
}) if {
	not seen.sure
}

# categories are those of the rules that are asked only where their runtime shows itself.
categories := {registry.about[name].category | some name, _ in _found} - {""}
