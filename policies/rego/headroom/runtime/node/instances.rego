package headroom.runtime.node

import data.headroom.cpu
import data.headroom.serving

# counters are the instances that PM2 starts: max, and 0, are one for each core of the node.
counters := [{
	"c": server.c,
	"sure": true,
	"path": said.path,
	"text": sprintf("PM2 starts %s (-i %s)", [_words(said.text), said.text]),
	"count": _count(said.text),
	"expected": sprintf("-i %v (limits.cpu rounded up), or one instance and more replicas", [cpu.cores[server.c.id]]),
	"each": "-i %s",
} |
	some server in serving.servers("node")
	server.c.role != "init"
	said := serving.option(server, ["-i", "--instances"])
	regex.match(`^(?:max|0|[1-9][0-9]{0,3})$`, said.text)
]

_words("max") := "an instance for each core of the node"

_words("0") := "an instance for each core of the node"

_words(text) := sprintf("%s instances", [text]) if not text in {"max", "0"}

_count("max") := 0

_count(text) := to_number(text) if text != "max"
