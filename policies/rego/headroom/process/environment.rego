package headroom.process

# unresolved stands in a text for a part that the manifest does not show. Neither a
# manifest's text nor the kernel's arguments hold this character.
unresolved := "\u0002"

# variable is what a container's variable holds when its process starts:
#   {"state": "literal", value, path} or {"state": "unknown", why, path} or {"state": "absent"}
# env overrides envFrom, and the last of several entries wins.
variable(c, name) := _expanded(c, i, _entry(c, i)) if {
	places := [i | c.raw.env[i].name == name]
	count(places) > 0
	i := places[count(places) - 1]
	not _by_image(c, i)
} else := found[count(found) - 1] if {
	found := [v | some source in bulk(c); v := _from_bulk(source, name)]
	count(found) > 0
} else := _expanded(c, i, _entry(c, i)) if {
	i := [i | c.raw.env[i].name == name][0]
} else := {"state": "absent"}

# What the image sets stands behind all that the manifest does, and gives way to it.
_by_image(c, i) if i >= c.raw.inside.env

# Only what stands in env is expanded.
_expanded(c, i, found) := object.union(found, {"value": _expanded_at(c, found.value, i)}) if {
	is_string(c.raw.env[i].value)
	contains(c.raw.env[i].value, "$")
} else := found

_entry(c, i) := {"state": "literal", "value": value, "path": array.concat(c.path, ["env", i, "value"])} if {
	value := c.raw.env[i].value
	is_string(value)
} else := object.union(_entry_value(c, c.raw.env[i]), {"path": array.concat(c.path, ["env", i])})

_entry_value(c, entry) := {"state": "unknown", "why": "a Secret holds it"} if {
	entry.valueFrom.secretKeyRef
} else := _map_value(c, entry.valueFrom.configMapKeyRef) if {
	is_object(entry.valueFrom.configMapKeyRef)
} else := {"state": "unknown", "why": "valueFrom fills it in when the Pod starts"} if {
	is_object(entry.valueFrom)
} else := {"state": "literal", "value": ""}

_map_value(c, ref) := {"state": "literal", "value": value} if {
	value := config_map(ref.name, c).data[ref.key]
	is_string(value)
} else := {"state": "unknown", "why": sprintf("ConfigMap %v: %s", [ref.name, why])} if {
	why := config_map(ref.name, c).why
} else := {"state": "unknown", "why": sprintf("ConfigMap %v has no such key", [object.get(ref, "name", "?")])}

# bulk lists what envFrom brings, in order: {prefix, data, path} or {prefix, why, path}.
bulk(c) := [object.union(_bulk_source(c, source), {
	"prefix": object.get(source, "prefix", ""),
	"path": array.concat(c.path, ["envFrom", i]),
}) |
	some i, source in c.raw.envFrom
	is_object(source)
	is_string(object.get(source, "prefix", ""))
]

_bulk_source(c, source) := {"data": map.data} if {
	map := config_map(source.configMapRef.name, c)
	is_object(map.data)
} else := {"data": {}} if {
	# A ConfigMap without data sets nothing.
	config_map(source.configMapRef.name, c).data == null
} else := {"why": sprintf("ConfigMap %v: %s", [name, config_map(name, c).why])} if {
	name := source.configMapRef.name
} else := {"why": sprintf("Secret %v", [object.get(source, ["secretRef", "name"], "?")])}

_from_bulk(source, name) := {"state": "literal", "value": value, "path": source.path} if {
	startswith(name, source.prefix)
	value := source.data[trim_prefix(name, source.prefix)]
	is_string(value)
}
