package headroom.fix_test

import data.headroom.main

_withheld_texts(container) := {[f.rule, f.withheld] |
	result := main.result with input as pod(
		{"headroom.dev/workload-class": "latency-sensitive"},
		{"containers": [object.union({"name": "app", "command": ["java", "-jar", "a.jar"]}, container)]},
	)
	some f in result.findings
	f.withheld != ""
}

test_why_flags_are_not_written if {
	alone := {"resources": resources("1", "0", "2Gi", "2Gi")}
	_withheld_texts(object.union(alone, {"image": "team/app:1"})) == {[
		"HR406",
		"what the image sets is not known. headroom images lock reads it",
	]}
	every command in [
		["/run.sh", "java", "-jar", "a.jar"],
		["sh", "-c", "v=$(java -version 2>&1); exec java -jar a.jar"],
	] {
		_withheld_texts(object.union(alone, {"image": "team/app:1", "command": command})) == set()
	}
	_withheld_texts(object.union(alone, {"image": "team/app:1", "command": ["sh", "-c", "exec java -jar a.jar"]})) == {[
		"HR406",
		"what the image sets is not known. headroom images lock reads it",
	]}
	_withheld_texts(object.union(alone, {
		"image": "eclipse-temurin:21",
		"envFrom": [{"secretRef": {"name": "db"}}],
	})) == {["HR406", "Secret db may hold flags. As plain text, or as a ConfigMap beside the manifest, they can be read"]}
	_withheld_texts(object.union(alone, {"image": "eclipse-temurin:21"})) == set()
}

# The processors that it would count without its limit.
test_why_a_limit_stays if {
	limited := {"image": "team/app:1", "resources": resources("1", "2", "2Gi", "2Gi")}
	["HR202", "what the image sets is not known. headroom images lock reads it"] in _withheld_texts(limited)
}
