package headroom.inside_java_test

import data.headroom.main
import data.headroom.runtime.jvm
import data.headroom.runtimes

digest := "sha256:0123"

lock(config) := {"references": {"example.com/team/app:1": digest}, "images": {digest: config}}

pod(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": {"headroom.dev/workload-class": "latency-sensitive"}},
	"spec": {"containers": [object.union({"name": "app", "image": "example.com/team/app:1"}, container)]},
}

opaque := {
	"entrypoint": ["/opt/app/entrypoint.sh"],
	"environment": {"JAVA_VERSION": "21.0.4"},
}

# A script of an image that has Java may start it: its flags are not known then.
test_a_script_of_a_java_image if {
	found := runtimes.running[0] with input as pod({}) with data.headroom.image_lock as lock(opaque)
	found.evidence == "its image was built for Java, and a script starts it"
	[j] := jvm.jvms with input as pod({}) with data.headroom.image_lock as lock(opaque)
	some unknown in j.unknown
	unknown.what == "the image's entrypoint"
	unknown.why == "a script starts java, and may add flags"
}

# A buildpack's launcher works out the heap from the limit, as Paketo's does.
test_a_buildpack_for_java if {
	label := "paketo-buildpacks/bellsoft-liberica paketo-buildpacks/executable-jar"
	config := {"entrypoint": ["/start"], "labels": {"io.buildpacks.build.metadata": label}}
	found := runtimes.running[0] with input as pod({}) with data.headroom.image_lock as lock(config)
	found.evidence == "its image was built for Java, and a script starts it"
	found.sure == false
	every name, count_of in {"paketo-buildpacks/go-dist": 0, label: 1} {
		launched := {"entrypoint": ["/cnb/process/web"], "labels": {"io.buildpacks.build.metadata": name}}
		jvms := jvm.jvms with input as pod({}) with data.headroom.image_lock as lock(launched)
		count(jvms) == count_of
	}
}

# The entrypoint of a known image may have another name in a later tag.
test_a_known_script_under_another_name if {
	line := [{"variable": "HEAP", "default": "-Xmx1g"}]
	known := {"images": [{"names": ["team/app"], "entrypoint": ["/run.sh"], "line": line}]}
	[j] := jvm.jvms with input as pod({})
		with data.headroom.image_lock as lock(opaque)
		with data.headroom.overrides as known
	j.script.starts == "script"
	j.heap.bytes == 1073741824
}

# A variable of the manifest would take the place of what the image sets.
test_a_fix_takes_along_what_the_image_sets if {
	config := {
		"entrypoint": ["java", "-jar", "/app.jar"],
		"environment": {"JAVA_TOOL_OPTIONS": "-Xss512k", "JAVA_VERSION": "21.0.4"},
	}
	limits := {"resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"memory": "4Gi"}}}
	changes := [change |
		some f in main.result.findings with input as pod(limits) with data.headroom.image_lock as lock(config)
		some change in f.fix
		change.change == "jvm-flags"
	]
	count(changes) > 0
	every change in changes {
		change.value == "-Xss512k"
	}
}
