package headroom.runtime.jvm_test

import data.headroom.process
import data.headroom.reviews_test as reviews
import data.headroom.runtime.jvm

# _filed is a JVM with these arguments in front of a jar, and one file of a ConfigMap at /opts/file.
_filed(args, env, text) := found if {
	[found] := jvm.jvms with input as reviews.of_object(
		_pod_with({
			"image": "eclipse-temurin:21",
			"command": array.concat(array.concat(["java"], args), ["-jar", "a.jar"]),
			"env": [{"name": name, "value": value} | some name, value in env],
		}),
		{"config_maps": [config_map("options", {"file": text})]},
	)
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
	[found] := jvm.jvms with input as reviews.of_object(
		_pod_with({"image": image, "command": ["java", "@/opts/file", "-jar", "a.jar"]}),
		{"config_maps": [config_map("options", {"file": "-Xmx300m"})]},
	)
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

# A file that is too long is not read, and is told. It made the JVM itself unseen, with all that is judged of one.
test_files_that_are_too_long if {
	every flag in ["@/opts/file", "-XX:VMOptionsFile=/opts/file", "-XX:Flags=/opts/file"] {
		j := _filed([flag], {}, _padded(14000))
		j.secret
		not j.numbers.MaxHeapSize
		[u.why | some u in j.unknown] == ["a file of options is longer than 128 KiB and was not read"]
		not jvm.blind(j)
	}
	_mib(_filed(["@/opts/file"], {}, _padded(13000))) == 300
	_mib(_filed(["-XX:VMOptionsFile=/opts/file"], {}, replace(_padded(13000), "# ", "-Da="))) == 300
}

_padded(tens) := concat("", ["-Xmx300m\n# ", concat("", ["0123456789" | some _ in numbers.range(1, tens)]), "\n"])

# What names make of a few bytes is bounded: the text of all files, and how many there are.
test_files_that_are_too_long_together if {
	every args, text in {
		["@/opts/file" | some _ in numbers.range(1, 20)]: _padded(1000),
		["@/opts/file" | some _ in numbers.range(0, process.max_named)]: "-Xmx300m",
	} {
		j := _filed(args, {}, text)
		j.secret
		not j.numbers.MaxHeapSize
	}
	_mib(_filed(["@/opts/file" | some _ in numbers.range(1, process.max_named)], {}, "-Xmx300m")) == 300
}

# A script is told where it may start java, and what it is handed to is not known.
test_scripts_that_are_too_long if {
	every command in [["/opts/file"], ["sh", "/opts/file"], ["sh", "-c", "exec /opts/file"]] {
		[j] := _script(command, concat("", ["#!/bin/sh\n", _padded(14000), "exec java -Xmx1g Main\n"]))
		"its script is longer than 128 KiB and was not read" in [u.why | some u in j.unknown]
		not j.flags.MaxHeapSize
		_script(command, concat("", ["#!/bin/sh\n", _padded(14000), "exec nginx\n"])) == []
		[short] := _script(command, "#!/bin/sh\nexec java -Xmx1g Main\n")
		_mib(short) == 1024
		count(short.unknown) == 0
	}
}

# Many names of files in front hide none; a script that starts many shells may start java in one of them.
test_scripts_behind_many_names if {
	many := concat(" ", [sprintf("/opts/%d", [i]) | some i in numbers.range(0, process.max_named)])
	[j] := _script(["sh", "-c", concat("", ["ls ", many, "; exec /opts/file"])], "#!/bin/sh\nexec java -Xmx1g Main\n")
	_mib(j) == 1024
	every times in [process.max_named + 1, 2000] {
		again := concat("", ["/opts/file; " | some _ in numbers.range(1, times)])
		[unread] := _script(["sh", "-c", again], "#!/bin/sh\nexec java -Xmx1g Main\n")
		count(unread.unknown) > 0
		not unread.flags.MaxHeapSize
	}
}

# What a file names in turn is opened too.
test_scripts_behind_scripts if {
	[j] := jvm.jvms with input as reviews.of_object(
		_pod_with({"image": "example.com/app:1", "command": ["/opts/a"]}),
		{"config_maps": [config_map("options", {
			"a": "#!/bin/sh\nexec /opts/b\n",
			"b": "#!/bin/sh\nexec /opts/c\n",
			"c": "#!/bin/sh\nexec java -Xmx1g Main\n",
		})]},
	)
	_mib(j) == 1024
}

# One of many shells stands for all: it may not be the one that starts java.
test_scripts_before_many_shells if {
	others := concat("", ["/opts/b; " | some _ in numbers.range(0, process.max_named)])
	[j] := jvm.jvms with input as reviews.of_object(
		_pod_with({"image": "example.com/app:1", "command": ["sh", "-c", concat("", ["/opts/a; ", others])]}),
		{"config_maps": [config_map("options", {
			"a": "#!/bin/sh\nexec java -Xmx1g Main\n",
			"b": "#!/bin/sh\nexec nginx\n",
		})]},
	)
	count(j.unknown) > 0
	not j.flags.MaxHeapSize
}

_script(command, text) := found if {
	found := jvm.jvms with input as reviews.of_object(
		_pod_with({"image": "example.com/app:1", "command": command}),
		{"config_maps": [config_map("options", {"file": text})]},
	)
}
