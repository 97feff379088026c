# METADATA
# title: Python
# description: Python's servers, whose workers are processes. Shown by the annotation, or by a server.
package headroom.runtime.python

import data.headroom.runtime.workers

about := {
	"words": "Python",
	"rank": 3,
	"example": "python worker=180Mi",
	"marks": ["PYTHON_VERSION"],
	"programs": [
		{"name": "celery", "options": ["--concurrency", "-c"], "variables": []},
		{
			"name": "gunicorn",
			"options": ["--workers", "-w"],
			"variables": ["GUNICORN_CMD_ARGS", "WEB_CONCURRENCY"],
			"arguments": "GUNICORN_CMD_ARGS",
		},
		{"name": "hypercorn", "options": ["--workers", "-w"], "variables": []},
		{"name": "uvicorn", "options": ["--workers"], "variables": ["WEB_CONCURRENCY"]},
		{"name": "uwsgi", "options": ["--processes", "--workers", "-p"], "variables": ["UWSGI_PROCESSES", "UWSGI_WORKERS"]},
	],
}

# The facts of its annotation: what one worker takes of the memory.
fact := workers.fact

found := workers.found("python")

ceilings := workers.ceilings("python")
