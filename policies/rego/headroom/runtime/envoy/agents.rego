package headroom.runtime.envoy

import data.headroom.cpu
import data.headroom.process
import data.headroom.registry
import data.headroom.workload

# The agents of meshes start Envoy and tell it how many threads to run (R56). Istio's goes by --concurrency, the
# annotation proxy.istio.io/config or PROXY_CONFIG, else by limits.cpu, rounded up. Kuma's goes by --concurrency.
_of_agents := [object.union(_counter(c, found.path, found.text, found.count), {
	"rounds": true,
	"expected": _wanted(c, found.agent),
}) |
	some c in workload.containers
	c.role != "init"
	found := _agent(c)
]

_agent(c) := {
	"agent": agent,
	"path": array.concat(c.path, ["args"]),
	"text": sprintf("Envoy runs %s worker threads (--concurrency %s)", [said, said]),
	"count": to_number(said),
} if {
	agent := _kind(c)
	said := _concurrency(process.args(c))
	regex.match(`^[1-9][0-9]{0,3}$`, said)
} else := {
	"agent": "istio",
	"path": array.concat(c.path, ["resources", "limits", "cpu"]),
	"text": sprintf("Istio's agent gives Envoy %v worker threads, limits.cpu rounded up", [ceil(c.cpu_limit / 1000)]),
	"count": ceil(c.cpu_limit / 1000),
} if {
	_kind(c) == "istio"
	c.cpu_limit > 0
	not _configured(c)
}

_kind(c) := _agents[registry.imaged[c.id].image]

_agents := {"istio-release/proxyv2": "istio", "istio/proxyv2": "istio", "kumahq/kuma-dp": "kuma"}

_concurrency(words) := values[count(values) - 1] if {
	values := [value |
		some i, word in words
		some value in _after(words, i, word)
	]
	count(values) > 0
}

_after(words, i, "--concurrency") := [words[i + 1]]

_after(_, _, word) := [trim_prefix(word, "--concurrency=")] if startswith(word, "--concurrency=")

# Another source says how many, or may.
_configured(c) if _concurrency(process.args(c)) != "0"

_configured(_) if contains(workload.annotations["proxy.istio.io/config"], "concurrency")

_configured(c) if {
	some entry in c.raw.env
	entry.name == "PROXY_CONFIG"
	not _silent(entry)
}

_silent(entry) if {
	is_string(entry.value)
	not contains(entry.value, "concurrency")
}

_wanted(c, "istio") := sprintf("limits.cpu of %v, or proxy.istio.io/config: 'concurrency: %v' on the Pod template", [
	ceil(c.cpu_limit / 1000),
	max([1, floor(c.cpu_limit / 1000)]),
]) if {
	c.cpu_limit > 0
} else := "proxy.istio.io/config with a concurrency on the Pod template"

_wanted(c, "kuma") := sprintf("--concurrency %v (limits.cpu rounded up)", [cpu.cores[c.id]])
