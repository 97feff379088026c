package headroom.rules.runtimes["node-heap-narrow_test"]

import data.headroom.rules.runtimes["node-heap-narrow"] as rule

report(limit, container) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
		{"name": "app", "image": "node:22", "command": ["node", "a.js"], "resources": {"limits": {"memory": limit}}},
		container,
	)]}}
}

env(name, value) := {"env": [{"name": name, "value": value}]}

test_large_limits if {
	some f in report("8Gi", {})
	f.message == "Node.js 22 takes at most 2096 of the 8192 MiB of limits.memory for its heap, without a flag."
	f.expected == concat(" ", [
		"--max-old-space-size=6144 in NODE_OPTIONS (75 % of limits.memory),",
		"or limits.memory of 4Gi, which gives the same heap",
	])
	f.figures.heap_mib == 2096
	some large in report("16Gi", {})
	large.figures.heap_mib == 4144
	large.expected == "--max-old-space-size=12288 in NODE_OPTIONS (75 % of limits.memory)"
	some in_a_shell in report("8Gi", {"command": ["sh", "-c", "cd /app && exec node a.js --env-file=.env"]})
	in_a_shell.figures.heap_mib == 2096
	some of_24 in report("8Gi", {"image": "node:24"})
	of_24.figures.heap_mib == 2240
}

test_silence if {
	every case in [
		["4Gi", {}],
		["4Gi", {"image": "node:24"}],
		["512Mi", {}],
		["256Mi", {}],
		["0", {}],
		["8Gi", {"image": "node:18"}],
		["8Gi", {"image": "node:26"}],
		["4Gi", {"image": "node:26"}],
		["16Gi", {"image": "node:24"}],
		["8Gi", {"image": "node:lts"}],
		["8Gi", {"image": "example.com/app:1"}],
		["8Gi", {"command": ["npm", "ci"]}],
		["8Gi", {"command": ["node", "--max-old-space-size=2048", "a.js"]}],
		["8Gi", {"command": ["node", "--max-heap-size=3000", "a.js"]}],
		["8Gi", {"command": ["pm2-runtime", "-i", "4", "a.js"]}],
		["8Gi", {"command": ["pm2-runtime", "-i", "max", "a.js"]}],
		["8Gi", env("NODE_OPTIONS", "--max-old-space-size=6144")],
		["8Gi", env("NODE_OPTIONS", "--max-old-space-size=${HEAP}")],
		["8Gi", env("WEB_CONCURRENCY", "3")],
		["8Gi", {"command": ["node", "--env-file=.env", "a.js"]}],
		["8Gi", {"command": ["node", "--env-file-if-exists", ".env", "a.js"]}],
		["8Gi", {"command": ["node", "--experimental-default-config-file", "a.js"]}],
		["8Gi", {"command": ["sh", "-c", ". /cfg/env && exec node a.js"]}],
		["8Gi", {"command": ["bash", "-c", "source /cfg/env; node a.js"]}],
		["8Gi", {"envFrom": [{"secretRef": {"name": "a"}}]}],
	] {
		[limit, container] := case
		count(report(limit, container)) == 0
	}
}
