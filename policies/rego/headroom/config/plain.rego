package headroom.config

# The file as conftest hands it over: unchecked. A value of the wrong kind would stop the
# evaluation, and lose every finding with it. So what cannot be read is left at its default;
# `headroom lint` refuses such a file and names the line.
_readable := {key: value | some key, given in _plain; value := _fitting(key, given)}

# unmatched are the patterns of the file with more stars than matches looks at: they cover nothing.
unmatched contains pattern if {
	walk(_overrides, [path, pattern])
	path[0] in {"classes", "ignore", "images", "sidecars"}
	is_string(pattern)
	path[count(path) - 1] != "reason"
	count(split(pattern, "*")) > 4
}

# Named one by one: a lookup by any key would reach the policies themselves.
_plain["defaultClass"] := data.defaultClass

_plain["tolerance"] := data.tolerance

_plain["matrix"] := data.matrix

_plain["sidecars"] := data.sidecars

_plain["memory"] := data.memory

_plain["jvm"] := data.jvm

_plain["measured"] := data.measured

_plain["nodes"] := data.nodes

_plain["classes"] := data.classes

_plain["images"] := data.images

_plain["kinds"] := data.kinds

_plain["rules"] := data.rules

_plain["ignore"] := data.ignore

_fitting(key, value) := value if {
	key in {"defaultClass", "tolerance"}
	type_name(value) == type_name(defaults[key])
}

_fitting(key, value) := {name: part |
	some name, part in value
	type_name(part) == type_name(defaults[key][name])
	_texts(part)
} if {
	key in {"sidecars", "memory", "jvm", "measured", "nodes"}
	is_object(value)
}

_fitting("matrix", value) := {name: row |
	some name, row in value
	is_string(row.request)
	_limit(row.limit)
} if {
	is_object(value)
}

_fitting("classes", value) := [entry |
	some entry in value
	is_string(entry.class)
	is_string(object.get(entry, "namespace", "*"))
	labels := object.get(entry, "labels", {})
	is_object(labels)
	_texts([text | some text in labels])
	count(labels) + count(object.get(entry, "namespace", "")) > 0
] if {
	is_array(value)
}

_fitting("images", value) := [image |
	some image in value
	is_array(image.names)
	_texts(image.names)
] if {
	is_array(value)
}

_fitting("kinds", value) := [entry |
	some entry in value
	is_string(entry.group)
	is_string(entry.kind)
	is_array(entry.pods)
	every pod in entry.pods { _pod_entry(pod) }
] if {
	is_array(value)
}

_fitting("rules", value) := {name: part | some name, part in value; is_object(part)} if is_object(value)

_fitting("ignore", value) := [entry | some entry in value; _exemption(entry)] if is_array(value)

# The lists of these sections are lists of text.
_texts(part) if not is_array(part)

_texts(part) if {
	is_array(part)
	every entry in part { is_string(entry) }
}

_limit(limit) if is_string(limit)

_limit(limit) if is_number(limit.timesAverage)

_exemption(entry) if {
	is_array(entry.rules)
	is_string(entry.reason)
	every key, part in entry {
		_exemption_part(key, part)
	}
}

_exemption_part("rules", _)

_exemption_part(_, part) if is_string(part)

# Patterns are texts, and lists of them.
_pod_entry(pod) if {
	_rooted(pod)
	every key, part in pod {
		_pod_part(key, part)
	}
}

_rooted(pod) if pod.template

_rooted(pod) if {
	pod.at
	pod.container
}

_pod_part("partial", part) if is_boolean(part)

_pod_part(_, part) if is_string(part)

_pod_part(_, part) if {
	is_array(part)
	_texts(part)
}
