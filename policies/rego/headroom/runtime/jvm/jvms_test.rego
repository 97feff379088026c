package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# What the tests of this package share.

all := {8, 11, 17, 21, 25, 26, 28}

since_11 := {11, 17, 21, 25, 26, 28}

none := set()

pod(containers, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": annotations},
	"spec": {"containers": containers},
}

# models are those of a Pod with one container, `app`; model is the only one.
models(container, annotations) := found if {
	named := object.union({"name": "app", "image": "registry.example.com/app:1"}, container)
	found := jvm.jvms with input as pod([named], annotations)
}

model(container, annotations) := found if [found] := models(container, annotations)

# set_to has one variable, under_java arguments in front of a jar.
set_to(name, value) := model({"env": [{"name": name, "value": value}]}, {})

under_java(args) := model({"command": ["java"], "args": array.concat(args, ["-jar", "/app.jar"])}, {})

declared(args, release) := model(
	{"command": ["java"], "args": array.concat(args, ["-jar", "/app.jar"])},
	{"jvm.headroom.dev/app": sprintf("version=%d", [release])},
)

# measured_as has containers as the measurements ran them, one for each release: on 2 processors
# and 4 GiB unless the row says otherwise.
measured_as(i, row) := pod(
	[container |
		some release in all
		container := {
			"name": sprintf("%d-%d", [i, release]),
			"command": ["java"],
			"args": array.concat(object.get(row, "args", []), ["-jar", "/app.jar"]),
			"env": [{"name": name, "value": value} | some name, value in object.get(row, "env", {})],
			"resources": {"limits": {
				"cpu": object.get(row, "cpu", "2"),
				"memory": object.get(row, "memory", "4Gi"),
			}},
		}
	],
	{sprintf("jvm.headroom.dev/%d-%d", [i, release]): sprintf("version=%d", [release]) | some release in all},
)

# started are their models, by row and release.
started(rows) := {j.container: j |
	some i, row in rows
	found := jvm.jvms with input as measured_as(i, row)
	some j in found
}

# differences are the rows of which the model does not say what was measured; a JVM of which it says
# nothing is one that does not start.
differences(rows) := [{"row": row, "model": found} |
	js := started(rows)
	some i, row in rows
	found := {release | some release in all; not js[sprintf("%d-%d", [i, release])].startup == []}
	found != {release | some release in row.refusing}
]

# part has 4 rows of a table: conftest gives a test 5 s.
part(rows, i) := array.slice(rows, i * 4, (i + 1) * 4)

# last_part holds where no row comes after the part.
last_part(rows, i) if count(rows) <= (i + 1) * 4
