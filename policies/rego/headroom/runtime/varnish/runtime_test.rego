package headroom.runtime.varnish_test

import data.headroom.runtime.varnish

of(container) := [[term.text, ceiling.path] | some ceiling in ceilings; some term in ceiling.terms] if {
	ceilings := varnish.ceilings with input as pod(container)
}

pod(container) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union(
	{"name": "app", "resources": {"limits": {"memory": "2Gi"}}},
	container,
)]}}

env(size) := [{"name": "VARNISH_SIZE", "value": size}]

test_the_image if {
	of({"image": "varnish:7.5", "env": env("2G")}) == [[
		"Varnish's cache may take 2048 MiB (malloc,2G)",
		["spec", "containers", 0, "env", 0, "value"],
	]]
	of({"image": "varnish:7.5", "env": env("much")}) == []
	of({"image": "varnish:7.5"}) == []
	of({"image": "example.com/cache:1", "env": env("2G")}) == []
}

test_the_command_line if {
	line := ["varnishd", "-F", "-s", "malloc,1G", "-smain=malloc,512m", "-s", "Transient=malloc,100m", "-s", "file,/a,9G"]
	[text | some [text, _] in of({"image": "example.com/cache:1", "command": line})] == [
		"Varnish's cache may take 1024 MiB (malloc,1G)",
		"Varnish's cache may take 512 MiB (malloc,512m)",
		"Varnish's cache may take 100 MiB (malloc,100m)",
	]
	of({"image": "example.com/cache:1", "command": ["varnishd", "-F", "-s"]}) == []
	of({"image": "varnish:7.5", "command": ["varnishadm", "-s", "malloc,1G"]}) == []
}

test_what_would_fit if {
	[ceiling] := varnish.ceilings with input as pod({"image": "varnish:7.5", "env": env("2G")})
	ceiling.expected == "storages of 1536M together (75 % of limits.memory), or limits.memory of 2752Mi"
	count(varnish.found) == 1 with input as pod({"image": "varnish:7.5"})
}
