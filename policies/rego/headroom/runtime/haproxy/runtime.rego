# METADATA
# title: HAProxy
# description: |
#   HAProxy. Shown by the annotation, by the command or by the image. Without nbthread it runs a thread on each CPU
#   of the node that it may use, whatever the quota is (R52).
package headroom.runtime.haproxy

import data.headroom.cpu
import data.headroom.serving

about := {
	"words": "HAProxy",
	"images": ["haproxy", "haproxytech/haproxy-alpine", "haproxytech/haproxy-debian", "haproxytech/haproxy-ubuntu"],
	"starts": ["haproxy"],
}

found := serving.found("haproxy")

# counters are the threads of servers whose configuration is seen in a ConfigMap.
counters := [{
	"c": server.c,
	"sure": true,
	"path": array.concat(server.c.path, ["volumeMounts"]),
	"text": words.text,
	"count": words.count,
	"expected": sprintf("nbthread %v in the global section (limits.cpu rounded up)", [cpu.cores[server.c.id]]),
} |
	some server in serving.servers("haproxy")
	server.c.role != "init"
	text := serving.file(server.c, _file(server))
	contains(text, "frontend")
	words := _threads(text)
]

_file(server) := serving.option(server, ["-f"]).text if {
	serving.option(server, ["-f"])
} else := "/usr/local/etc/haproxy/haproxy.cfg"

_threads(text) := {"text": sprintf("HAProxy runs %s threads (nbthread %s)", [n, n]), "count": to_number(n)} if {
	n := regex.find_all_string_submatch_n(`(?m)^\s*nbthread\s+([1-9][0-9]{0,3})\s*(?:#.*)?$`, text, 1)[0][1]
} else := {"text": "HAProxy runs a thread on each core of the node (no nbthread)", "count": 0} if {
	not regex.match(`(?m)^\s*(?:nbthread|cpu-map|thread-groups|cpu-policy)\b`, text)
}
