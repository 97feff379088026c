package headroom.memory

import data.headroom.images
import data.headroom.runtime.jvm

# family_of is what was measured of programs of the same kind beside their heap: {text, takes}. takes has MiB of
# regions, threads, and as native what is not the collector's own.
family_of(j) := object.get(_families, j.c.id, _no_family) if {
	j.c.id
} else := _no_family

_no_family := {"text": "", "takes": {}}

# Of a known image its own figures count, else those of what the command line and the environment show. Where that is
# of several, a program takes the most of each.
_families[id] := family if {
	some j in jvm.jvms
	id := j.c.id
	family := _family(j)
}

_family(j) := {"text": sprintf("as measured, %s", [image.title]), "takes": image.record.takes} if {
	image := images.found[j.c.id]
	image.record.takes
} else := {"text": sprintf("as measured with %s", [names]), "takes": takes} if {
	kinds := _kinds(j)
	count(kinds) > 0
	names := concat(" and ", [kind.name | some kind in kinds])
	takes := {region: max([kind.takes[region] | some kind in kinds]) |
		some region in object.keys(object.union_n([kind.takes | some kind in kinds]))
	}
}

_kinds(j) := [kind |
	text := concat(" ", [jvm.visible_text(j.c, j.sources), _image(j.c)])
	regex.match(_any_sign, text)
	some kind in frameworks
	regex.match(kind.sign, text)
]

_image(c) := image if {
	image := object.get(c.raw, "image", "")
	is_string(image)
} else := ""

_any_sign := concat("|", [kind.sign | some kind in frameworks])
