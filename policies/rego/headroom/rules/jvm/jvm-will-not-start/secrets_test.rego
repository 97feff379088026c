package headroom.rules.jvm["jvm-will-not-start_secrets_test"]

import data.headroom.main

# What a variable holds beside a JVM's flags may be a secret, and is never repeated by any
# rule, however wrong it is.
_pod := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a"},
	"spec": {"containers": [{
		"name": "app",
		"command": ["java", "-Dpassword=canary1", "-token:canary2", "-jar", "a.jar", "canary3"],
		"env": [
			{"name": "JAVA_TOOL_OPTIONS", "value": "-Dpassword=correct canary4"},
			{"name": "JDK_JAVA_OPTIONS", "value": "canary5 -password:canary6 --token=canary7 -Dx='canary8"},
			{"name": "_JAVA_OPTIONS", "value": "-Xpassword:canary9 -agentpath:canary10 -Dy=canary11"},
			{"name": "JAVA_OPTS", "value": "-Dz=canary12 canary13"},
			{"name": "PASSWORD", "value": "canary14"},
			{"name": "GOMEMLIMIT", "value": "1GiB"},
		],
	}]},
}

test_no_finding_repeats_a_secret if {
	result := main.result with input as _pod
	some f in result.findings
	f.rule == "HR409"
	not contains(json.marshal(result), "canary")
}
