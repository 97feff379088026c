# METADATA
# title: Registry of runtimes
# description: |
#   What the directories below runtime/ declare, each of its own runtime: who it is (`about`), the variables of an
#   image's config that count (`kept`), the words of its annotation (`fact`). These are constants; what runtimes find in
#   a workload is in `runtimes`, above them. docs/adding-a-runtime.md has the contract. No runtime is named outside its
#   directory. This package stands beside runtime/, as OPA takes iteration over data.headroom.runtime for
#   recursion in any package below it.
package headroom.registry

import data.headroom.images
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
	"told": [],
	"variables": [],
	"files": {},
}

names := object.keys(about)

# steady are the runtimes that need no number of cores when the CPU limit goes.
steady := {name | some name, declared in about; not declared.follows}

# kept are the variables whose values count where an image sets them: those, what marks an image, and more that a
# runtime names as `kept`.
kept := (variables | object.keys(marks)) | {name | some name in data.headroom.runtime[_].kept}

# marks are the variables of images that tell a runtime, with its name.
marks := {mark: name | some name, declared in about; some mark in declared.marks}

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

# imaged tells by a container's id which runtime its image is known to start, {name, image}. It knows official
# images, and those of well-known publishers, from any registry that mirrors them.
imaged[c.id] := {"name": _images[known[0]], "image": known[0]} if {
	some c in workload.containers
	reference := images.reference(c.raw.image)
	known := [name | some name in _images_ending[reference.last]; images.named(reference.path, name)]
	count(known) > 0
}

_images := {image: name | some name, declared in about; some image in declared.images}

_images_ending[_last(image)] contains image if some image, _ in _images

_last(image) := parts[count(parts) - 1] if parts := split(image, "/")
