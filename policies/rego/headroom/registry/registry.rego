# METADATA
# title: Runtimes
# description: |
#   What the directories below runtime/ declare, each of its own runtime: who it is (`about`), the
#   containers that it runs in (`found`), the facts that it can read (`readable`) and memory budgets
#   (`budgets`). Whoever asks about runtimes asks here, so that none is named outside its directory;
#   docs/adding-a-runtime.md has the contract. This package stands beside runtime/, as OPA takes
#   iteration over data.headroom.runtime for recursion in any package below it.
package headroom.registry

import data.headroom.environment
import data.headroom.images
import data.headroom.inside
import data.headroom.runtime.workers
import data.headroom.serving
import data.headroom.workload

# about is what each runtime says of itself, by the name that the annotation takes.
about := {name: object.union(object.union(_usual, {"example": name}), declared) |
	declared := data.headroom.runtime[name].about
}

# What a runtime need not say.
_usual := {
	"aliases": [],
	"category": "",
	"images": [],
	"marks": [],
	"programs": [],
	"rank": 9,
	"starts": [],
	"threads": {},
	"variables": [],
	"files": {},
}

names := object.keys(about)

# steady are the runtimes that nobody has to tell a number of cores when the CPU limit goes.
steady := {name | some name, declared in about; not declared.follows}

# kept are the variables whose values count where an image sets them: those, what marks an image, and more that a
# runtime names as `kept`.
kept := (variables | object.keys(_marks)) | {name | some name in data.headroom.runtime[_].kept}

_marks := {mark: name | some name, declared in about; some mark in declared.marks}

# aliases are what people call a runtime, by that.
aliases := {alias: name | some name, declared in about; some alias in declared.aliases}

# variables are those of the environment that any runtime asks about.
variables := {variable | some declared in about; some variable in _variables_of(declared)}

_variables_of(declared) := array.concat(
	array.concat(declared.variables, [name | some name, _ in declared.threads]),
	[variable | some program in declared.programs; some variable in program.variables],
)

# annotated are the runtimes with an annotation of their own, <name>.headroom.dev/<container>:
# {says, example, expected} by name.
annotated := {name: declared.annotation | some name, declared in about}

# declared is what runtime.headroom.dev/<container> says, cut into words: `jvm version=17` is
# ["jvm", "version=17"].
declared := {container: split(value, " ") |
	some container, value in workload.annotations_of("runtime.headroom.dev/")
	is_string(value)
}

# facts are what a word behind the name of each runtime looks like: its version, unless it says more.
facts := {name: object.get(_said_facts, name, `version=[^ ]*`) | some name in names}

_said_facts := {name: fact | fact := data.headroom.runtime[name].fact}

# reads tells whether a runtime can read a word of what an annotation says of it.
reads(name, word) if word in data.headroom.runtime[name].readable

reads(name, word) if {
	not data.headroom.runtime[name].readable
	regex.match(concat("", ["^(?:", facts[name], ")$"]), word)
}

# running is what runs in each container, as far as the manifest shows it, aligned with
# workload.containers: {name, sure, evidence, id, text}. The name is "" where nothing shows it, the
# id of a guess ends in a question mark, and the text is for people.
running := [_nothing | some _ in workload.containers] if {
	_found == {}
	declared == {}
	not inside.known
} else := [_shown(_running(c)) | some c in workload.containers]

_found := {name: found | found := data.headroom.runtime[name].found; found != {}}

_nothing := {"name": "", "sure": true, "evidence": "", "id": "", "text": ""}

_running(c) := {"name": name, "sure": true, "evidence": concat("", ["annotation runtime.headroom.dev/", c.name])} if {
	name := declared[c.name][0]
	name in names
} else := object.union({"name": claims[0][1]}, _found[claims[0][1]][c.id]) if {
	claims := sort([[about[name].rank, name] | some name, found in _found; found[c.id]])
} else := {"name": marks[0][1], "sure": false, "evidence": sprintf("its image sets %s", [marks[0][2]])} if {
	# What an image was built on may be there for something else.
	not serving.utility(c)
	marks := sort([[about[name].rank, name, mark] |
		some mark, _ in c.raw.inside.config.environment
		name := _marks[mark]
	])
} else := _nothing

_shown(seen) := seen if seen.name == ""

_shown(seen) := object.union(seen, {"id": seen.name, "text": concat(" ", ["runs", about[seen.name].words])}) if {
	seen.sure
}

_shown(seen) := object.union(seen, {
	"id": concat("", [seen.name, "?"]),
	"text": concat(" ", ["probably runs", about[seen.name].words]),
}) if {
	not seen.sure
}

# categories are those of the rules that are asked only where their runtime shows itself.
categories := {about[name].category | some name, _ in _found} - {""}

# budgets are the memory budgets of what runs in the containers, by their id, for runtimes that have one.
budgets := {c.id: budget |
	some c in workload.containers
	budget := data.headroom.runtime[running[c.id].name].budgets[c.id]
}

# ceilings are the sizes that runtimes may grow to in memory, as HR504 wants them.
ceilings := [] if {
	_quiet
} else := [ceiling | some name in names; some ceiling in data.headroom.runtime[name].ceilings]

# refused are bounds that a runtime does not take, as HR504 wants them.
refused := [] if {
	_quiet
} else := [bound | some name in names; some bound in data.headroom.runtime[name].refused]

# counters are what runtimes size by the cores that they count, as HR505 wants them.
counters := [] if {
	_quiet
} else := [counter | some name in names; some counter in data.headroom.runtime[name].counters]

# Most Pods set no variable, run no program and have no image that any of them asks about.
_quiet if {
	environment.silent
	workers.with_program == set()
	imaged == {}
	declared == {}
}

# imaged tells by a container's id which runtime its image is known to start, {name, image}: an official image,
# or one of a well-known publisher, whatever registry it is mirrored to.
imaged[c.id] := {"name": _images[known[0]], "image": known[0]} if {
	some c in workload.containers
	reference := images.reference(c.raw.image)
	known := [name | some name in _images_ending[reference.last]; images.named(reference.path, name)]
	count(known) > 0
}

_images := {image: name | some name, declared in about; some image in declared.images}

_images_ending[_last(image)] contains image if some image, _ in _images

_last(image) := parts[count(parts) - 1] if parts := split(image, "/")
