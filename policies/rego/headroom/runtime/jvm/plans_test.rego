package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# planned has the text and the path of each size that Flink plans beyond a limit of 1 GiB.
planned(more, files) := [[ceiling.terms[0].text, ceiling.path] | some ceiling in ceilings] if {
	ceilings := jvm.ceilings with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
			"containers": [object.union(
				{"name": "app", "image": "flink:1.18", "args": ["taskmanager"], "resources": {"limits": {"memory": "1Gi"}}},
				more,
			)],
			"volumes": [{"name": "conf", "configMap": {"name": "flink-config"}}],
		}},
		"context": {"config_maps": [config_map("flink-config", files)]},
	}
}

said(text) := {"env": [{"name": "FLINK_PROPERTIES", "value": text}]}

limit_path := ["spec", "containers", 0, "resources", "limits", "memory"]

env_path := ["spec", "containers", 0, "env", 0, "value"]

conf := {"volumeMounts": [{"name": "conf", "mountPath": "/opt/flink/conf"}]}

test_what_flink_plans if {
	task := "taskmanager.memory.process.size"
	every case in [
		[{}, {}, [[sprintf("Flink plans to take 1728 MiB (%s, the image's default)", [task]), limit_path]]],
		[{"args": ["jobmanager"]}, {}, [[
			"Flink plans to take 1600 MiB (jobmanager.memory.process.size, the image's default)",
			limit_path,
		]]],
		[{"args": ["history-server"]}, {}, []],
		[said(sprintf("a: b\n%s: 2 gb\n", [task])), {}, [[
			sprintf("Flink plans to take 2048 MiB (%s, FLINK_PROPERTIES)", [task]),
			env_path,
		]]],
		[said(sprintf("%s: 1024m", [task])), {}, []],
		[said(sprintf("%s: 1024m\n# %s: 4g\n#%s: 4g", [task, task, task])), {}, []],
		[said(sprintf("# %s: 4g", [task])), {}, [[
			sprintf("Flink plans to take 1728 MiB (%s, the image's default)", [task]),
			limit_path,
		]]],
		[{"image": "flink:1.9.3"}, {}, []],
		[{"command": ["sh", "-c", sprintf("taskmanager.sh start-foreground -D%s=3g taskmanager", [task])]}, {}, [[
			sprintf("Flink plans to take 3072 MiB (%s, command line)", [task]),
			limit_path,
		]]],
		[said("parallelism.default: 2"), {}, [[
			sprintf("Flink plans to take 1728 MiB (%s, the image's default)", [task]),
			limit_path,
		]]],
		[{"env": [{"name": "FLINK_PROPERTIES", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}]}, {}, []],
		[{"args": ["taskmanager", sprintf("-D%s=3g", [task])]}, {}, [[
			sprintf("Flink plans to take 3072 MiB (%s, command line)", [task]),
			limit_path,
		]]],
		[conf, {"flink-conf.yaml": sprintf("%s: 4g\n", [task])}, [[
			sprintf("Flink plans to take 4096 MiB (%s, /opt/flink/conf/flink-conf.yaml)", [task]),
			limit_path,
		]]],
		[conf, {"flink-conf.yaml": sprintf("%s: 4g\n", [task]), "config.yaml": sprintf("%s: 3g\n", [task])}, [[
			sprintf("Flink plans to take 4096 MiB (%s, /opt/flink/conf/flink-conf.yaml)", [task]),
			limit_path,
		]]],
		[conf, {"flink-conf.yaml": "taskmanager.memory.flink.size: 1023m\n"}, []],
		[conf, {"flink-conf.yaml": "taskmanager.memory.flink.size: 1g\n"}, [[
			"Flink plans to take 1024 MiB (taskmanager.memory.flink.size, /opt/flink/conf/flink-conf.yaml)",
			limit_path,
		]]],
		[conf, {"flink-conf.yaml": sprintf("#%s: 4g\n", [task])}, []],
		[{"resources": null}, {}, []],
		[{"image": "example.com/flink-job:1"}, {}, []],
	] {
		planned(case[0], case[1]) == case[2]
	}
}

test_what_would_fit_in_place_of_a_part if {
	[ceiling] := jvm.ceilings with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"image": "flink:1.18",
		"args": ["jobmanager", "-Djobmanager.memory.flink.size=2g", "-Djobmanager.memory.process.size=1g"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	ceiling.expected == "jobmanager.memory.process.size: 1024m in place of it, as much as limits.memory"
}

test_what_would_fit_a_plan if {
	[ceiling] := jvm.ceilings with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"image": "flink:1.18",
		"args": ["taskmanager"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	ceiling.expected == "taskmanager.memory.process.size: 1024m, as much as limits.memory, or limits.memory of 1728Mi"
	ceiling.before == "Flink fills what it planned"
}
