package headroom.runtime.nginx

import data.headroom.cpu
import data.headroom.images
import data.headroom.process
import data.headroom.registry
import data.headroom.serving
import data.headroom.workload

# Ingress controllers write nginx's configuration themselves: as many workers as worker-processes of their ConfigMap
# says, or one for each core that they count (R51).

# _controllers are their images, each with the options that name the ConfigMap.
_controllers := object.union(
	{image: ["--configmap"] | some image in _of_kubernetes},
	{image: ["-nginx-configmaps", "--nginx-configmaps"] | some image in _of_nginx},
)

_of_kubernetes := ["ingress-nginx/controller", "kubernetes-ingress-controller/nginx-ingress-controller"]

_of_nginx := ["nginx/nginx-ingress", "nginx-ic/nginx-plus-ingress"]

_found_controllers := {id: {"sure": true, "evidence": concat(" ", ["image", controller.image])} |
	some id, controller in _running
}

_running[id] := {"c": c, "image": imaged.image, "words": words} if {
	some id, imaged in registry.imaged
	_controllers[imaged.image]
	c := workload.containers[id]
	c.role != "init"
	not serving.utility(c)
	words := [[process.expand(c, text), []] | some text in images.words(c)]
}

_of_controllers := array.concat(_by_cores, _by_number)

_by_cores := [{
	"c": controller.c,
	"sure": not_said == "",
	"path": array.concat(controller.c.path, ["image"]),
	"text": concat("", [_counts_nodes(controller), not_said]),
	"count": 0,
	"expected": _expected(controller.c),
	"each": `worker-processes: "%s" in the ConfigMap`,
} |
	some controller in _running
	not_said := _unless(controller)
]

_by_number := [{
	"c": controller.c,
	"sure": true,
	"path": array.concat(controller.c.path, ["image"]),
	"text": sprintf("nginx starts %s workers (worker-processes in ConfigMap %s)", [text, _config(controller)]),
	"count": to_number(text),
	"expected": _expected(controller.c),
} |
	some controller in _running
	text := _data(controller)["worker-processes"]
	regex.match(`^[1-9][0-9]{0,3}$`, text)
]

_expected(c) := sprintf(`worker-processes: "%v" (limits.cpu rounded up) in the ConfigMap`, [cpu.cores[c.id]])

# What a ConfigMap that is not in the input may say.
_unless(controller) := "" if {
	not _config(controller)
} else := sprintf(", unless worker-processes in ConfigMap %s says how many", [_config(controller)]) if {
	not _data(controller)
} else := "" if {
	object.get(_data(controller), "worker-processes", "auto") == "auto"
}

_data(controller) := process.config_map(_config(controller), controller.c).data

_config(controller) := parts[count(parts) - 1] if {
	parts := split(serving.option(controller, _controllers[controller.image]).text, "/")
}

_counts_nodes(controller) := "nginx starts a worker for each core of the node (worker_processes auto)" if {
	controller.image in _of_nginx
}

_counts_nodes(controller) := "The controller starts an nginx worker for each core of the node" if {
	controller.image in _of_kubernetes
	_looks_at_no_limit(controller.c)
}

_counts_nodes(controller) := sprintf(_under_v2, [first]) if {
	controller.image in _of_kubernetes
	not _looks_at_no_limit(controller.c)
	first := _first(_release(controller.c))
}

_under_v2 := "Before %s the controller starts an nginx worker for each core of a node with cgroup v2"

# There is no limit to look at, or the release is older than that.
_looks_at_no_limit(c) if c.cpu_limit == 0

_looks_at_no_limit(c) if _release(c) < [0, 19]

# The first release of the same line that takes a CPU limit under cgroup v2.
_first(release) := "1.10.4" if {
	release < [1, 10, 4]
} else := "1.11.2" if {
	release >= [1, 11]
	release < [1, 11, 2]
}

_release(c) := [to_number(n) | some n in array.slice(groups, 1, 4)] if {
	tag := images.reference(c.raw.image).tag
	[groups] := regex.find_all_string_submatch_n(`^v?([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})(?:$|[-+@_])`, tag, 1)
}
