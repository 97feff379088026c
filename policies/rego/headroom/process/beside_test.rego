package headroom.process_test

import data.headroom.process

_maps := [
	{"metadata": {"name": "one"}, "data": {"A": "1", "file": "text"}},
	{"metadata": {"name": "two"}, "data": {"A": "1"}},
	{"metadata": {"name": "two"}, "data": {"A": "2"}},
]

_beside(raw) := {
	"raw": raw,
	"path": ["c"],
	"cpu_limit": 500,
	"beside": {
		"config_maps": _maps,
		"volumes": [{"name": "config", "configMap": {"name": "one"}}, {"name": "data", "emptyDir": {}}],
		"resources": [{"name": "other", "cpu_limit": 2000}],
	},
}

test_config_maps if {
	process.config_map("one", _beside({})) == {"data": {"A": "1", "file": "text"}}
	process.config_map("two", _beside({})) == {"why": "the input has several that differ"}
	process.config_map("none", _beside({})) == {"why": "it is not in the input"}
}

test_variables_of_a_config_map if {
	from := [{"prefix": "P_", "configMapRef": {"name": "one"}}, {"configMapRef": {"name": "none"}}]
	process.variable(_beside({"envFrom": from}), "P_A") == {"state": "literal", "value": "1", "path": ["c", "envFrom", 0]}
	process.variable(_beside({"envFrom": from}), "A") == {"state": "absent"}
	[source.why | some source in process.bulk(_beside({"envFrom": from}))] == ["ConfigMap none: it is not in the input"]
}

test_files_of_volumes if {
	mounts := [{"name": "config", "mountPath": "/etc/app"}, {"name": "data", "mountPath": "/data/"}]
	c := _beside({"volumeMounts": mounts})
	process.mounted(c, "/etc/app/file") == {"text": "text"}
	process.mounted(c, "/data/file") == {"why": "a volume other than a ConfigMap holds it"}
	not process.mounted(c, "/etc/other")
}

test_amounts if {
	process.amount(_beside({}), {"resource": "limits.cpu"}) == {"value": 1, "node": false, "divided": false}
	of_other := {"resource": "limits.cpu", "containerName": "other", "divisor": "1m"}
	process.amount(_beside({}), of_other) == {"value": 2000, "node": false, "divided": true}
	not process.amount(_beside({}), {"resource": "limits.cpu", "containerName": "none"})
}
