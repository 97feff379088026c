package main

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// databases are what Debian has of Redis and memcached, filled up under a memory limit of 256 MiB; and Redis' I/O threads
// under one CPU.
func databases(ctx context.Context) ([]record.Runtime, error) {
	const mebi = 256
	redis := func(maximum, after string) []string {
		return []string{"sh", "-c", `redis-server --port 18091 --save '' --maxmemory ` + maximum + ` --maxmemory-policy allkeys-lru >/dev/null &
sleep 1; ` + after + `; redis-cli -p 18091 shutdown nosave >/dev/null 2>&1; wait; exit 0`}
	}
	// Not in a script: Redis evicts between commands alone.
	const fill = `python3 -c '
for i in range(400000): print("SET k%d %s\r" % (i, "x" * 1000))
' | redis-cli -p 18091 --pipe >/dev/null 2>&1`
	memcached := func(size int) []string {
		return []string{"sh", "-c", fmt.Sprintf(`memcached -u nobody -p 18092 -U 0 -m %d & p=$!; sleep 1
python3 - <<'PY'
import socket
s = socket.create_connection(("127.0.0.1", 18092))
value = b"x" * 1000
try:
    for i in range(400000):
        s.sendall(b"set k%%d 0 0 1000 noreply\r\n%%s\r\n" %% (i, value))
    s.sendall(b"version\r\n"); s.recv(99)
except OSError:
    pass
PY
kill $p 2>/dev/null; exit 0`, size)}
	}
	version, err := versionOf(ctx, "redis-server", "--version")
	if err != nil {
		return nil, err
	}
	cached, err := versionOf(ctx, "memcached", "-V")
	if err != nil {
		return nil, err
	}
	var trials []trial
	for _, maximum := range []string{"256mb", "224mb", "192mb"} {
		trials = append(trials, trial{
			Runtime: record.Runtime{
				Fact: "R64", Program: "Redis", Version: version, MemoryMiB: mebi, Unit: "kills",
				What:      "OOMKilled with --maxmemory " + maximum + ", filled",
				Container: map[string]any{"command": []any{"redis-server", "--maxmemory", maximum}},
			},
			command: redis(maximum, fill),
		})
	}
	trials = append(trials, trial{
		Runtime: record.Runtime{
			Fact: "R64", Program: "Redis", Version: version, Unit: "bytes", What: "maxmemory of --maxmemory 64m",
			Container: map[string]any{"command": []any{"redis-server", "--maxmemory", "64m"}},
		},
		command: redis("64m", "redis-cli -p 18091 config get maxmemory"),
	})
	for _, count := range []string{"1", "4"} {
		trials = append(trials, trial{
			Runtime: record.Runtime{
				Fact: "R64", Program: "Redis", Version: version, MilliCPU: 1000, Unit: "threads",
				What:      "the main thread and the I/O threads beside it, with --io-threads " + count,
				Container: map[string]any{"command": []any{"redis-server", "--io-threads", count}},
			},
			command: redis("64mb --io-threads "+count, `cat /proc/$!/task/*/comm | grep -c -e '^io_thd_' -e '^redis-server$'`),
		})
	}
	for _, size := range []int{256, 232, 205} {
		trials = append(trials, trial{
			Runtime: record.Runtime{
				Fact: "R66", Program: "memcached", Version: cached, MemoryMiB: mebi, Unit: "kills",
				What:      fmt.Sprintf("OOMKilled with -m %d, filled", size),
				Container: map[string]any{"command": []any{"memcached", "-m", fmt.Sprint(size)}},
			},
			command: memcached(size),
		})
	}
	return all(ctx, trials)
}
