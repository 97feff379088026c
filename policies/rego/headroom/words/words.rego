# METADATA
# title: Words
# description: |
#   What messages quote and suggest. Manifests are written by others: what is quoted from
#   them is short, and holds nothing that a terminal would obey.
package headroom.words

# quoted is a value of a manifest as a message may show it: at most 40 characters, without
# control, format and bidirectional characters.
quoted(value) := sprintf("%q", [shown(value)]) if is_string(value)

quoted(value) := shown(json.marshal(value)) if not is_string(value)

# shown is such a text without quotes, for names.
shown(text) := shown_to(text, 40)

# shown_to is as much of it as the given number of characters.
shown_to(text, most) := _clean(cut(text, most))

# told is what a message may tell of the value of a variable or an argument: numbers, sizes and a few words. All
# else may be a secret.
told(value) := value if {
	regex.match(_no_secret, value)
} else := "…"

_no_secret := concat("", [
	`^(?:|[+-]?[0-9]{1,20}(?:\.[0-9]{1,9})?(?:[kKmMgGtT]i?|[KMGT]i?B|B|%|ms|s|m|h)?|0[xX][0-9a-fA-F]{1,16}|`,
	`true|false|on|off|auto|none|max|summary|detail|disable|limits\.(?:cpu|memory)|requests\.(?:cpu|memory))$`,
])

_clean(text) := regex.replace(text, `[\p{C}\p{Zl}\p{Zp}]`, "?")

# capital begins a text with a capital letter.
capital(text) := concat("", [upper(substring(text, 0, 1)), substring(text, 1, -1)])

# cut is a text of at most so many characters.
cut(text, most) := text if {
	count(text) <= most
} else := sprintf("%s…", [substring(text, 0, most - 1)])

# listed are names in the order of the alphabet, for "one of …".
listed(names) := concat(", ", sort(names))

# listed_shown are names that others wrote, alike.
listed_shown(names) := listed({shown(name) | some name in names})

# field is a path as people write it: spec.containers.0.
field(path) := concat(".", [sprintf("%v", [step]) | some step in path])

# did_you_mean proposes a name; "" without one.
did_you_mean("") := ""

did_you_mean(name) := sprintf("; did you mean %s?", [name]) if name != ""

# ended is a sentence with its point; a question has its mark.
ended(text) := text if endswith(text, "?")

ended(text) := concat("", [text, "."]) if not endswith(text, "?")

# unless_hidden says that a variable which is not set may come from sources that cannot be seen.
unless_hidden(set, sources) := [sprintf("This does not apply if envFrom sets it: %s.", [concat(", ", sources)]) |
	not set
	count(sources) > 0
]

# nearest is the name that most resembles a text, "" where none does. Letters and pairs of
# letters that both have are counted, so that a slip of the fingers, a half word (tenant)
# or a longer one (cronjob) still finds its name.
nearest(text, names) := found[count(found) - 1][1] if {
	parts := _parts(lower(substring(text, 0, 40)))
	found := sort([[shared, name] |
		some name in names
		of_name := _parts(lower(name))
		shared := (200 * count(parts & of_name)) / (count(parts) + count(of_name))
		shared >= 50
	])
	found != []
} else := ""

_parts(text) := {part |
	letters := split(text, "")
	some i, letter in letters
	some part in [letter, concat("", array.slice(letters, i, i + 2))]
}

# placeholder says that a text holds what is filled in before a manifest is applied. envsubst, Flux and OpenShift's
# Templates fill in ${NAME} and $NAME, kustomize's vars $(NAME), templates {{ }}, Argo CD's vault plugin <path:…>. The
# pipelines of Azure and Octopus fill in #{NAME}, Maven @NAME@, scripts %NAME% and __NAME__.
placeholder(text) if {
	is_string(text)
	regex.match(_placeholders, text)
}

_placeholders := concat("|", [
	`[$#]\{[^{}]+\}`, `\$\([^()]+\)`, `\{\{`, `^<[^<>]+>$`,
	`^(?:\$[A-Za-z_][\w.-]*|@[A-Za-z_][\w.-]*@|%[A-Za-z_][\w.-]*%|__[A-Za-z0-9_]+__)$`,
])
