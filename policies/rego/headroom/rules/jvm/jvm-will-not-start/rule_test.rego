package headroom.rules.jvm["jvm-will-not-start_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-will-not-start"] as rule
import data.headroom.runtime.jvm

report(text, more, annotations) := found if {
	found := rule.report with input as reviews.of_flags(text, more, annotations)
}

flags_path := ["spec", "containers", 0, "env", 0, "value"]

test_no_release_starts if {
	some f in report("-Xmx1Gi", {}, {})
	f.path == flags_path
	f.message == "-Xmx1Gi: no JDK will start: Ki, Mi and Gi are units of Kubernetes; a JVM takes k, m and g."
	f.expected == "-Xmx1g"
	f.figures == {"refusing_releases": [8, 11, 17, 21, 25]}
}

# Which release runs is not known, and some start: explain says which.
test_some_releases_start if {
	every flags in ["-XX:MaxRAMPercentage=75", "-XX:+UseConcMarkSweepGC", "-Xlog:gc"] {
		count(report(flags, {}, {})) == 0
	}
}

test_what_the_tag_of_a_known_image_says if {
	started := {"image": "eclipse-temurin:17-jre"}
	some f in report("-XX:+UseConcMarkSweepGC", started, {})
	f.message == "-XX:+UseConcMarkSweepGC: JDK 17, which runs here, will not start: there is no such flag."
	count(report("-XX:+UseConcMarkSweepGC", {"image": "eclipse-temurin:11"}, {})) == 0
	count(report("-XX:+UseConcMarkSweepGC", started, {"jvm.headroom.dev/app": "version=11"})) == 0
}

test_the_declared_release if {
	some f in report("-XX:MaxRAMPercentage=75", {}, {"jvm.headroom.dev/app": "version=8"})
	contains(f.message, "JDK 8, which runs here, will not start")
	f.expected == "-XX:MaxRAMPercentage=75.0, which every release takes"
	count(report("-XX:MaxRAMPercentage=75", {}, {"jvm.headroom.dev/app": "version=17"})) == 0
}

# One flag stops 8, the other everything after it.
test_flags_that_leave_no_release if {
	found := report("-XX:+PrintGCDateStamps -Xlog:gc", {}, {})
	count(found) == 2
	every f in found {
		endswith(f.message, "With the other flags that are refused here, no JDK will start.")
	}
}

test_flags_in_order if {
	count(report("-XX:MaxRAMPercentage=75.0 -Xss512k", {}, {})) == 0
}

# refusals are the releases that each flag stops, said or not.
refusals(text) := {s.versions | some j in found; some s in j.startup} if {
	found := jvm.jvms with input as reviews.pod({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": text}]}, {})
}

severities(text, more, annotations) := {f.severity | some f in report(text, more, annotations)}

# Measured on all of them.
test_refused_by_every_release if {
	every text in [
		"-XX:+UseG1GC -XX:+UseSerialGC",
		"-Xms2g -Xmx1g",
		"-XX:MaxRAMPercentage=75%",
		"-XX:ParallelGCThreads=0 -XX:+UseG1GC",
		"-XX:CICompilerCount=1",
		"-XX:ReservedCodeCacheSize=2m",
		"-XX:ReservedCodeCacheSize=3g",
		"-Xss100k",
		"-Xss2g",
		"-Xmx1.5g",
		"-XX:ActiveProcessorCount=2.5",
		"-XX:NoSuchFlag=1",
		"-Dp=it's",
		"-jar app.jar",
		"-server",
	] {
		"error" in severities(text, {}, {})
	}
}

test_refused_by_some if {
	refusing := {
		"-XX:MaxPermSize=256m": [17, 21, 25],
		"-XX:+ZGenerational": [8, 11, 17],
		"-XX:MaxRAMFraction=2": [25],
		"-XX:+PrintGCDateStamps": [11, 17, 21, 25],
		"-Xlog:gc": [8],
		"-Xss200k": [8],
		"-XX:+PreferContainerQuotaForCPUCount": [21, 25],
	}
	every text, releases in refusing {
		refusals(text) == {releases}
	}
}

test_experimental_on_8_and_gone_since if {
	found := report("-XX:+UseCGroupMemoryLimitForHeap", {}, {})
	{f.figures.refusing_releases | some f in found} == {[8], [11, 17, 21, 25]}
	unlocked := "-XX:+UnlockExperimentalVMOptions -XX:+UseCGroupMemoryLimitForHeap"
	severities(unlocked, {}, {"jvm.headroom.dev/app": "version=8"}) == set()
}

# The value of a property may be a secret.
test_no_property_is_shown if {
	some f in report("-Dpassword='hunter2 -Xmx1Gi' -Xmx1Gi", {}, {})
	not contains(f.message, "hunter2")
}

test_in_order_on_every_release if {
	every text in [
		"-XX:+UseG1GC -XX:+UseSerialGC -XX:-UseG1GC",
		"-Xmx1g -XX:MaxRAMPercentage=75.0",
		"-XX:CICompilerCount=1 -XX:TieredStopAtLevel=1 -XX:ActiveProcessorCount=2",
		"-Xss228k",
		"-XX:ParallelGCThreads=2 -XX:+UseSerialGC",
		"-XX:MaxDirectMemorySize=0",
		"-Dp='a b'",
	] {
		count(report(text, {}, {})) == 0
	}
}

# G1 refuses up to 17.
test_more_concurrent_than_parallel_threads if {
	flags := "-XX:+UseG1GC -XX:ParallelGCThreads=2 -XX:ConcGCThreads=4"
	count(report(flags, {}, {})) == 0
	severities(flags, {}, {"jvm.headroom.dev/app": "version=17"}) == {"error"}
	severities(flags, {}, {"jvm.headroom.dev/app": "version=21"}) == set()
}

test_sources_that_contradict_each_other if {
	severities("-XX:+UseG1GC", {"command": ["java", "-XX:+UseSerialGC", "Main"]}, {}) == {"error"}
	severities("-Xms512m", {"command": ["java", "-Xmx256m", "Main"]}, {}) == {"error"}
}

# The kubelet puts both into one argument.
test_a_reference_with_several_flags if {
	one := {"command": ["java", "$(OPTS)", "Main"], "env": [{"name": "OPTS", "value": "-Xmx1g -Xms1g"}]}
	severities("", one, {}) == {"error"}
	shell := object.union(one, {"command": ["sh", "-c", "java $OPTS Main"]})
	severities("", shell, {}) == set()
}

test_beside_a_secret_and_for_a_probable_jvm if {
	secret := [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]
	severities("", {"env": secret, "command": ["java", "-Xmx1Gi", "Main"]}, {}) == {"error"}
	severities("", {"env": secret}, {}) == set()
	severities("", {"command": null, "env": [{"name": "JAVA_OPTS", "value": "-Xmx1Gi"}]}, {}) == {"warning"}
}

test_init_containers_speak_too if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "init",
		"command": ["java", "-Xmx1Gi", "Main"],
	}]}}
	{f.path | some f in found} == {["spec", "initContainers", 0, "command"]}
}

