package headroom.runtime.redis

import data.headroom.cpu
import data.headroom.serving

# counters are the threads that read and write for clients, the main thread among them; redis.conf wants fewer
# than there are cores (R64).
counters := [{
	"c": server.c,
	"sure": true,
	"path": said.path,
	"text": sprintf("Redis runs %s I/O threads (io-threads %s)", [said.text, said.text]),
	"count": to_number(said.text),
	"expected": sprintf("io-threads %v (limits.cpu rounded up)", [cpu.cores[server.c.id]]),
} |
	some server in serving.servers("redis")
	server.c.role != "init"
	said := _threads(server)
	regex.match(`^[1-9][0-9]{0,2}$`, said.text)
]

_threads(server) := serving.option(server, ["--io-threads"]) if {
	serving.option(server, ["--io-threads"])
} else := {"text": lines[count(lines) - 1][1], "path": array.concat(server.c.path, ["volumeMounts"])} if {
	lines := regex.find_all_string_submatch_n(`(?mi)^\s*io-threads\s+(\S+)`, _file(server), -1)
}
