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
	"variables": ["AIRFLOW__CELERY__WORKER_CONCURRENCY", "GUNICORN_CONF", "MAX_WORKERS"],
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
	# Airflow tells its celery how many (R20).
	"told": [{
		"program": "celery",
		"by": `\bairflow\b`,
		"variable": "AIRFLOW__CELERY__WORKER_CONCURRENCY",
		"file": "/opt/airflow/airflow.cfg",
		"line": `(?m)^[ \t]*worker_concurrency[ \t]*=[ \t]*([0-9]{1,6})[ \t]*$`,
		"count": 16,
	}],
	"files": {
		"gunicorn": {"options": ["--config", "-c"], "line": `(?m)^(workers\s*=\s*)([0-9]{1,6})\s*(?:#.*)?$`},
		"uwsgi": {"options": ["--ini"], "line": `(?m)^\s*((?:processes|workers)\s*=\s*)([0-9]{1,6})\s*$`},
	},
}

# The facts of its annotation: what one worker takes of the memory.
fact := workers.fact

found := object.union(serving.found("python"), workers.found("python"))

ceilings := workers.ceilings("python")
