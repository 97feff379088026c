package headroom.workers

import data.headroom.environment
import data.headroom.process
import data.headroom.registry

# Products tell the servers that they start how many workers to run: by a variable, by a line of a file, else so many.
# A runtime lists them as `told`: {program, by, variable, file, line, count}; by is what names the product in the
# container's image or command.

# told is the product that tells a command how many workers to start; undefined where none does.
told(c, command) := products[0] if {
	products := [product |
		some product in registry.about[programs[command.program].runtime].told
		product.program == command.program
		_names_it(c, product.by)
	]
}

_names_it(c, pattern) if {
	some text in _texts(c)
	regex.match(pattern, text)
}

_texts(c) := process.strings_of(array.concat(
	[object.get(c.raw, "image", "")],
	array.concat(process.strings_of(object.get(c.raw, "command", [])), process.args(c)),
))

_told_claims(c, command) := [object.union(_told_by(c, product, environment.setting(c, product.variable)), {
	"per": "process",
	"usual": 1,
	"runtime": programs[command.program].runtime,
}) |
	counts(command)
	product := told(c, command)
]

_told_by(c, product, setting) := {
	"text": object.get(setting, "text", ""),
	"what": concat("", [product.variable, "="]),
	"path": setting.path,
} if {
	setting.state != "absent"
} else := {
	"text": text,
	"what": sprintf("in %s: ", [product.file]),
	"path": array.concat(c.path, ["volumeMounts"]),
} if {
	file := process.mounted(c, product.file)
	text := _in_file(file, product)
} else := {
	"text": sprintf("%d", [product.count]),
	"what": sprintf("%s is not set: ", [product.variable]),
	"path": array.concat(c.path, ["env"]),
} if {
	environment.hidden(c) == []
} else := {"text": "", "what": "", "path": array.concat(c.path, ["envFrom"])}

# A file that is not seen may say any number.
_in_file(file, product) := "" if {
	file.why
} else := groups[1] if {
	groups := regex.find_all_string_submatch_n(product.line, file.text, 1)[0]
} else := sprintf("%d", [product.count])
