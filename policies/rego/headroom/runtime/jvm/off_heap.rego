package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# kept_outside is what a program keeps outside the heap because a setting of its own says so, as
# {name, bytes, source, grade, heap}: page caches, native memory, managed memory. heap is true for the heap of another
# JVM of the container. Of a known image its own settings count, with their defaults; a setting that has its
# vendor's name counts under any image, but for heaps.
kept_outside(c, sources) := array.concat(
	[kept | some part in _settings_outside(c); kept := _kept(c, part)],
	[kept |
		text := visible_text(c, sources)
		some part in images.off_heap_words
		contains(text, part.words)
		kept := _kept_by_words(part, _text_for(c, part, text))
	],
)

_settings_outside(c) := [part |
	image := images.found[c.id]
	some part in image.record.off_heap
	part.variable
	holds(c, image, object.get(part, "when", {}))
] if {
	images.found[c.id].record.off_heap
} else := [part | some name in _variable_names(c); part := images.off_heap[name]]

# _variable_names are the variables that a container sets by name, and those of ConfigMaps that it takes whole.
_variable_names(c) := {name | name := c.raw.env[_].name; is_string(name)} | {name |
	some source in process.bulk(c)
	some name, _ in source.data
}

_kept(c, part) := _part_kept(part, bytes, part.variable, "declared") if {
	found := process.arrived(images.last_call(c), part.variable)
	found.state == "literal"
	bytes := _amount(_size_in(part, found.value), _unit_of(c, part))
} else := _part_kept(part, _amount(part["default"], ""), "the image's default", "known") if {
	_empty(process.arrived(images.last_call(c), part.variable))
} else := _part_kept(part, round((c.memory_limit * _share_of_limit(found.value)) / 100), part.variable, "known") if {
	part.unsized
	found := process.arrived(images.last_call(c), part.variable)
	found.state == "literal"
	c.memory_limit > 0
}

# The options of a JVM that set no size leave it the share that they say, or a quarter (J6).
_share_of_limit(options) := to_number(shares[count(shares) - 1][1]) if {
	shares := regex.find_all_string_submatch_n(`-XX:MaxRAMPercentage=([0-9]{1,3}(?:\.[0-9]+)?)(?:\s|$)`, options, -1)
	count(shares) > 0
} else := 25 if {
	not regex.match(`-Xmx|RAM|MaxHeapSize`, options)
}

_kept_by_words(part, text) := _part_kept(part, bytes, part.words, "declared") if {
	found := regex.find_all_string_submatch_n(concat("", [_escaped(part.words), _assigned]), text, -1)
	bytes := _amount(found[count(found) - 1][1], "")
}

# A setting of a build is nothing to a container that runs none, nor is one in a comment.
_text_for(_, part, text) := text if not part.starts

_text_for(c, part, text) := regex.replace(text, `(^|\s)#[^\n]*`, "$1") if images.starts(c, part.starts)

_escaped(words) := replace(words, ".", `\.`)

# As a property of a line, a file or a flag: `name=512m`, `name: 512m`, `"name": "512m"`, `name='-ea -Xmx512m'`. The
# first -Xmx is the property's: what follows in `-Dname=-Xmx3g -Xmx512m` is an option of its own.
_assigned := concat("", [`["']?\s*[=:]\s*["']?(?:`, _no_xmx, `\s+)*(?:-Xmx)?([0-9]+(?:\.[0-9]+)?\s?[A-Za-z]{0,9})`])

_no_xmx := `-(?:[^X\s"']|X[^m\s"']|Xm[^x\s"'])[^\s"']*`

_part_kept(part, bytes, source, grade) := {
	"name": part.name,
	"bytes": bytes,
	"source": source,
	"grade": grade,
	"heap": object.get(part, "heap", false),
} if {
	bytes > 0
}

# _size_in is the size that a value gives: of the options of another JVM, the last -Xmx.
_size_in(part, value) := sizes[count(sizes) - 1][1] if {
	part.heap
	sizes := regex.find_all_string_submatch_n(`(?:^|\s)-Xmx([0-9]+[kKmMgGtT]?)\b`, value, -1)
} else := value

# _unit_of is the unit that another variable gives, or else that of a number alone.
_unit_of(c, part) := found.value if {
	found := process.arrived(images.last_call(c), part.unit_variable)
	found.state == "literal"
} else := object.get(part, "unit", "")

# _amount reads a size of a program's own in bytes: 512m, 1.5 GB, 2gib; a number alone has the unit that is given.
_amount(text, unit) := round(to_number(number) * _unit_bytes[letter]) if {
	some [_, number, own] in regex.find_all_string_submatch_n(_amount_form, trim_space(text), 1)
	letter := lower(substring(concat("", [own, unit, "b"]), 0, 1))
}

_amount_form := `^([0-9]{1,15}(?:\.[0-9]{1,6})?)\s?([A-Za-z]{0,9})$`

_unit_bytes := {"b": 1, "k": 1024, "m": 1048576, "g": 1073741824, "t": 1099511627776}

# visible_text is what a command line, its files and the environment show of a program.
visible_text(c, sources) := concat(" ", array.concat(
	[text | some source in sources; text := source.text],
	array.concat(
		images.words(c),
		[sprintf("%s=%v", [e.name, object.get(e, "value", "")]) | some e in c.raw.env; is_string(e.name)],
	),
))