refusal_of(command) := f if {
	found := report("", {"command": command}, {})
	[f] := [f | some f in found]
}

# java takes the letters for its main class.
test_references_that_nobody_expands if {
	some exec in [refusal_of(["java", "$JAVA_OPTS", "Main"])]
	exec.severity == "error"
	startswith(exec.message, concat(" ", [
		"$JAVA_OPTS: no JDK will start: no shell expands it,",
		"and java takes these letters as they are;",
	]))
	some kubelet in [refusal_of(["java", "$(NO_SUCH)", "Main"])]
	startswith(kubelet.message, "$(NO_SUCH): no JDK will start: no variable of that name is set before it")
	every command in [
		["sh", "-c", "exec java $JAVA_OPTS Main"],
		["/entrypoint.sh", "java", "$JAVA_OPTS", "Main"],
		["java", "Main", "$A", "$(B)"],
	] {
		count(report("", {"command": command}, {})) == 0
	}
}

# A value may be filled in before the manifest is applied; nothing fills it in afterwards.
test_placeholders_are_warnings if {
	every text in ["-Xmx${HEAP}", "-Xms<heap>", "-XX:MaxRAMPercentage=%SHARE%", "-XX:ActiveProcessorCount=@cores@"] {
		[f] := [f | some f in report(text, {}, {})]
		[f.severity, f.outcome] == ["warning", "possible"]
		contains(f.message, ": its value is a placeholder, which something has to fill in before the manifest is applied")
		endswith(f.message, "; as it stands, no JDK will start.")
		startswith(f.expected, "the manifest as it is applied")
	}
	severities("-Xmx5%", {}, {}) == {"error"}
}

report_with(container) := found if {
	found := rule.report with input as reviews.pod(container, {})
}

# The kubelet expands what stands before a variable, and leaves what stands behind it: nothing fills that in.
test_a_variable_that_stands_too_late if {
	limit := {"name": "LIMIT", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "divisor": "1Mi"}}}
	flags := {"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx$(LIMIT)m -XX:MaxRAMPercentage=50.0"}
	some f in report_with({"env": [flags, limit]})
	f.message == concat(" ", [
		"-Xmx…: no JDK will start: env sets LIMIT behind the variable that refers to it,",
		"and the kubelet fills in only what stands before.",
	])
	f.expected == "LIMIT in front of the variable that refers to it"
	[f.severity, f.outcome] == ["error", "certain"]
	every env in [[limit, flags], [limit, flags, limit]] {
		count(report_with({"env": env, "resources": {"limits": {"memory": "1Gi"}}})) == 0
	}

	# Another source may have it, and a variable that nothing sets may be one of kustomize.
	count(report_with({"env": [flags, limit], "envFrom": [{"secretRef": {"name": "s"}}]})) == 0
	some other in report_with({"env": [flags]})
	other.severity == "warning"

	# What stands late and is not in the word that is refused does not refuse it.
	beside := {"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx${HEAP} -Dhost=$(LIMIT)"}
	some third in report_with({"env": [beside, limit]})
	[third.severity, third.outcome] == ["warning", "possible"]
}

