package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// airflow is what PyPI has of Airflow, whose `celery worker` takes jobs from Debian's Redis, in a container with one CPU.
func airflow(ctx context.Context) ([]record.Runtime, error) {
	// Airflow's provider does not run on celery 5.7, and other trials want that.
	bin, err := venv(ctx, "airflow", "apache-airflow[celery]", "celery<5.7", "redis")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "runtimes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	version, err := versionOf(ctx, filepath.Join(bin, "pip"), "show", "apache-airflow")
	if err != nil {
		return nil, err
	}
	environment := []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "AIRFLOW_HOME=" + dir, "AIRFLOW__CORE__EXECUTOR=CeleryExecutor",
		"AIRFLOW__CELERY__BROKER_URL=redis://127.0.0.1:18098/0", "AIRFLOW__CELERY__RESULT_BACKEND=db+sqlite:///" + dir + "/results.db",
	}
	const concurrency = "AIRFLOW__CELERY__WORKER_CONCURRENCY"
	var trials []trial
	for _, of := range []struct{ what, value string }{
		{"workers of airflow celery worker", ""},
		{"workers of airflow celery worker with " + concurrency + "=3", "3"},
	} {
		container := map[string]any{"command": []any{"airflow", "celery", "worker"}}
		set := environment
		if of.value != "" {
			container["env"] = []any{map[string]any{"name": concurrency, "value": of.value}}
			set = append(set[:len(set):len(set)], concurrency+"="+of.value)
		}
		trials = append(trials, trial{
			Runtime: record.Runtime{
				Fact: "R20", Program: "Airflow", Version: version, MilliCPU: 1000, What: of.what, Unit: "processes", Container: container,
			},
			command: []string{"sh", "-c", airflowWorkers}, environment: set,
		})
	}
	return all(ctx, trials)
}

// airflowWorkers prints how many workers there are half a minute after the start, which one CPU needs.
const airflowWorkers = `redis-server --port 18098 --save '' >/dev/null & redis=$!
airflow db migrate >/dev/null 2>&1
airflow celery worker >/dev/null 2>&1 & worker=$!
sleep 30
pgrep -c -P $worker -f ForkPoolWorker
kill $worker $redis; wait`
