package headroom.runtime.jvm_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.jvm

own_image(record) := {"images": [object.union({"names": ["team/app"]}, record)]}

# line is what a container of team/app gets, of an image with these parts.
script_line(parts, container) := [text | some part in found.script.parts; text := said_of(part)] if {
	found := started_by({"line": parts}, container)
}

said_of(part) := object.get(part, "text", object.get(part, "why", ""))

started_by(record, container) := found if {
	[found] := jvm.jvms with input as pod_of_app(container) with data.headroom.overrides as own_image(record)
}

pod_of_app(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app"},
	"spec": {"containers": [object.union({"name": "app", "image": "registry.example.com/team/app:1.2"}, container)]},
}

set_in_env(name, value) := {"env": [{"name": name, "value": value}]}

test_variables_and_their_defaults if {
	part := [{"variable": "OPTS", "default": "-Xmx1g"}]
	script_line(part, {}) == ["-Xmx1g"]
	script_line(part, set_in_env("OPTS", "")) == ["-Xmx1g"]
	script_line(part, set_in_env("OPTS", "-Xmx2g")) == ["-Xmx2g"]
	script_line([{"variable": "OPTS"}], {}) == []
	script_line(part, {"env": [{"name": "OPTS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]}) == [
		"a Secret holds it",
	]
}

test_sizes if {
	part := [{"size": "HEAP", "becomes": "-Xms{} -Xmx{}", "default": "1g"}]
	script_line(part, {}) == ["-Xms1g -Xmx1g"]
	script_line(part, set_in_env("HEAP", "512m")) == ["-Xms512m -Xmx512m"]
	script_line(part, set_in_env("HEAP", "1024")) == ["-Xms1024 -Xmx1024"]
	script_line(part, set_in_env("HEAP", "auto")) == ["its value is not a size"]
}

test_shares_of_the_limit if {
	part := {"percent": 50, "becomes": "-Xmx{}m"}
	script_line([part], limited_to_1000) == ["-Xmx500m"]
	script_line([object.union(part, {"most": 400})], limited_to_1000) == ["-Xmx400m"]
	script_line([object.union(part, {"least": 600})], limited_to_1000) == ["-Xmx600m"]
	script_line([part], {}) == ["it takes a share of the node's memory"]
	script_line([object.union(part, {"of": "node"})], limited_to_1000) == ["it takes a share of the node's memory"]
	started_by({"line": [part]}, limited_to_1000).heap.bytes == 524288000
}

limited_to_1000 := {"resources": {"limits": {"memory": "1000Mi"}}}

ratio_line(value) := script_line(
	[{"percent": 50, "variable": "RATIO", "becomes": "-Xmx{}m"}],
	object.union(limited_to_1000, set_in_env("RATIO", value)),
)

# A variable may say the percentage; a share of 0 leaves the option out.
test_shares_that_a_variable_says if {
	script_line([{"percent": 50, "variable": "RATIO", "becomes": "-Xmx{}m"}], limited_to_1000) == ["-Xmx500m"]
	ratio_line("") == ["-Xmx500m"]
	ratio_line("85") == ["-Xmx850m"]
	ratio_line("0") == [""]
	every value in ["much", "-5", "12.5", "1000"] {
		ratio_line(value) == ["a percentage in a variable cannot be read"]
	}
}

test_which_share_decides_on_the_heap if {
	parts := [{"percent": 50, "most": 800, "becomes": "-Xms{}m -Xmx{}m"}, {"variable": "OPTS"}]
	jvm.share_of_limit(started_by({"line": parts}, limited_to_1000)) == {"percent": 50, "least": 0, "most": 800}
	not jvm.share_of_limit(started_by({"line": parts}, object.union(limited_to_1000, set_in_env("OPTS", "-Xmx500m"))))
	not jvm.share_of_limit(started_by({"line": [{"variable": "OPTS"}]}, limited_to_1000))
	not jvm.share_of_limit(started_by({"line": [{"percent": 10, "becomes": "-Xms{}m"}]}, limited_to_1000))
}

test_conditions if {
	holds := {
		"tag": "^1",
		"words": "worker$",
		"not_words": "^worker",
		"option": "^[?]$",
		"not_option": "^--driver",
		"mounted": "/conf$",
		"not_mounted": "^/conf",
		"set": "HOME",
		"unset": "NOWHERE",
		"equals": {"HOME": "/"},
		"lacks": "-Xms",
	}
	fails := {
		"tag": "^2",
		"words": "^worker",
		"not_words": "worker$",
		"option": "^--driver",
		"not_option": "^[?]$",
		"mounted": "^/conf",
		"not_mounted": "/conf$",
		"set": "NOWHERE",
		"unset": "HOME",
		"equals": {"HOME": ""},
		"lacks": "-Xmx",
	}
	container := {
		"args": ["start", "worker"], "env": [
			{"name": "HOME", "value": "/"},
			{"name": "OPTS", "value": "-Xmx1g"},
		],
		"volumeMounts": [{"name": "a", "mountPath": "/opt/spark/conf"}],
	}
	every key, value in holds {
		script_line([{"variable": "OPTS"}, {"options": "-server", "when": {key: value}}], container) == ["-Xmx1g", "-server"]
	}
	every key, value in fails {
		script_line([{"variable": "OPTS"}, {"options": "-server", "when": {key: value}}], container) == ["-Xmx1g"]
		both := object.union({"tag": "^1"}, {key: value})
		script_line([{"variable": "OPTS"}, {"options": "-server", "when": both}], container) == ["-Xmx1g"]
	}

	# What a variable brings behind a part is not there when the script looks.
	size := {"options": "-Xms4g -Xmx4g", "when": {"lacks": "-Xmx"}}
	script_line([size, {"variable": "OPTS"}], container) == ["-Xms4g -Xmx4g", "-Xmx1g"]
}

# An option of spark-submit is known where each of its calls says the same, and all of them are read.
test_options if {
	record := {
		"entrypoint": ["spark-submit"],
		"line": [{"argument": "^--driver-memory[ =](.*)$", "becomes": "-Xmx{}"}],
	}
	differ := "not all options of its calls can be read, or they differ"
	every script, want in {
		"spark-submit a.py": [], "spark-submit --driver-memory 2g a.py": ["-Xmx2g"],
		"spark-submit --driver-memory 1g --driver-memory 2g a.py": ["-Xmx2g"],
		"spark-submit --driver-memory 2g a.py; spark-submit b.py": [differ],
		"spark-submit --driver-memory $MEMORY a.py": [differ],
		"spark-submit --driver-memory 2 a.py": [differ], "spark-submit $ALL a.py": [differ],
		"sh -c \"sh -c 'sh -c spark-submit'\"": [differ], "run.sh": [differ],
	} {
		[said_of(part) | some part in started_by(record, {"command": ["sh", "-c", script]}).script.parts] == want
	}
}

# What a script takes from a place that cannot be read has no number.
test_a_heap_that_is_not_known if {
	hidden := started_by({"line": [{"unknown": "it asks the node", "sets": ["-Xmx"]}]}, {})
	[hidden.heap.bytes, hidden.heap.set] == [0, true]
	[[u.what, u.why] | some u in hidden.unknown] == [["the image's start script", "it asks the node"]]
	not hidden.secret
	set_after := started_by({"line": [{"unknown": "it asks the node", "sets": ["-Xmx"]}, {"options": "-Xmx1g"}]}, {})
	set_after.heap.bytes == 1073741824
}

test_which_commands_run_the_script if {
	record := {"entrypoint": ["/opt/app/start.sh", "bin/app"], "line": [{"options": "-Xmx1g"}], "not_jvm": "^cli"}
	every command in [[], ["/opt/app/start.sh"], ["start.sh"], ["sh", "-c", "sleep 1; exec /opt/app/bin/app run"]] {
		started_by(record, {"command": command}).sure
	}
	every args in [["worker"], ["-v"]] {
		started_by(record, {"args": args}).sure
	}
	every script in ["cp /a /b; /scripts/setup.sh", "exec docker-entrypoint.sh app", "/opt/other/run"] {
		not started_by(record, {"command": ["bash", "-ec", script]}).sure
	}
	library := {"command": ["bash"], "args": ["-ec", ". /opt/libapp.sh\ninfo copying\ncp -r /opt/app/conf /writable\n"]}
	copying := jvm.jvms with input as pod_of_app(library) with data.headroom.overrides as own_image(record)
	copying == []
	perhaps := started_by(record, {"command": ["/scripts/setup.sh"]})
	[perhaps.sure, perhaps.sources, perhaps.heap.set] == [false, [], true]
	{[u.what, u.why] | some u in perhaps.unknown} == {
		["the command", "a script starts java, and may add flags"],
		["the image's start script", "the command is another script"],
	}
	started_by(record, {"command": ["/opt/our-entrypoint.sh"]}).heap.bytes == 1073741824
	every container in [{"command": ["app-cli"]}, {"args": ["cli"]}, {"args": ["sleep", "1h"]}] {
		found := jvm.jvms with input as pod_of_app(container) with data.headroom.overrides as own_image(record)
		found == []
	}
	read_by_java := object.union({"command": ["app-cli"]}, set_in_env("JAVA_TOOL_OPTIONS", "-Xmx1g"))
	started_by(record, read_by_java).sure
}

# A file over the image's script is another script.
test_a_script_that_is_mounted_over if {
	record := {"entrypoint": ["/opt/app/start.sh"], "line": [{"options": "-Xmx1g"}, {"variable": "JAVA_OPTS"}]}
	over := {"volumeMounts": [{"name": "scripts", "mountPath": "/opt/app/start.sh", "subPath": "start.sh"}]}
	found := started_by(record, object.union(over, set_in_env("JAVA_OPTS", "-Xms64m")))
	not found.sure
	[[s.name, s.assumed] | some s in found.sources] == [["JAVA_OPTS", true]]
	beside := {"volumeMounts": [{"name": "scripts", "mountPath": "/opt/app/conf"}]}
	started_by(record, beside).sure
}

mounted_file(volume, mount) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app"},
	"spec": {
		"volumes": [{"name": "other"}, object.union({"name": "config"}, volume)],
		"containers": [{
			"name": "app",
			"image": "team/app:1",
			"volumeMounts": [{"name": "other", "mountPath": "/etc"}, object.union({"name": "config"}, mount)],
		}],
	},
}

map_of(texts) := {"metadata": {"name": "options"}, "data": texts}

file_text(volume, mount, texts) := found.script.parts[0] if {
	[found] := jvm.jvms with input as reviews.of_object(mounted_file(volume, mount), {"config_maps": [map_of(texts)]})
		with data.headroom.overrides as own_image({"line": [{"file": "/etc/app/jvm.config", "default": "-Xmx1g"}]})
}

test_files_of_config_maps if {
	texts := {"jvm.config": "# memory\n-Xmx3g\n\n  -XX:+UseZGC\nrest", "other": "-Xmx5g"}
	map := {"configMap": {"name": "options"}}
	file_text(map, {"mountPath": "/etc/app"}, texts).text == "-Xmx3g -XX:+UseZGC"
	file_text(map, {"mountPath": "/etc/app/"}, texts).text == "-Xmx3g -XX:+UseZGC"
	file_text(map, {"mountPath": "/etc/app/jvm.config", "subPath": "other"}, texts).text == "-Xmx5g"
	items := {"configMap": {"name": "options", "items": [{"key": "other", "path": "jvm.config"}]}}
	file_text(items, {"mountPath": "/etc/app"}, texts).text == "-Xmx5g"
	gone := file_text({"configMap": {"name": "gone"}}, {"mountPath": "/etc/app"}, texts)
	gone.why == "ConfigMap gone: it is not in the input"
	secret := file_text({"secret": {"secretName": "s"}}, {"mountPath": "/etc/app"}, texts)
	secret.why == "a volume other than a ConfigMap holds it"
	file_text(map, {"mountPath": "/var"}, texts).why == "a volume other than a ConfigMap holds it"
}

test_a_file_that_nothing_covers if {
	mounts := [{"name": "data", "mountPath": "/opt/ap"}]
	script_line([{"file": "/opt/app/jvm.config", "default": "-Xmx1g"}], {"volumeMounts": mounts}) == ["-Xmx1g"]
}

# A script in a ConfigMap that ends in the image's own.
test_a_script_of_a_config_map if {
	[found] := jvm.jvms with input as reviews.of_pod(
		{},
		{
			"volumes": [{"name": "scripts", "configMap": {"name": "options"}}],
			"containers": [{
				"name": "app",
				"image": "team/app:1",
				"command": ["/scripts/setup"],
				"volumeMounts": [{"name": "scripts", "mountPath": "/scripts"}],
			}],
		},
		{"config_maps": [map_of({"setup": "export A=b\nexec /opt/app/start.sh"})]},
	)
		with data.headroom.overrides as own_image({"entrypoint": ["/opt/app/start.sh"], "line": [{"options": "-Xmx1g"}]})
	found.sure
}

release_17 := [{"tag": "", "release": 17}]

writes(record, container) if {
	found := [jvm.injectable(j) | some j in jvm.jvms] with input as pod_of_app(container)
		with data.headroom.overrides as own_image(record)
	found == [true]
}

test_what_a_script_takes_away if {
	container := set_in_env("JAVA_TOOL_OPTIONS", "-Xmx2g")
	record := {"java": release_17, "line": [{"options": "-Xmx1g"}]}
	[s.name | some s in started_by(record, container).sources] == ["JAVA_TOOL_OPTIONS", "the image's start script"]
	taken := started_by(object.union(record, {"unsets": ["JAVA_TOOL_OPTIONS"]}), container)
	[s.name | some s in taken.sources] == ["the image's start script"]
	writes(record, {})
	not writes(object.union(record, {"unsets": ["JAVA_TOOL_OPTIONS"]}), {})
	not writes(object.union(record, {"drops_environment": true}), {})

	# An entry would take the place of what the image sets.
	of_image := {"java": release_17, "line": [{"variable": "JAVA_TOOL_OPTIONS", "default": "-javaagent:/agent.jar"}]}
	not writes(of_image, {})
	writes(of_image, container)
	writes({"java": release_17, "line": [{"variable": "JAVA_TOOL_OPTIONS"}]}, {})

	# java reads it by itself, whatever a script does with it.
	twice := started_by({"line": [{"variable": "JAVA_TOOL_OPTIONS"}, {"options": "-Xmx1g"}]}, container)
	[s.name | some s in twice.sources] == ["JAVA_TOOL_OPTIONS", "the image's start script"]
	last := started_by(record, set_in_env("_JAVA_OPTIONS", "-Xmx3g"))
	last.heap.bytes == 3221225472
}

test_releases_of_tags if {
	versions := {tag: [found.version, found.least_version] |
		some tag in ["17-jre", "next", "21.0.1_12"]
		[found] := jvm.jvms with input as pod_of_app({"image": concat(":", ["team/app", tag]), "command": ["java", "Main"]})
			with data.headroom.overrides as own_image({"java": [
				{"tag": "^17", "release": "tag"},
				{"tag": "^([0-9]+)[.]", "release": "tag"},
				{"tag": "^17", "release": 17},
				{"tag": "", "least": 11},
			]})
	}
	versions == {"17-jre": [0, 0], "next": [0, 11], "21.0.1_12": [21, 0]}
	[known] := jvm.jvms with input as pod_of_app({"image": "eclipse-temurin:17-jre", "command": ["java", "Main"]})
	known.version == 17
}

test_openj9_is_no_hotspot if {
	jvm.jvms == [] with input as pod_of_app({"image": "ibm-semeru-runtimes:open-21-jre", "command": ["java", "Main"]})
}

refused_beside(options, value) := {[entry.flags, entry.versions] | some entry in found.startup} if {
	record := {"line": [{"options": options}, {"variable": "OPTS"}]}
	container := {"env": [{"name": "OPTS", "value": value}]}
	[found] := jvm.jvms with input as pod_of_app(container) with data.headroom.overrides as own_image(record)
}

# An image starts with its own options: they tell what its release cannot be, and are no mistake of the user.
test_an_image_s_own_options_tell_its_release if {
	refused_beside("-XX:+UseConcMarkSweepGC", "") == set()
	refused_beside("-XX:+UseConcMarkSweepGC", "-Xlog:gc*") == {[["-Xlog:gc*"], [8]]}
	refused_beside("-XX:+PrintGCDetails -XX:+UseStringDeduplication", "-Xlog:gc") == {[["-Xlog:gc"], [8]]}
	refused_beside("-Xlog:gc", "-XX:+PrintGCDateStamps") == {[["-XX:+PrintGCDateStamps"], [11, 17, 21, 25]]}
	count(refused_beside("-XX:+UseConcMarkSweepGC", "-XX:+UseG1GC")) == 1
}

of_unread(container) := [jvm.unread(found), jvm.gc_known(found), found.heap.bytes] if {
	[found] := jvm.jvms with input as pod_of_app(object.union(
		{"resources": {"limits": {"memory": "4Gi", "cpu": "4"}}},
		container,
	))
}

# If the script was not read, no default of the JVM is taken for what it sets.
test_scripts_that_nobody_has_read if {
	of_unread({"image": "registry.example.com/kafka:3"}) == [true, false, 0]
	of_unread({"env": [{"name": "JAVA_OPTS", "value": "-XX:+UseG1GC"}]}) == [true, true, 0]
	of_unread({"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]}) == [true, false, 1073741824]
	of_unread({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Dx=y"}]}) == [false, true, 1073741824]
	of_unread({"image": "eclipse-temurin:21"}) == [false, true, 1073741824]
	of_unread({"command": ["java", "-jar", "a.jar"]}) == [false, true, 1073741824]
	of_unread({"image": "tomcat:10"}) == [false, true, 1073741824]
}

# Where the entrypoint is java itself, args are java's own, and nothing hides.
test_an_entrypoint_that_is_java if {
	jar := started_by({"command": ["java", "-jar"]}, {"args": ["app.jar", "-Xmx1g"]})
	[jar.sure, jar.visible, jar.command.words, jar.unknown] == [true, true, ["-jar"], []]
	flags := started_by({"command": ["java"]}, {"args": ["-Xmx1g", "-jar", "app.jar"]})
	[flags.heap.bytes, flags.unknown] == [1073741824, []]
	other := jvm.jvms with input as pod_of_app({"command": ["sleep", "1h"]})
		with data.headroom.overrides as own_image({"command": ["java", "-jar"]})
	other == []
	[distroless] := jvm.jvms with input as pod_of_app({"image": "gcr.io/distroless/java21-debian12", "args": ["a.jar"]})
	[distroless.version, distroless.evidence] == [21, "its command runs java"]
}

# Of two records that name one image the last counts.
test_an_image_that_is_named_twice if {
	records := [{"names": ["team/app"], "line": [{"options": heap}]} | some heap in ["-Xmx2g", "-Xmx1g"]]
	[found] := jvm.jvms with input as pod_of_app({}) with data.headroom.overrides as {"images": records}
	found.flags.MaxHeapSize.value == "1g"
}
