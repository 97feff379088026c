package headroom.rules.classification["annotation-invalid"]

import data.headroom.classify
import data.headroom.registry
import data.headroom.workload

# _all_usual lets most workloads go with one look at all of headroom's annotations: they
# are of forms that cannot be complained of, and name containers of the Pod.
_all_usual if {
	not _namespace
	written := {key: value | some key, value in workload.annotations; contains(key, "headroom.dev/")}
	regex.match(_usual, json.marshal(written))
	strangers := {key |
		some key, _ in written
		contains(key, ".headroom.dev/")
		not split(key, "/")[1] in containers
	}
	strangers == set()
	_average_has_its_container
}

# What an object of such annotations looks like as JSON. A key with a second slash or a
# quotation mark is not usual.
_usual := concat("", [
	`^\{(?:"(?:(?:headroom\.dev/workload-class|class\.headroom\.dev/[^/"]*)":"[a-z-]*`,
	`|(?:headroom\.dev/cpu-average|cpu-(?:average|peak)\.headroom\.dev/[^/"]*)":"[1-9][0-9]{0,8}m?`,
	`|memory-peak\.headroom\.dev/[^/"]*":"[1-9][0-9]{0,5}[KMG]i`,
	sprintf(`|runtime\.headroom\.dev/[^/"]*":"(?:%s)`, [concat("|", registry.names)]),
	`|jvm\.headroom\.dev/[^/"]*":"version=(?:8|[12][0-9])(?: threads=[1-9][0-9]{0,3})?(?: classes=[1-9][0-9]{0,5})?`,
	`)",?)*\}$`,
])

_average_has_its_container if not workload.annotations["headroom.dev/cpu-average"]

_average_has_its_container if _ = classify.main
