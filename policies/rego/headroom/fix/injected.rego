package headroom.fix

import data.headroom.classify
import data.headroom.config
import data.headroom.workload

# Containers that another webhook has put into a Pod: a mesh's proxy, an agent. Their values come from that webhook's
# own settings, so nothing of them is changed here unless the config asks for it.

# injected has the names of such containers of a Pod, with where their values come from. They are told by the marks that
# injectors leave, and as known sidecars. A workload's own template has none.
injected[c.name] := hint if {
	workload.kind == "Pod"
	some c in workload.containers
	hint := _hint(c)
}

_hint(c) := mark.set if {
	some mark in _marks
	regex.match(mark.names, c.name)
	some key, _ in workload.annotations
	startswith(key, mark.annotation)
} else := "what puts this container into the Pod" if {
	classify.evidence[c.id].source == "sidecar list"
}

# What injectors write on a Pod, the containers that are theirs, and where requests and limits of these come from.
_marks := [
	{
		"annotation": "sidecar.istio.io/status",
		"names": `^istio-`,
		"set": "Istio (annotations sidecar.istio.io/proxyCPU, proxyCPULimit, proxyMemory, proxyMemoryLimit)",
	},
	{
		"annotation": "linkerd.io/",
		"names": `^linkerd-`,
		"set": "Linkerd (annotations config.linkerd.io/proxy-cpu-request, proxy-memory-limit and the like)",
	},
	{
		"annotation": "vault.hashicorp.com/agent-inject",
		"names": `^vault-agent`,
		"set": "Vault's injector (annotations vault.hashicorp.com/agent-limits-cpu, agent-limits-mem and the like)",
	},
	{
		"annotation": "dapr.io/",
		"names": `^daprd$`,
		"set": "Dapr (annotations dapr.io/sidecar-cpu-limit, sidecar-memory-limit and the like)",
	},
	{
		"annotation": "consul.hashicorp.com/connect-inject",
		"names": `^(?:consul-|envoy-sidecar)`,
		"set": "Consul (annotations consul.hashicorp.com/sidecar-proxy-cpu-limit and the like)",
	},
	{"annotation": "kuma.io/", "names": `^kuma-`, "set": "Kuma's settings of its sidecar"},
	{
		"annotation": "sidecar.opentelemetry.io/",
		"names": `^otc-container$`,
		"set": "the OpenTelemetryCollector of this sidecar",
	},
	{
		"annotation": "instrumentation.opentelemetry.io/",
		"names": `^opentelemetry-`,
		"set": "the Instrumentation of OpenTelemetry's operator",
	},
	{"annotation": "admission.datadoghq.com/", "names": `^datadog-`, "set": "Datadog's admission controller"},
]

# _left_alone says that nothing of a container is changed.
_left_alone(container) if {
	injected[container]
	not config.settings.sidecars.changeInjected
}

# wanted_of is what a finding wants, behind where to set it: a warning of an API server is cut at its end.
wanted_of(text, container) := sprintf("set in %s: %s", [injected[container], text]) if {
	injected[container]
	text != ""
} else := text
