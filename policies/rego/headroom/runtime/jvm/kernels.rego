package headroom.runtime.jvm

import data.headroom.config

# Which releases see the limits on kernels that list no controllers of cgroup v1 (J15): 6.12 and later can be built so.
# Releases before ask /proc/cgroups for the controllers, find no memory there and take the node for their container.

# first_without_proc_cgroups is the first update with JDK-8349988, by its feature release.
first_without_proc_cgroups := {
	"8": {"update": 502, "read": "openjdk/jdk8u-dev pull 779"},
	"11": {"update": 32, "read": "openjdk/jdk11u-dev pull 3177, commit 75bd1e4"},
	"17": {"update": 20, "read": "openjdk/jdk17u-dev commit 4376c27"},
	"21": {"update": 10, "read": "openjdk/jdk21u-dev pull 2390, commit dd842c4"},
}

# Releases between 15 and 25, which brought it, that had no update with it.
_never_fixed := {15, 16, 18, 19, 20, 22, 23, 24}

# reads_proc_cgroups names a release that reads /proc/cgroups: {name, fixed}. It is undefined for one that does not, for
# one whose update is not known, and for those of which more is to be said: they know no cgroup v2.
reads_proc_cgroups(version) := {
	"name": _named(version),
	"fixed": _named({"feature": version.feature, "update": first}),
} if {
	first := first_without_proc_cgroups[sprintf("%d", [version.feature])].update
	version.update > 0
	version.update < first
	not lacks_container_support(version)
	not reads_v1_alone(version)
} else := {"name": _named(version), "fixed": "Java 25"} if {
	version.feature in _never_fixed
}

# proc_cgroups_severity is how gravely a node's kernel hides its limits: an info where no setting says which kernels the
# nodes have, undefined where they list the controllers.
proc_cgroups_severity := "warning" if {
	_kernel >= 612
	_cgroup != 1
} else := "info" if {
	_kernel == 0
	_cgroup != 1
}

# The kernel of nodes as one number, 612 for 6.12; 0 where none is set.
_kernel := (to_number(groups[1]) * 100) + to_number(groups[2]) if {
	groups := regex.find_all_string_submatch_n(`^([0-9]{1,2})\.([0-9]{1,2})(?:[.-]|$)`, config.settings.nodes.kernel, 1)[0]
} else := 0

_cgroup := config.settings.nodes.cgroup

# node_has_v1 says that the nodes are set to be of cgroup v1.
node_has_v1 if _cgroup == 1

# heap_of_what_it_sees says that a JVM's heap is sized to the memory that it sees, be it the limit or the node's.
heap_of_what_it_sees(j) if {
	not j.flags.MaxHeapSize
	not j.flags.MaxRAM
	not off(j.flags, "UseContainerSupport")
	j.heap.percent > 0
}

# share_of_what_it_sees is that heap's share, in percent, of a memory that is not little.
share_of_what_it_sees(j) := _max_share(j.flags, j.numbers).percent
