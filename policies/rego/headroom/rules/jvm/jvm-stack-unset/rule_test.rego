package headroom.rules.jvm["jvm-stack-unset_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-stack-unset"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

# A container whose whole command line is visible, its flags in JAVA_TOOL_OPTIONS.
java(limits, flags) := {
	"name": "app",
	"command": ["java", "-jar", "app.jar"],
	"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
	"resources": {"requests": {"cpu": "1"}, "limits": limits},
}

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_not_set if {
	some f in of(java({"memory": "4Gi"}, "-Xmx1g"))
	f.container == "app"
	f.path == options
	f.message == "-Xss is not set: 250 threads (assumed) may take 250 MiB."
	f.expected == "-Xss, tested on the deepest calls: 512k is enough for most services"
	f.figures == {"stacks_mib": 250, "threads": 250}
	f.follows == ["jvm-region-unbounded"]
	object.get(f, "fix", []) == []
}

test_set if {
	every flag in ["-Xss512k", "-XX:ThreadStackSize=512", "-Xss1m"] {
		count(of(java({}, flag))) == 0
	}
	line := ["java", "-Xss512k", "-jar", "app.jar"]
	count(of(object.union(java({}, "-Xmx1g"), {"command": line}))) == 0
}

test_the_number_of_threads if {
	some f in report({"jvm.headroom.dev/app": "threads=80"}, {"containers": [java({}, "-Xmx1g")]}, {})
	endswith(f.message, "80 threads (annotation) may take 80 MiB.")
	some of_config in of(java({}, "-Xmx1g")) with data.headroom.overrides as {"jvm": {"threads": 100}}
	of_config.figures == {"stacks_mib": 100, "threads": 100}
}

test_a_probable_jvm if {
	some f in of({"name": "app", "image": "eclipse-temurin:21"})
	f.path == array.concat(container, ["env"])
}

test_a_secret_may_hold_it if {
	count(of(object.union(java({}, ""), {"env": [secret("_JAVA_OPTIONS")]}))) == 0
}

test_init_containers_and_what_is_no_jvm if {
	count(report({}, {"containers": [{"name": "web"}], "initContainers": [java({}, "-Xmx1g")]}, {})) == 0
}
