package headroom.runtime.jvm

import data.headroom.process

# _property_files are the files of properties that Spring and Quarkus read and that a ConfigMap of the same input puts
# into the container: {path, text, at}. They look in `config` below the working directory and, Spring, in the working
# directory and where its own settings say. Properties win over YAML.
_property_files(c) := [{"path": path, "text": text, "at": array.concat(c.path, ["volumeMounts"])} |
	c.raw.volumeMounts
	some name in _property_names
	some path in sort({path | some mount in c.raw.volumeMounts; is_string(mount.mountPath); path := _path_in(mount, name)})
	_looked_in(c, path)
	text := process.mounted(c, path).text
]

_property_names := ["application.properties", "application.yaml", "application.yml"]

_path_in(mount, name) := mount.mountPath if endswith(mount.mountPath, concat("", ["/", name]))

_path_in(mount, name) := concat("/", [trim_right(mount.mountPath, "/"), name]) if {
	not endswith(mount.mountPath, concat("", ["/", name]))
}

_looked_in(_, path) if regex.match(`/config/[^/]+$`, path)

_looked_in(c, path) if path in {concat("/", [trim_right(c.raw.workingDir, "/"), name]) | some name in _property_names}

_looked_in(c, path) if {
	some text in array.concat(
		process.strings_of([e.value | some e in c.raw.env; e.name in _locations]),
		[word |
			some word in array.concat(process.strings_of(object.get(c.raw, "command", [])), process.args(c))
			contains(word, "spring.config.")
		],
	)
	contains(text, trim_right(regex.replace(path, `[^/]+$`, ""), "/"))
}

_locations := {"SPRING_CONFIG_LOCATION", "SPRING_CONFIG_ADDITIONAL_LOCATION", "SPRING_CONFIG_ADDITIONALLOCATION"}

# _property_in is what a file says of a property; of several documents of YAML, which may be of profiles, nothing.
_property_in(file, name) := trim_space(said[count(said) - 1][1]) if {
	endswith(file.path, ".properties")
	said := regex.find_all_string_submatch_n(
		sprintf(`(?m)^[ \t]*%s[ \t]*[=: \t][ \t]*(.*?)[ \t\r]*$`, [replace(name, ".", `\.`)]),
		file.text, -1,
	)
} else := sprintf("%v", [value]) if {
	not endswith(file.path, ".properties")
	not regex.match(`(?m)^---`, file.text)
	yaml.is_valid(file.text)
	value := _nested(yaml.unmarshal(file.text), name)
}

_nested(tree, name) := tree[name] if {
	tree[name]
} else := object.get(tree, split(name, "."), null) if {
	is_object(tree)
	not is_null(object.get(tree, split(name, "."), null))
}
