package headroom.runtime.jvm

# expand replaces $(NAME) as the kubelet does, in env values, command and args: $$ is a $,
# and the name of no variable stays as it is.
expand(c, text) := text if {
	not contains(text, "$")
} else := _joined(regex.split(_kubelet, text), [_kubelet_value(c, ref) | some ref in regex.find_n(_kubelet, text, -1)])

_kubelet := `\$\$|\$\([A-Za-z_.-][A-Za-z0-9_.-]*\)`

_kubelet_value(_, "$$") := "$"

_kubelet_value(c, ref) := _value_or(c, substring(ref, 2, count(ref) - 3), ref) if ref != "$$"

# expand_shell replaces what a shell would: only a plain $NAME with a literal value can be
# known. The image may define any other.
expand_shell(c, script, text) := text if {
	not regex.match("[$`]", text)
} else := _joined(
	regex.split(_shell, text),
	[_shell_value(c, script, ref) | some ref in regex.find_n(_shell, text, -1)],
)

_shell := "\\$\\{[^}]*\\}|\\$\\([^()]*\\)|\\$[A-Za-z_][A-Za-z0-9_]*|\\$[0-9@*#?$!-]|`[^`]*`"

_shell_value(c, script, ref) := value if {
	regex.match(_shell_variable, ref)
	name := trim(ref, "${}")
	not contains(script, concat("", [name, "="]))
	value := _value_or(c, name, unresolved)
} else := unresolved

_shell_variable := `^\$\{?[A-Za-z_][A-Za-z0-9_]*\}?$`

# A value that itself holds a reference is left unresolved: one level is what people write.
_value_or(c, name, fallback) := _resolved(_plain_variable(c, name), c, fallback)

_resolved(found, c, fallback) := found.value if {
	found.state == "literal"
	not contains(found.value, "$(")
} else := unresolved if {
	found.state != "absent"
} else := unresolved if {
	some source in bulk(c)
	source.why
} else := fallback

_joined(pieces, values) := concat("", [part |
	some i, piece in pieces
	part := concat("", [piece, object.get(_numbered(values), i, "")])
])

_numbered(values) := {i: value | some i, value in values}
