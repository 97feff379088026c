package headroom.runtime.workers

# programs are the servers whose workers are processes: the options that set how many, the
# long one first, and the variables that stand in for them, the stronger first. Where no
# command is in sight, any of the variables may be meant.
programs := {
	"": {"options": [], "runtime": "", "variables": [
		"GUNICORN_CMD_ARGS",
		"UNICORN_WORKER_PROCESSES",
		"PUMA_WORKERS",
		"WEB_CONCURRENCY",
	]},
	"celery": {"options": ["--concurrency", "-c"], "runtime": "python", "variables": []},
	"gunicorn": {
		"options": ["--workers", "-w"],
		"runtime": "python",
		"variables": ["GUNICORN_CMD_ARGS", "WEB_CONCURRENCY"],
	},
	"hypercorn": {"options": ["--workers", "-w"], "runtime": "python", "variables": []},
	"puma": {"options": ["--workers", "-w"], "runtime": "ruby", "variables": ["PUMA_WORKERS", "WEB_CONCURRENCY"]},
	"unicorn": {"options": [], "runtime": "ruby", "variables": ["UNICORN_WORKER_PROCESSES", "WEB_CONCURRENCY"]},
	"uvicorn": {"options": ["--workers"], "runtime": "python", "variables": ["WEB_CONCURRENCY"]},
	"uwsgi": {"options": ["--processes", "--workers", "-p"], "runtime": "python", "variables": []},
}

_any_program := `(?:celery|gunicorn|hypercorn|puma|unicorn|uvicorn|uwsgi)`

_program_word := `^(?:.*/)?(celery|gunicorn|hypercorn|puma|unicorn|uvicorn|uwsgi)$`

# counts is false for a celery that runs no worker, or whose pool is no pool of processes:
# green threads, threads of one interpreter, or one task at a time.
counts(command) if command.program != "celery"

counts(command) if {
	some [word, _] in command.words
	word == "worker"
	not _other_pool(command)
}

_other_pool(command) if {
	some value in option_values(command, _pool_options)
	not value.text in _pools_of_processes
}

_pool_options := ["--pool", "-P"]

_pools_of_processes := {"prefork", "processes"}
