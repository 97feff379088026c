package headroom.process

# config_map is the data of a ConfigMap of the same input, or why it is not known. The engine listens to it for the
# names of ConfigMaps to read.
config_map(name, c) := {"data": found[0]} if {
	found := _config_maps(name, c)
	count(found) == 1
} else := {"why": "it is not in the input"} if {
	count(_config_maps(name, c)) == 0
} else := {"why": "the input has several that differ"}

_config_maps(name, c) := [d | some d in found] if {
	found := {object.get(m, "data", {}) | some m in c.beside.config_maps; m.metadata.name == name}
}
