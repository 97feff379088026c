# METADATA
# title: What a lock keeps
# description: |
#   What `headroom images lock` writes of the config of an image: what the image starts, and the variables and
#   labels that the policies read. The input is the config alone.
package headroom.lock

import data.headroom.images
import data.headroom.inside
import data.headroom.registry

# kept is what a lock holds of an image's config, which is the input {entrypoint, command, environment, labels}. That
# is what the image starts, and the variables that the policies read, without the value of any other variable. Values
# of system properties and of options that look like secrets are left out of them.
kept := {
	"entrypoint": _texts("entrypoint"),
	"command": _texts("command"),
	"environment": {name: _without_secrets(value) |
		some name, value in object.get(input, "environment", {})
		is_string(value)
		_read(name)
	},
	"labels": object.union(
		{name: input.labels[name] | some name in _labels; is_string(input.labels[name])},
		{built: concat(" ", sort(_buildpacks)) | some built in [_built_by]; count(_buildpacks) > 0},
	),
}

# Buildpacks write all that they did into a label, of which their names are kept.
_built_by := "io.buildpacks.build.metadata"

_buildpacks := {name |
	json.is_valid(input.labels[_built_by])
	some pack in json.unmarshal(input.labels[_built_by]).buildpacks
	name := pack.key
	regex.match(`^[a-z0-9][a-z0-9._/-]{0,99}$`, name)
}

_texts(field) := [_word(words, i) |
	words := [word | some word in _list(input[field]); is_string(word)]
	some i, _ in words
]

# What stands behind an option for a secret is one.
_word(words, i) := inside.redacted if {
	regex.match(_secret_option, words[i - 1])
} else := _without_secrets(words[i])

_secret_names := `(?:password|passwd|passphrase|secret|token|credential|api-?_?key|private-?_?key)`

_secret_option := sprintf(`(?i)^--?[a-z0-9_.-]*%s[a-z0-9_.-]*$`, [_secret_names])

_read(name) if name in registry.kept

_read(name) if images.variables[name]

# What the entrypoint takes in; a secret is not read, and so its value is not known.
_read(name) if {
	name in _mentioned
	not regex.match(concat("", ["(?i)", _secret_names]), name)
}

_mentioned := {groups[1] |
	some field in ["entrypoint", "command"]
	some word in _list(input[field])
	is_string(word)
	some groups in regex.find_all_string_submatch_n(`\$\{?([A-Za-z_][A-Za-z0-9_]*)`, word, -1)
}

_labels := ["org.opencontainers.image.version"]

_without_secrets(text) := regex.replace(
	regex.replace(
		regex.replace(
			regex.replace(text, concat("", [`(-D[^=\s"']*=)`, _value]), _cut),
			sprintf(`(?i)(%s[a-z0-9_.-]*[=:])%s`, [_secret_names, _value]),
			_cut,
		),
		sprintf(`(?i)((?:^|\s)--?[a-z0-9_.-]*%s[a-z0-9_.-]*\s+)(?:"[^"]*"|'[^']*'|[^\s"'-][^\s"']*)`, [_secret_names]),
		_cut,
	),
	`(://[^\s"'/@:]*:)[^\s"'/@]+@`,
	concat("", [_cut, "@"]),
)

# A value, in quotes or without.
_value := `(?:"[^"]*"|'[^']*'|[^\s"']+)`

_cut := concat("", ["${1}", inside.redacted])

_list(value) := value if is_array(value)

_list(value) := [] if not is_array(value)
