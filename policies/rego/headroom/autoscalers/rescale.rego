package headroom.autoscalers

import data.headroom.cpu

# shares are the metrics that another CPU request of a container would scale by otherwise.
shares(c) := [metric |
	some metric in counted
	metric.share
	metric.resource == "cpu"
	counts(metric, c)
]

# target_for is the share that keeps the scaling as it is once a container has another request. It is undefined
# where nothing is scaled now, since a container that counts has no request.
target_for(metric, c, wanted) := max([1, round((metric.target * now) / then)]) if {
	is_number(metric.target)
	metric.target > 0
	requests := [other.cpu_request | some other in cpu.running; counts(metric, other)]
	min(requests) > 0
	now := sum(requests)
	then := (now - c.cpu_request) + wanted
}
