package headroom.images_test

import data.headroom.runtime.jvm

# every_line_is_as_read: each example of a family, or of a part of it, gives the line that its file says.
every_line_is_as_read(family, from, to) if {
	part := array.slice(examples[family], from, to)
	count(part) > 0
	every example in part {
		line_of(example) == example.line
	}
}

line_of(example) := concat(" ", [part.text |
	some part in object.get(found[0].script, "parts", [])
	part.text != ""
]) if {
	found := jvm.jvms with input as pod(example)
}

pod(example) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": {"runtime.headroom.dev/app": "jvm"}},
	"spec": {"containers": [object.union(object.filter(example, ["image", "command", "args"]), {
		"name": "app",
		"env": [{"name": name, "value": sprintf("%v", [value])} | some name, value in example.env],
		"resources": {"limits": {key: example.limit | some [key, _] in [["memory", example.limit]]}},
	})]},
}
