package headroom.explain_test

line(x) := {name: [x.jvm[name].value, x.jvm[name].source] | some name in [
	"version",
	"collector",
	"processors",
	"parallel_gc_threads",
	"conc_gc_threads",
	"compiler_threads",
	"max_heap_mib",
	"pause",
]}

test_a_jvm_that_is_told_everything if {
	flags := [
		"-XX:+UseG1GC", "-XX:ActiveProcessorCount=4", "-XX:ParallelGCThreads=4",
		"-XX:ConcGCThreads=2", "-XX:CICompilerCount=3", "-Xmx1g",
	]
	x := jvm(facts("version=17.0.3 pause=15ms"), java(flags, both("2", "4Gi")))
	line(x) == {
		"version": ["17.0.3", "annotation jvm.headroom.dev/app"],
		"collector": ["G1", "-XX:+UseG1GC (command line)"],
		"processors": ["4", "-XX:ActiveProcessorCount=4 (command line)"],
		"parallel_gc_threads": ["4", "-XX:ParallelGCThreads=4 (command line)"],
		"conc_gc_threads": ["2", "-XX:ConcGCThreads=2 (command line)"],
		"compiler_threads": ["3", "-XX:CICompilerCount=3 (command line)"],
		"max_heap_mib": ["1024", "-Xmx1g (command line)"],
		"pause": ["15", "by jvm.headroom.dev/app"],
	}
	x.jvm.will_not_start == []
}

test_defaults_under_limits if {
	x := jvm({"runtime.headroom.dev/app": "jvm version=8u202"}, java([], both("1500m", "4Gi")))
	line(x) == {
		"version": ["8u202", "annotation runtime.headroom.dev/app"],
		"collector": ["Parallel", "JVM default"],
		"processors": ["2", "limits.cpu 1500m, rounded up"],
		"parallel_gc_threads": ["2", "JVM default on 2 processors"],
		"conc_gc_threads": ["0", "the Parallel collector has none"],
		"compiler_threads": ["2", "JVM default on 2 processors"],
		"max_heap_mib": ["1024", "25 % of the limit, JVM default"],
		"pause": ["20", "assumed"],
	}
}

test_a_release_that_the_image_says if {
	lock := {
		"references": {"example.com/app:1": "sha256:0123"},
		"images": {"sha256:0123": {"entrypoint": ["java"], "environment": {"JAVA_VERSION": "jdk-21.0.4+7"}}},
	}
	container := object.union(java([], both("2", "4Gi")), {"image": "example.com/app:1"})
	line(jvm({}, container)).version == ["21.0.4", "the image's configuration"] with data.headroom.image_lock as lock
	declared := line(jvm(facts("version=17"), container)) with data.headroom.image_lock as lock
	declared.version == ["17", "annotation jvm.headroom.dev/app"]
}

# Container support came with 8u191.
test_a_release_that_sees_the_node if {
	tagged := object.union(java([], both("1500m", "4Gi")), {"image": "openjdk:8u151-jre"})
	every x in [jvm({"runtime.headroom.dev/app": "jvm version=8u151"}, java([], both("1500m", "4Gi"))), jvm({}, tagged)] {
		line(x).version[0] == "8u151"
		line(x).processors == ["", "the node: Java 8u151 has no container support"]
		line(x).max_heap_mib == ["", "25 % of the node's memory: the JVM sees no limit"]
	}
}

test_the_node_decides if {
	line(jvm({}, java([], {}))) == {
		"version": ["8 to 25", "not declared; 8, 11, 17, 21 and 25 are considered"],
		"collector": ["G1", "JVM default, if the node has two processors and 1792 MiB"],
		"processors": ["", "the node: there is no CPU limit"],
		"parallel_gc_threads": ["", "the node: there is no CPU limit"],
		"conc_gc_threads": ["", "the node: there is no CPU limit"],
		"compiler_threads": ["", "the node: there is no CPU limit"],
		"max_heap_mib": ["", "25 % of the node's memory: the JVM sees no limit"],
		"pause": ["20", "assumed"],
	}
}

test_the_default_collector_says_why if {
	line(jvm(facts("version=17"), java([], both("1", "4Gi")))).collector == ["Serial", "JVM default on one processor"]
	small := jvm(facts("version=17"), java([], both("2", "1791Mi")))
	line(small).collector == ["Serial", "JVM default on less than 1792 MiB"]
	never := "-XX:+NeverActAsServerClassMachine"
	desktop := line(jvm(facts("version=17"), java([never], both("2", "4Gi"))))
	desktop.collector == ["Serial", "-XX:+NeverActAsServerClassMachine (command line)"]
	desktop.compiler_threads == ["1", "JVM default on 2 processors"]
	line(small).parallel_gc_threads == ["0", "the Serial collector has none"]
	incremental := jvm(facts("version=8"), java(["-Xincgc"], both("2", "4Gi")))
	line(incremental).collector == ["CMS", "an old flag that asks for it"]
}

