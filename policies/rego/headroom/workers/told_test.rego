package headroom.workers_told_test

import data.headroom.workers

sizes(container, volumes, texts) := [[pool.source, pool.workers] | some pool in found] if {
	found := workers.pools with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
			"containers": [object.union({"name": "app", "args": ["bash", "-c", "exec airflow celery worker"]}, container)],
			"volumes": volumes,
		}},
		"context": {"config_maps": [{"metadata": {"name": "cfg"}, "data": texts}]},
	}
}

mount := {"volumeMounts": [{"name": "cfg", "mountPath": "/opt/airflow/airflow.cfg", "subPath": "airflow.cfg"}]}

map := [{"name": "cfg", "configMap": {"name": "cfg"}}]

usual := [["AIRFLOW__CELERY__WORKER_CONCURRENCY is not set: 16", 16]]

test_what_airflow_tells_its_celery if {
	sizes({}, [], {}) == usual
	sizes({"image": "apache/airflow:2.9.3", "args": ["celery", "worker"]}, [], {}) == usual
	sizes({"args": ["airflow", "celery", "worker", "-c", "4"]}, [], {}) == [["celery --concurrency 4", 4]]
	variable := {"env": [{"name": "AIRFLOW__CELERY__WORKER_CONCURRENCY", "value": "3"}]}
	sizes(variable, [], {}) == [["AIRFLOW__CELERY__WORKER_CONCURRENCY=3", 3]]
	sizes(mount, map, {"airflow.cfg": "[celery]\nworker_concurrency = 8\n"}) == [["in /opt/airflow/airflow.cfg: 8", 8]]
	sizes(mount, map, {"airflow.cfg": "[celery]\n"}) == [["in /opt/airflow/airflow.cfg: 16", 16]]
}

test_what_is_not_seen_is_not_known if {
	sizes(mount, [{"name": "cfg", "secret": {"secretName": "cfg"}}], {}) == []
	sizes({"envFrom": [{"secretRef": {"name": "a"}}]}, [], {}) == []
	secret := {"secretKeyRef": {"name": "a", "key": "b"}}
	sizes({"env": [{"name": "AIRFLOW__CELERY__WORKER_CONCURRENCY", "valueFrom": secret}]}, [], {}) == []
}

test_other_programs_are_told_nothing if {
	sizes({"args": ["airflow", "scheduler"]}, [], {}) == []
	sizes({"args": ["airflow", "celery", "flower"]}, [], {}) == []
	sizes({"args": ["celery", "worker"]}, [], {}) == []
}
