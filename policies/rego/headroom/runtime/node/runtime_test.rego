package headroom.runtime.node_test

import data.headroom.runtime.node
import data.headroom.runtimes

pod(container) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "resources": {"limits": {"memory": "1Gi", "cpu": "1"}}},
	container,
)]}}

sizes(container) := [floor(term.bytes / 1048576) | some term in found[_].terms] if {
	found := node.ceilings with input as pod(container)
}

options(text) := {"env": [{"name": "NODE_OPTIONS", "value": text}]}

secret := {"secretKeyRef": {"name": "a", "key": "b"}}

cases := [
	[{"command": ["node", "--max-old-space-size=4096", "a.js"]}, [4096]],
	[{"command": ["node", "--max_old_space_size=512", "a.js"]}, [512]],
	[{"command": ["node", "--max-old-space-size=1", "--max-old-space-size=2", "a.js"]}, [2]],
	[{"command": ["node", "a.js", "--max-old-space-size=4096"]}, []],
	[{"command": ["sh", "-c", "exec node --max-old-space-size=300 a.js"]}, [300]],
	[options("--max-old-space-size=700 --inspect"), [700]],
	[object.union(options("--max-old-space-size=700"), {"command": ["node", "--max-old-space-size=2", "a.js"]}), [2]],
	[options("--max-old-space-size=many"), []],
	[options("--max-old-space-size-percentage=90"), [921]],
	[options("--max-old-space-size-percentage=50 --max-old-space-size=4096"), [512]],
	[options("--max-old-space-size=700 --max-semi-space-size=64"), [700, 192]],
	[{"command": ["pm2-runtime", "-i", "4", "a.js"], "env": options("--max-old-space-size=512").env}, [2048]],
	[{"command": ["pm2-runtime", "-i", "max", "a.js"], "env": options("--max-old-space-size=512").env}, [512]],
	[
		{
			"command": ["pm2-runtime", "-i", "2", "a.js"],
			"env": options("--max-old-space-size=512 --max-semi-space-size=16").env,
		},
		[1024, 96],
	],
	[{"image": "node:18-alpine"}, [2048]],
	[{"image": "node:18.20.8", "command": ["node", "a.js"]}, [2048]],
	[{"image": "node:20"}, []],
	[{"image": "node:lts"}, []],
	[{"image": "node"}, []],
	[{"image": "example.com/shop/node:18"}, []],
	[object.union({"image": "node:18"}, options("--max-old-space-size=512")), [512]],
	[{"image": "node:18", "env": [{"name": "NODE_OPTIONS", "valueFrom": secret}]}, []],
	[{"image": "node:18", "envFrom": [{"secretRef": {"name": "a"}}]}, []],
	[{"image": "node:18", "command": ["sh", "build.sh"]}, []],
	[{"image": "node:18", "command": ["sh", "-c", "exec node --max-old-space-size=$(( LIMIT / 2 )) a.js"]}, []],
	[object.union({"image": "node:18"}, options("--max-old-space-size=$(LATER)")), []],
	[object.union({"image": "node:18"}, options("--max-http-header-size=$(LATER)")), [2048]],
]

test_sizes if {
	every case in cases {
		[container, want] := case
		sizes(container) == want
	}
}

test_release if {
	declared := object.union(
		pod({"command": ["node", "a.js"]}),
		{"metadata": {"annotations": {"runtime.headroom.dev/app": "node version=16.1"}}},
	)
	found := node.ceilings with input as declared
	contains(found[0].terms[0].text, "Node.js 16")
	lock := {
		"references": {"a:1": "sha256:1"},
		"images": {"sha256:1": {"entrypoint": ["node", "a.js"], "environment": {"NODE_VERSION": "18.1.0"}}},
	}
	inside := node.ceilings with input as pod({"image": "a:1"}) with data.headroom.image_lock as lock
	contains(inside[0].terms[0].text, "Node.js 18")
}

counts(container) := [counter.count | some counter in found] if {
	found := node.counters with input as pod(container)
}

test_instances if {
	counts({"command": ["pm2-runtime", "-i", "max", "app.js"]}) == [0]
	counts({"command": ["pm2-runtime", "app.js", "--instances=4"]}) == [4]
	counts({"command": ["pm2-runtime", "-i", "0", "app.js"]}) == [0]
	counts({"command": ["pm2-runtime", "-i", "-1", "app.js"]}) == []
	counts({"command": ["node", "app.js"]}) == []
}

test_found if {
	every container in [
		{"image": "node:22"}, {"command": ["node", "a.js"]}, {"command": ["/usr/local/bin/node", "a.js"]},
		options("--inspect"), {"command": ["tini", "--", "node", "a.js"]},
	] {
		runtimes.running[0].name == "node" with input as pod(container)
	}
	every container in [
		{"image": "node:22", "command": ["npm", "ci"]}, {"command": ["app", "--role", "node"]}, {"image": "node-exporter"},
		{"command": ["nginx"], "env": options("--inspect").env},
	] {
		runtimes.running[0].name != "node" with input as pod(container)
	}
}

test_options_that_a_script_sets if {
	every case in [
		["export NODE_OPTIONS=--max-old-space-size=4096; exec yarn start", [4096]],
		["yarn build && NODE_OPTIONS=--max-old-space-size=4096 yarn start", [4096]],
		["NODE_OPTIONS=--max-old-space-size=4096 yarn build && yarn start", []],
		["export NODE_OPTIONS=\"--max-old-space-size=4096 $(cat more)\"; yarn start", []],
	] {
		[script, want] := case
		sizes({"command": ["sh", "-c", script]}) == want
	}
}

test_a_heap_by_the_node if {
	every limit, want in {"2Gi": 2048, "4Gi": 4144, "8Gi": 4144} {
		found := node.ceilings with input as pod({"image": "node:18", "resources": {"limits": {"memory": limit}}})
		[floor(one.terms[0].bytes / 1048576) | some one in found] == [want]
	}
}
