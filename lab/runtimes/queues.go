package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// queues are what Debian has of sidekiq, with Redis, and of RabbitMQ.
func queues(ctx context.Context) ([]record.Runtime, error) {
	dir, err := os.MkdirTemp("", "runtimes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		"sidekiq.rb":  "require 'sidekiq'\nSidekiq.configure_server { |c| c.redis = {url: 'redis://127.0.0.1:18093'} }\n",
		"sidekiq.yml": "---\n:concurrency: 15\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	ruby, err := versionOf(ctx, "sidekiq", "--version")
	if err != nil {
		return nil, err
	}
	rabbit, err := versionOf(ctx, "dpkg-query", "-W", "-f", "${Version}", "rabbitmq-server")
	if err != nil {
		return nil, err
	}
	jobs := func(more ...string) []string {
		return append([]string{"sh", "-c", sidekiq, "sh", filepath.Join(dir, "sidekiq.rb")}, more...)
	}
	one := func(program, version, what, unit string) record.Runtime {
		fact := map[string]string{"sidekiq": "R26", "RabbitMQ": "R44"}[program]
		return record.Runtime{Fact: fact, Program: program, Version: version, MemoryMiB: 512, MilliCPU: 1000, What: what, Unit: unit}
	}
	yml := filepath.Join(dir, "sidekiq.yml")
	trials := []trial{
		{Runtime: one("sidekiq", ruby, "threads for jobs by default", "threads"), command: jobs()},
		{Runtime: one("sidekiq", ruby, "threads for jobs with -c 25", "threads"), command: jobs("-c", "25")},
		{Runtime: one("sidekiq", ruby, "threads for jobs with concurrency: 15 in its file", "threads"), command: jobs("-C", yml)},
		{Runtime: one("sidekiq", ruby, "threads for jobs with that and -c 4", "threads"), command: jobs("-C", yml, "-c", "4")},
		{
			Runtime: one("sidekiq", ruby, "threads for jobs with RAILS_MAX_THREADS=7", "threads"), command: jobs(),
			environment: []string{"RAILS_MAX_THREADS=7"},
		},
		{
			Runtime: one("sidekiq", ruby, "threads for jobs with that and -c 4", "threads"), command: jobs("-c", "4"),
			environment: []string{"RAILS_MAX_THREADS=7"},
		},
		{Runtime: one("sidekiq", ruby, "resident with 5 threads and no job", "MiB"), command: jobs("-c", "5"), environment: []string{"FIGURE=memory"}},
		{Runtime: one("sidekiq", ruby, "resident with 50 threads and no job", "MiB"), command: jobs("-c", "50"), environment: []string{"FIGURE=memory"}},
	}
	for _, of := range []struct{ setting, what string }{
		{"", "by default"},
		{"vm_memory_high_watermark.relative = 0.6", "with vm_memory_high_watermark.relative = 0.6"},
		{"vm_memory_high_watermark.absolute = 300MiB", "with vm_memory_high_watermark.absolute = 300MiB"},
	} {
		trials = append(trials, trial{
			Runtime: one("RabbitMQ", rabbit, "memory at which publishers are stopped, "+of.what, "MiB"),
			command: []string{"unshare", "-m", "sh", "-c", watermark, "sh", filepath.Join(dir, "rabbitmq"), of.setting},
		})
	}
	return all(ctx, trials)
}

// sidekiq prints how many threads it has for jobs, or what is resident of it.
const sidekiq = `redis-server --port 18093 --save '' >/dev/null & redis=$!; sleep 1
sidekiq -r "$@" >/dev/null 2>&1 & p=$!; sleep 4
if [ "$FIGURE" = memory ]; then awk '/VmRSS/ {print int($2 / 1024)}' /proc/$p/status; else grep -l processor /proc/$p/task/*/comm | wc -l; fi
kill $p $redis; wait`

// watermark gives RabbitMQ ($1: a folder, $2: its configuration) the file system of cgroups that a container has, and prints its
// watermark in MiB.
const watermark = `if [ -f /sys/fs/cgroup/cgroup.controllers ]; then mount --bind /sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup) /sys/fs/cgroup
else mount --bind /sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup) /sys/fs/cgroup/memory; fi || exit 1
mkdir -p $1; echo "$2" >$1/rabbitmq.conf
export HOME=$1 RABBITMQ_NODENAME=headroom@localhost RABBITMQ_MNESIA_BASE=$1/data RABBITMQ_LOG_BASE=$1/log RABBITMQ_NODE_PORT=18094 \
  RABBITMQ_DIST_PORT=18096 ERL_EPMD_PORT=18097 RABBITMQ_PID_FILE=$1/pid RABBITMQ_ENABLED_PLUGINS_FILE=$1/none RABBITMQ_CONFIG_FILE=$1/rabbitmq.conf
b=$(ls -d /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin)
$b/rabbitmq-server >$1/out 2>&1 & $b/rabbitmqctl wait --timeout 60 $1/pid >/dev/null 2>&1
mark=$($b/rabbitmqctl eval 'vm_memory_monitor:get_memory_limit() div 1048576.')
$b/rabbitmqctl stop >/dev/null 2>&1; wait; epmd -port 18097 -kill >/dev/null 2>&1; rm -rf $1/data; echo $mark`
