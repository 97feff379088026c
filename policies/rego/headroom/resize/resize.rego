# METADATA
# title: Resized containers
# description: |
#   What a process that runs on makes of other limits: it keeps what it sized as it started. Each finding is
#   {container, path, message, why, expected, severity, figures}, as HR606 reports it.
package headroom.resize

import data.headroom.workload

# in_place are the containers that go on running under another amount of a resource, [as it is to be, as it is].
in_place(resource) := [[c, was] |
	some c in workload.containers
	c.role != "init"
	was := workload.before[c.name]
	key := sprintf("%s_limit", [resource])
	c[key] != was[key]
	c[key] >= 0
	not _restarts(c, resource)
]

_restarts(c, resource) if {
	some policy in c.raw.resizePolicy
	policy.resourceName == resource
	policy.restartPolicy == "RestartContainer"
}