# A dash of a text program, at each place.
test_dashes_that_are_none if {
	every dash in ["–", "—", "−", "‐", "\u00a0-"] {
		word := concat("", [dash, "Xmx512m"])
		in_command := refusal_of(["java", "-Xss1m", word, "-jar", "a.jar"])
		startswith(in_command.message, "argument 2 of java: no JDK will start: it begins with a long dash")
		some f in report(concat(" ", ["-Xss1m", word]), {}, {})
		startswith(f.message, "a word that is not shown (word 2 of JAVA_TOOL_OPTIONS): no JDK will start: it begins with")
		f.severity == "error"
	}
}

# A word that is not known may be a secret: its place is said, and what it looks like.
test_the_place_of_a_word if {
	some f in report("-Xss1m -Xm512m", {}, {})
	f.message == concat("", [
		"-X… (word 2 of JAVA_TOOL_OPTIONS): no JDK will start: no release knows this option; ",
		"it looks like -Xmx.",
	])
	some g in [refusal_of(["java", "-token:hunter2", "Main"])]
	g.message == "-… (argument 1 of java): no JDK will start: no release knows this option."
}

test_a_command_that_is_one_word if {
	every word in ["java -Xmx2g -jar app.jar", "/opt/java/bin/java\t-jar app.jar"] {
		f := refusal_of([word])
		f.path == ["spec", "containers", 0, "command", 0]
		not contains(f.message, "app.jar")
	}
	every command in [["java"], ["java", "-jar", "my app.jar"], ["sh", "-c", "java -jar a.jar"], ["/opt/java x/run"]] {
		count(report("", {"command": command}, {})) == 0
	}
}

# -XX:+IgnoreUnrecognizedVMOptions lifts what is not known, another value what contradicts; a word that every JVM
# refuses stays.
test_beside_a_source_that_was_not_read if {
	beside := {"envFrom": [{"secretRef": {"name": "db"}}], "image": "eclipse-temurin:21"}
	some name in report("-XX:+UseConcMarkSweepGC", beside, {})
	name.severity == "warning"
	name.outcome == "possible"
	endswith(name.message, " This does not apply if Secret db sets -XX:+IgnoreUnrecognizedVMOptions.")
	some pair in report("-Xms2g -Xmx1g", beside, {})
	pair.severity == "warning"
	endswith(pair.message, " This does not apply if Secret db sets another value.")
	some word in report("-Xmx1Gi", beside, {})
	word.severity == "error"
	word.outcome == "certain"
	some alone in report("-XX:+UseConcMarkSweepGC", {"image": "eclipse-temurin:21"}, {})
	alone.severity == "error"
	some other in report(
		"-XX:+UseConcMarkSweepGC", object.union(beside, {"envFrom": [
			{"secretRef": {"name": "db"}, "prefix": "DB_"},
		]}),
		{},
	)
	other.severity == "error"
}

# The command line wins over JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS, whatever a Secret puts into them.
test_a_source_that_is_weaker_than_what_contradicts if {
	every words in [
		["-Xms2g", "-Xmx1g"],
		["-XX:+UseSerialGC", "-XX:+UseG1GC"],
	] {
		every name, outcome in {
			"JAVA_TOOL_OPTIONS": ["error", "certain"],
			"JDK_JAVA_OPTIONS": ["error", "certain"],
			"_JAVA_OPTIONS": ["warning", "possible"],
		} {
			some f in report("", object.union(_hidden(name), {"command": _java(words)}), {})
			[f.severity, f.outcome] == outcome
		}
	}

	# One of two is enough to cure both, and a flag that is not set may cure what one flag meets.
	split_up := [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xms2g"}]
	hidden := object.union(_hidden("JDK_JAVA_OPTIONS"), {"command": _java(["-Xmx1g"])})
	some f in report("", object.union(hidden, {"env": array.concat(split_up, hidden.env)}), {})
	f.severity == "warning"
	small := object.union(_hidden("JAVA_TOOL_OPTIONS"), {"command": _java(["-XX:ReservedCodeCacheSize=1m"])})
	some g in report("", small, {})
	g.severity == "warning"
	endswith(g.message, " This does not apply if JAVA_TOOL_OPTIONS (a Secret holds it) sets another value.")

	# Only what wins is named.
	both := array.concat(_hidden("JAVA_TOOL_OPTIONS").env, _hidden("_JAVA_OPTIONS").env)
	some h in report("", {"image": "eclipse-temurin:21", "env": both, "command": _java(["-Xms2g", "-Xmx1g"])}, {})
	endswith(h.message, " This does not apply if _JAVA_OPTIONS (a Secret holds it) sets another value.")
}

_java(words) := array.concat(["java"], array.concat(words, ["-jar", "a.jar"]))

_hidden(name) := {"image": "eclipse-temurin:21", "env": [{
	"name": name,
	"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}},
}]}
