package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# _filed is a JVM with these arguments in front of a jar, and one file of a ConfigMap at /opts/file.
_filed(args, env, text) := found if {
	[found] := jvm.jvms with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": _pod_with({
			"image": "eclipse-temurin:21",
			"command": array.concat(array.concat(["java"], args), ["-jar", "a.jar"]),
			"env": [{"name": name, "value": value} | some name, value in env],
		}),
		"context": {"config_maps": [config_map("options", {"file": text})]},
	}
}

_pod_with(container) := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {
	"volumes": [{"name": "o", "configMap": {"name": "options"}}],
	"containers": [object.union(
		{"name": "app", "volumeMounts": [{"name": "o", "mountPath": "/opts"}]},
		container,
	)],
}}

_mib(j) := j.numbers.MaxHeapSize / 1048576

# Measured on 11 to 28: what PrintFlagsFinal tells of the same files.
test_argument_files if {
	every text in [
		"-Xmx300m",
		"# all of it\n-Xmx300m # the heap\n",
		"\"-Xmx300m\"\n",
		"-Xss1m '-Xmx300m'",
		"\"-Dx=a \\\n   b\" -Xmx300m",
		"-Xmx1g\r\n-Xmx300m\r\n",
		"\"-Dx=\\\"a\\\\\" -Xmx300m",
		"-XX:MaxHeapSize='300m'",
	] {
		j := _filed(["@/opts/file"], {}, text)
		_mib(j) == 300
		count(j.unknown) == 0
	}
	_mib(_filed(["@/opts/file", "-Xmx400m"], {}, "-Xmx300m")) == 400
	_mib(_filed(["-Xmx400m", "@/opts/file"], {}, "-Xmx300m")) == 300
	jvm.origin(_filed(["@/opts/file"], {}, "-Xmx300m"), "MaxHeapSize") == "-Xmx300m (command line, in /opts/file)"
	not _filed(["@/opts/file"], {}, "-cp /a Main -Xmx300m").numbers.MaxHeapSize
	_mib(_run_by("tomcat:10-jdk17")) == 300
}

# Java 8 takes @file for its main class; where nothing tells of the release, it may be that one.
test_argument_files_of_java_8 if {
	every image in ["eclipse-temurin:8", "example.com/app:1"] {
		j := _run_by(image)
		j.secret
		not j.numbers.MaxHeapSize
	}
}

test_argument_files_switched_off if {
	every args, text in {
		["--disable-@files", "@/opts/file"]: "-Xmx300m",
		["@/opts/file", "@/opts/file"]: "-Xmx300m --disable-@files",
	} {
		j := _filed(args, {}, text)
		j.secret
		not j.numbers.MaxHeapSize
	}
}

_run_by(image) := found if {
	[found] := jvm.jvms with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": _pod_with({"image": image, "command": ["java", "@/opts/file", "-jar", "a.jar"]}),
		"context": {"config_maps": [config_map("options", {"file": "-Xmx300m"})]},
	}
}

# Within a word releases read # otherwise, and no file names a further one.
test_argument_files_that_are_left if {
	every text in ["-Xmx300m#c\n-Xss1m", "-Xmx300m 'open", "@/opts/other", "\u0002"] {
		_filed(["@/opts/file"], {}, text).secret
	}
	_filed(["@/opts/missing"], {}, "-Xmx300m").secret
	under_java(["@/etc/flags"]).secret
	count(under_java(["-cp", "@/app/jib-classpath-file", "@/app/jib-main-class-file"]).unknown) == 0
}

test_vm_options_files if {
	option := "-XX:VMOptionsFile=/opts/file"
	every text in ["-Xmx300m", "\"-Dx=a b\"\n-Xmx300m\n"] {
		j := _filed(["-Xmx500m", option], {}, text)
		_mib(j) == 300
		count(j.unknown) == 0
	}
	_mib(_filed([option, "-Xmx500m"], {}, "-Xmx300m")) == 500
	_mib(_filed(["-Xmx500m"], {"JAVA_TOOL_OPTIONS": option}, "-Xmx300m")) == 500
	_mib(_filed([], {"JAVA_TOOL_OPTIONS": option}, "-Xmx300m")) == 300
	every text in ["-Xmx300m 'open", "# the heap\n-Xmx300m\n", "-Xmx300m Main", "-XX:VMOptionsFile=/opts/more"] {
		_filed([option], {}, text).secret
	}
	not _filed([option], {}, "# the heap\n-Xmx300m\n").numbers.MaxHeapSize

	# The JVM takes one in each source; JDK_JAVA_OPTIONS is part of the command line.
	every j in [
		_filed([option, option], {}, "-Xmx300m"),
		_filed([option], {"JDK_JAVA_OPTIONS": option}, "-Xmx300m"),
	] {
		j.secret
		not j.numbers.MaxHeapSize
	}
	_mib(_filed([option], {"JAVA_TOOL_OPTIONS": option}, "-Xmx300m")) == 300
}

# Every source overrides the file of -XX:Flags, and its names stand without -XX:.
test_flags_files if {
	option := "-XX:Flags=/opts/file"
	text := "# a file\n+UseSerialGC MaxHeapSize=300m # the heap\n"
	j := _filed([option], {}, text)
	_mib(j) == 300
	j.gc == "Serial"
	count(j.unknown) == 0
	_mib(_filed([option], {"JAVA_TOOL_OPTIONS": "-Xmx400m"}, text)) == 400
	last := _filed([option, "-XX:Flags=/opts/missing"], {}, text)
	last.secret
	not last.numbers.MaxHeapSize
	_mib(_filed(["-XX:Flags=/opts/missing", option], {}, text)) == 300
	not _filed(["-XX:Flags=/opts/missing", option], {}, text).secret
}
