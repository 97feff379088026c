package headroom.diagnose

import data.headroom.runtime.jvm

# container_support says whether this release of Java reads the limits of the container (J11); [] where its version,
# or the cgroup's, is not known.
container_support := [verdict("container-support", status, text, message, fix)] if {
	text := _java
	lacks := _lacks
	status := _sized_to_node
	message := sprintf("%s: %s.", [lacks, _sizes])
	fix := "Take Java 8u372, 11.0.16, 15 or later, or set -Xmx and -XX:ActiveProcessorCount (HR401)."
} else := [verdict("container-support", "ok", text, message, "")] if {
	text := _java
	jvm.version_of(text)
	message := sprintf("It reads the limits of cgroup v%v.", [_cgroup])
} else := []

_java := input.read.perf.version if is_string(input.read.perf.version)

_cgroup := input.read.version if input.read.version in {1, 2}

_lacks := sprintf("%s does not read a container's limits", [old]) if {
	old := jvm.lacks_container_support(jvm.version_of(_java))
} else := sprintf("%s reads the limits of cgroup v1, and this node has v2", [old]) if {
	_cgroup == 2
	old := jvm.reads_v1_alone(jvm.version_of(_java))
}

# A heap that is held by a flag may still fit.
_sized_to_node := "error" if {
	most_heap >= limit[0]
} else := "warning"

_sizes := "its heap may grow beyond the memory limit, and its threads count the node's cores" if {
	_sized_to_node == "error"
} else := "its threads count the node's cores, and its heap is sized to the node unless a flag says how large"
