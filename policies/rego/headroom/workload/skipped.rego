package headroom.workload

import data.headroom.words

# skip_reason says why a Pod's containers are not judged; undefined where they are.
skip_reason := "a mirror Pod: its node's manifest decides, not the API server" if {
	_mirror
} else := "a Windows Pod: CPU limits, cgroups and the JVM's view of them differ there" if {
	_windows
} else := "a Pod of the control plane: its installer sizes it with its node, and a memory limit would end it" if {
	_control_plane
}

# A kubelet on Linux refuses a Pod that says one of these, so a tenant gains nothing by saying it.
_windows if pod_spec.os.name == "windows"

_windows if pod_spec.nodeSelector["kubernetes.io/os"] == "windows"

_windows if pod_spec.nodeSelector["beta.kubernetes.io/os"] == "windows"

# The kubelet makes its node the owner of a mirror Pod, and runs nothing of what the Pod says. On a
# workload, or on a Pod that no node owns, the annotation alone means nothing.
_mirror if {
	kind == "Pod"
	_metadata.annotations["kubernetes.io/config.mirror"]
	_controller.kind == "Node"
	_controller.apiVersion == "v1"
}

# What kubeadm and its like put onto a node. The API server of a live cluster has its mirror Pod.
_control_plane if {
	kind == "Pod"
	namespace == "kube-system"
	_metadata.labels.tier == "control-plane"
	pod_spec.hostNetwork == true
}

# skipped lists what was not judged, and why.
skipped contains {"what": "containers", "reason": skip_reason}

# Patches look like workloads that have none.
skipped contains {
	"what": "containers",
	"reason": sprintf("there is nothing at %s: a patch, or a part of an object", [
		replace(words.field(path), ".[*]", "[*]"),
	]),
} if {
	path := _bare
	count(unread) == 0
}

_bare := array.concat(spec_path, ["containers"]) if {
	judged
	not "containers" in object.keys(pod_spec)
} else := [array.concat(_steps(entry.template), ["spec", "containers"]) |
	some entry in known.pods
	not entry.at
	not entry.containers
	not entry.partial
][0] if {
	not template_path
	not several
}

skipped contains {
	"what": sprintf("ephemeral container %s", [_string(object.get(container, "name", ""))]),
	"reason": "ephemeral containers have no resources of their own",
} if {
	kind == "Pod"
	some container in pod_spec.ephemeralContainers
	is_object(container)
}

skipped contains {
	"what": "Pods",
	"reason": sprintf("only the first %d Pods of an object are judged, and %d more are described", [
		max_spots,
		input.left_out,
	]),
} if {
	_is_review
	input.left_out > 0
}
