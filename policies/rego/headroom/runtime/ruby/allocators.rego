package headroom.runtime.ruby

import data.headroom.workers
import data.headroom.workload

# allocators are servers of threads, as HR310 wants them: {c, text} (R24, R26).
allocators := [{"c": workload.containers[id], "text": sprintf("%s's threads", [servers[0]])} |
	some id, commands in workers.started
	servers := [command.program | some command in commands; _threaded(command)]
	count(servers) > 0
]

_threaded(command) if command.program == "sidekiq"

_threaded(command) if _is_puma(command)
