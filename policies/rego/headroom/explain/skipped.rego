package headroom.explain

import data.headroom.words
import data.headroom.workload

# skipped are the containers that no rule judges: {container, skipped}. Of a Windows Pod those
# are all, and the ephemeral ones of any.
skipped := array.concat(_of_the_pod, _ephemeral)

_of_the_pod := [{"container": _name(raw), "skipped": workload.skip_reason} |
	some list in ["containers", "initContainers"]
	some raw in workload.pod_spec[list]
	is_object(raw)
]

_ephemeral := [{"container": _name(raw), "skipped": skip.reason} |
	some raw in workload.pod_spec.ephemeralContainers
	is_object(raw)
	some skip in workload.skipped
	startswith(skip.what, "ephemeral container")
	endswith(skip.what, concat(" ", ["container", _name(raw)]))
]

_name(raw) := words.shown(raw.name) if {
	is_string(raw.name)
} else := ""
