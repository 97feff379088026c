package headroom.runtime.jvm

import data.headroom.workload

# unresolved stands in a text for a part that the manifest does not show. Neither a
# manifest's text nor the kernel's arguments hold this character.
unresolved := "\u0002"

# variable is what a container's variable holds when its process starts:
#   {"state": "literal", value, path} or {"state": "unknown", why, path} or {"state": "absent"}
# env overrides envFrom, and the last of several entries wins.
variable(c, name) := _expanded(c, found) if {
	found := _plain_variable(c, name)
	contains(object.get(found, "value", ""), "$")
} else := _plain_variable(c, name)

_expanded(c, found) := object.union(found, {"value": expand(c, found.value)})

_plain_variable(c, name) := _entry(c, i) if {
	places := [i | c.raw.env[i].name == name]
	count(places) > 0
	i := places[count(places) - 1]
} else := found[count(found) - 1] if {
	found := [v | some source in bulk(c); v := _from_bulk(source, name)]
	count(found) > 0
} else := {"state": "absent"}

_entry(c, i) := {"state": "literal", "value": value, "path": array.concat(c.path, ["env", i, "value"])} if {
	value := c.raw.env[i].value
	is_string(value)
} else := object.union(_entry_value(c.raw.env[i]), {"path": array.concat(c.path, ["env", i])})

_entry_value(entry) := {"state": "unknown", "why": "a Secret holds it"} if {
	entry.valueFrom.secretKeyRef
} else := _map_value(entry.valueFrom.configMapKeyRef) if {
	is_object(entry.valueFrom.configMapKeyRef)
} else := {"state": "unknown", "why": "valueFrom fills it in when the Pod starts"} if {
	is_object(entry.valueFrom)
} else := {"state": "literal", "value": ""}

_map_value(ref) := {"state": "literal", "value": value} if {
	value := config_map(ref.name).data[ref.key]
	is_string(value)
} else := {"state": "unknown", "why": sprintf("ConfigMap %v: %s", [ref.name, why])} if {
	why := config_map(ref.name).why
} else := {"state": "unknown", "why": sprintf("ConfigMap %v has no such key", [object.get(ref, "name", "?")])}

# config_map is the data of a ConfigMap of the same input, or why it is not known.
config_map(name) := {"data": found[0]} if {
	found := _config_maps(name)
	count(found) == 1
} else := {"why": "it is not in the input"} if {
	count(_config_maps(name)) == 0
} else := {"why": "the input has several that differ"}

_config_maps(name) := [d | some d in found] if {
	found := {object.get(m, "data", {}) | some m in workload.context.config_maps; m.metadata.name == name}
}

# bulk lists what envFrom brings, in order: {prefix, data, path} or {prefix, why, path}.
bulk(c) := [object.union(_bulk_source(source), {
	"prefix": object.get(source, "prefix", ""),
	"path": array.concat(c.path, ["envFrom", i]),
}) |
	some i, source in c.raw.envFrom
	is_object(source)
	is_string(object.get(source, "prefix", ""))
]

_bulk_source(source) := {"data": map.data} if {
	map := config_map(source.configMapRef.name)
	is_object(map.data)
} else := {"data": {}} if {
	# A ConfigMap without data sets nothing.
	config_map(source.configMapRef.name).data == null
} else := {"why": sprintf("ConfigMap %v: %s", [name, config_map(name).why])} if {
	name := source.configMapRef.name
} else := {"why": sprintf("Secret %v", [object.get(source, ["secretRef", "name"], "?")])}

_from_bulk(source, name) := {"state": "literal", "value": value, "path": source.path} if {
	startswith(name, source.prefix)
	value := source.data[trim_prefix(name, source.prefix)]
	is_string(value)
}

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
