package headroom.runtime.python_test

import data.headroom.registry
import data.headroom.runtime.python

pod(annotation, container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"runtime.headroom.dev/app": annotation}},
	"spec": {"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "1Gi"}}}, container)]},
}

counts(container) := [counter.count | some counter in found] if {
	found := python.counters with input as pod("python", container)
}

test_celery_counts_the_node if {
	every case in [
		[["celery", "-A", "shop", "worker"], [0]],
		[["celery", "-A", "shop", "worker", "-c", "4"], []],
		[["celery", "-A", "shop", "worker", "--autoscale=8,2"], []],
		[["celery", "-A", "shop", "worker", "-P", "gevent"], []],
		[["celery", "-A", "shop", "beat"], []],
		[["sh", "-c", "exec celery -A shop worker -l info"], [0]],
		[["gunicorn", "shop"], []],
	] {
		[command, want] := case
		counts({"command": command}) == want
	}
	container := {"name": "app", "command": ["celery", "worker"]}
	init := {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [container]}}
	python.counters == [] with input as init
}

sizes(annotation, command) := [floor(one.terms[0].bytes / 1048576) | some one in found] if {
	found := python.ceilings with input as pod(annotation, {"command": command})
}

test_memory_of_workers if {
	sizes("python worker=180Mi", ["gunicorn", "-w", "8", "shop"]) == [1440]
	sizes("python version=3.12 worker=1Gi", ["gunicorn", "-w", "2", "shop"]) == [2048]
	sizes("python", ["gunicorn", "-w", "8", "shop"]) == []
	sizes("python worker=many", ["gunicorn", "-w", "8", "shop"]) == []
	sizes("ruby worker=180Mi", ["gunicorn", "-w", "8", "shop"]) == []
	sizes("python worker=180Mi", ["gunicorn", "shop"]) == []
	some one in python.ceilings with input as pod("python worker=180Mi", {"command": ["gunicorn", "-w", "8", "shop"]})
	one.expected == "at most 5 workers, or limits.memory of 1600Mi"
}

test_words_of_the_annotation if {
	every word in ["worker=180Mi", "worker=1G", "version=3.12"] {
		registry.reads("python", word)
	}
	every word in ["worker=0", "worker=", "threads=2"] {
		not registry.reads("python", word)
	}
}
