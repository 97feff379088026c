# METADATA
# title: Python
# description: Python's servers, whose workers are processes. Shown by the annotation, or by a server.
package headroom.runtime.python

import data.headroom.serving
import data.headroom.workers

about := {
	"words": "Python",
	"rank": 3,
	"example": "python worker=180Mi",
	"marks": ["PYTHON_VERSION"],
	"variables": ["GUNICORN_CONF", "MAX_WORKERS"],
	"images": [
		"tiangolo/meinheld-gunicorn", "tiangolo/meinheld-gunicorn-flask", "tiangolo/uvicorn-gunicorn",
		"tiangolo/uvicorn-gunicorn-fastapi", "tiangolo/uvicorn-gunicorn-starlette",
	],
	"programs": [
		{"name": "celery", "options": ["--concurrency", "-c"], "variables": []},
		{
			"name": "gunicorn",
			"options": ["--workers", "-w"],
			"variables": ["GUNICORN_CMD_ARGS", "WEB_CONCURRENCY"],
			"arguments": "GUNICORN_CMD_ARGS",
		},
		{"name": "fastapi", "options": ["--workers"], "variables": ["WEB_CONCURRENCY"]},
		{"name": "granian", "options": ["--workers"], "variables": []},
		{"name": "hypercorn", "options": ["--workers", "-w"], "variables": []},
		{"name": "uvicorn", "options": ["--workers"], "variables": ["WEB_CONCURRENCY"]},
		{"name": "uwsgi", "options": ["--processes", "--workers", "-p"], "variables": ["UWSGI_PROCESSES", "UWSGI_WORKERS"]},
	],
	"files": {
		"gunicorn": {"options": ["--config", "-c"], "line": `(?m)^(workers\s*=\s*)([0-9]{1,6})\s*(?:#.*)?$`},
		"uwsgi": {"options": ["--ini"], "line": `(?m)^\s*((?:processes|workers)\s*=\s*)([0-9]{1,6})\s*$`},
	},
}

# The facts of its annotation: what one worker takes of the memory.
fact := workers.fact

found := object.union(serving.found("python"), workers.found("python"))

ceilings := workers.ceilings("python")
