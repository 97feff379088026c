package headroom.rules.jvm["jvm-code-cache-unset_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-code-cache-unset"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_not_set if {
	some f in of(reviews.java({"memory": "4Gi"}, "-Xmx1g"))
	f.container == "app"
	f.path == options
	f.message == "-XX:ReservedCodeCacheSize is not set: compiled code may grow to 240 MiB, the JVM's default."
	f.expected == "annotate codecache= (headroom diagnose POD shows it), then set -XX:ReservedCodeCacheSize"
	f.figures == {"code_cache_mib": 240}
	f.fix == []
	f.follows == ["jvm-region-unbounded"]
}

# What was measured has room, and no less than what most services need.
test_what_was_taken if {
	every taken, wanted in {"40Mi": "128", "100Mi": "160"} {
		facts := {"jvm.headroom.dev/app": concat("=", ["codecache", taken])}
		some f in report(facts, {"containers": [reviews.java({"memory": "4Gi"}, "-Xmx1g")]}, {})
		f.expected == sprintf("-XX:ReservedCodeCacheSize=%vm", [wanted])
	}
	some asked_for in asked("code-cache", reviews.java({}, "-Xmx1g"))
	asked_for.expected == "-XX:ReservedCodeCacheSize=128m"
}

test_set if {
	count(of(reviews.java({"memory": "4Gi"}, "-XX:ReservedCodeCacheSize=128m"))) == 0
	line := ["java", "-XX:ReservedCodeCacheSize=64m", "-jar", "app.jar"]
	count(of(object.union(reviews.java({}, "-Xmx1g"), {"command": line}))) == 0
}

declared(version, flags) := report(
	{"jvm.headroom.dev/app": concat("=", ["version", version])},
	{"containers": [reviews.java({"memory": "4Gi"}, flags)]},
	{},
)

# 48 MiB without tiers and, from 17 on, with the first compiler only (measured).
test_a_small_code_cache if {
	some f in of(reviews.java({}, "-XX:-TieredCompilation"))
	f.figures.code_cache_mib == 48
	endswith(f.message, " 48 MiB, the JVM's default.")
	some modern in declared("17", "-XX:TieredStopAtLevel=1")
	modern.figures.code_cache_mib == 48
	every version in ["8", "11"] {
		some old in declared(version, "-XX:TieredStopAtLevel=1")
		old.figures.code_cache_mib == 240
	}
	some any in of(object.remove(reviews.java({}, "-XX:TieredStopAtLevel=1"), ["image"]))
	any.figures.code_cache_mib == 240
}

asked(value, app) := report({"inject.headroom.dev/app": value}, {"containers": [app]}, {})

test_fixed_on_request_only if {
	some f in asked("metaspace, code-cache", reviews.java({}, "-Xmx1g"))
	count(f.fix) > 0
	some other in asked("metaspace", reviews.java({}, "-Xmx1g"))
	other.fix == []
	some by_config in of(reviews.java({}, "-Xmx1g")) with data.headroom.overrides as {"jvm": {"inject": ["code-cache"]}}
	count(by_config.fix) > 0
}

test_a_probable_jvm_is_never_fixed if {
	some f in asked("code-cache", {"name": "app", "image": "eclipse-temurin:21"})
	f.fix == []
}

test_a_secret_may_hold_it if {
	count(of(object.union(reviews.java({}, ""), {"env": [secret("JAVA_TOOL_OPTIONS")]}))) == 0
}

test_init_containers_and_what_is_no_jvm if {
	count(report({}, {"containers": [{"name": "web"}], "initContainers": [reviews.java({}, "-Xmx1g")]}, {})) == 0
}

# "Invalid code heap sizes", says a JVM whose parts are more than the whole.
test_not_fixed_beside_the_sizes_of_its_parts if {
	every flag in ["NonNMethodCodeHeapSize=8m", "ProfiledCodeHeapSize=100m", "NonProfiledCodeHeapSize=100m"] {
		some f in asked("code-cache", reviews.java({}, concat("", ["-Xmx1g -XX:", flag])))
		f.fix == []
	}
}

# Under 128 MiB what was measured would be near its cap at once (HR615).
test_room_above_what_was_measured if {
	some f in report({"jvm.headroom.dev/app": "codecache=120Mi"}, {"containers": [reviews.java({}, "-Xmx1g")]}, {})
	startswith(f.expected, "-XX:ReservedCodeCacheSize=192m")
	not contains(f.expected, "or what was measured")
	f.figures.code_cache_mib == 240
}