test_what_cannot_be_read if {
	x := jvm(facts("version=17"), java(["-Xmx1Gi", "-XX:ParallelGCThreads=x"], both("2", "4Gi")))
	line(x).max_heap_mib == ["", "-Xmx1Gi (command line) cannot be read"]
	line(x).parallel_gc_threads == ["", "-XX:ParallelGCThreads=… (command line) cannot be read"]
	count(x.jvm.will_not_start) == 2
	x.flags[0].note != ""
	idle_compilers := jvm(facts("version=25"), java(["-Xint"], both("2", "4Gi")))
	line(idle_compilers).compiler_threads == ["0", "no compiler runs"]
}

test_the_releases_that_would_start if {
	x := jvm({}, java(["-XX:+UseConcMarkSweepGC", "-XX:MaxRAMPercentage=75"], both("2", "4Gi")))
	line(x).version == ["11", "not declared; the flags leave 11"]
	x.jvm.will_not_start == [
		concat(" ", [
			"It does not start on Java 8 with -XX:MaxRAMPercentage=75:",
			"Java 8 takes it only with a decimal point, as in 75.0.",
		]),
		"It does not start on Java 17, 21 and 25 with -XX:+UseConcMarkSweepGC: there is no such flag.",
	]
}

test_no_release_would_start if {
	none := jvm({}, java(["-XX:+NoSuchFlag"], both("2", "4Gi")))
	line(none).version == ["", "with these flags no release from 8 to 25 starts"]
	startswith(none.jvm.will_not_start[0], "It does not start with -XX:+NoSuchFlag: ")
	line(jvm(facts("version=21"), java([], {}))).version[0] == "21"
}

test_another_jvm_is_not_counted if {
	_says_others(_script("java -Xmx200m -jar a.jar & exec java -Xmx1g -jar b.jar"))
	_says_others(_script("/opt/jdk/bin/java -jar a.jar&java -jar b.jar"))
}

test_a_jvm_alone_is_counted if {
	not _says_others(_script("java -version; exec java -Xmx1g -jar b.jar"))
	not _says_others(_script("exec java -Djava -jar java.jar"))
}

_script(script) := object.union(java([], both("2", "4Gi")), {"command": ["sh", "-c", script]})

_says_others(container) if {
	some text in jvm({}, container).unknown
	startswith(text, "Its command starts more than one JVM")
}

test_the_fewest_processors_and_threads if {
	one := line(jvm(facts("version=17.0.1"), java(
		["-XX:ActiveProcessorCount=1", "-XX:+UseG1GC", "-XX:ParallelGCThreads=0"],
		both("2", "4Gi"),
	)))
	one.version[0] == "17.0.1"
	one.processors == ["1", "-XX:ActiveProcessorCount=1 (command line)"]
	one.parallel_gc_threads == ["0", "-XX:ParallelGCThreads=0 (command line)"]
	zero := line(jvm(facts("version=8u342"), java(["-XX:ActiveProcessorCount=0"], both("2", "4Gi"))))
	zero.version[0] == "8u342"
	zero.processors == ["2", "limits.cpu 2, rounded up"]
	by_default := line(jvm(facts("version=8"), java(["-XX:+UseG1GC", "-XX:ConcGCThreads=0"], both("1", "4Gi"))))
	by_default.version[0] == "8"
	by_default.parallel_gc_threads == ["1", "JVM default on 1 processor"]
	by_default.conc_gc_threads == ["1", "-XX:ConcGCThreads=0 (command line)"]
}

# Without either of them, the node decides which collector it is.
test_the_default_collector_under_one_limit if {
	every limits in [{"cpu": "2"}, {"memory": "4Gi"}] {
		line(jvm(facts("version=17"), java([], {"limits": limits}))).collector == [
			"G1",
			"JVM default, if the node has two processors and 1792 MiB",
		]
	}
	line(jvm(facts("version=17"), java([], both("2", "1792Mi")))).collector == ["G1", "JVM default"]
}

test_questions_to_java_are_none if {
	_says_others(_script("java -version; java -jar a.jar & java -jar b.jar"))
	not _says_others(_script("java -version; java --version; java -jar b.jar"))
	not _says_others(object.union(java([], {}), {"args": [5, "java -jar a.jar"]}))
}

test_the_image_s_tag_tells_the_release if {
	tagged := object.union(java([], both("1", "4Gi")), {"image": "eclipse-temurin:17-jre"})
	line(jvm({}, tagged)).version == ["17", "the image's tag"]
	with_update := object.union(tagged, {"image": "eclipse-temurin:11.0.13_8"})
	line(jvm({}, with_update)).version == ["11.0.13", "the image's tag"]
	line(jvm(facts("version=21"), with_update)).version == ["21", "annotation jvm.headroom.dev/app"]
}

test_the_image_s_tag_leaves_some_releases if {
	broker := {"name": "app", "image": "apache/activemq-classic:7.0.0", "resources": both("1", "4Gi")}
	some_of_them := "11, 17, 21 or 25"
	line(jvm({}, broker)).version == [
		some_of_them,
		sprintf("not declared; the image's tag and the flags leave %s", [some_of_them]),
	]
}
