package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// workers are PHP-FPM and puma of Debian, and what threads of Ruby take with several ways to give out memory.
func workers(ctx context.Context) ([]record.Runtime, error) {
	dir, err := os.MkdirTemp("", "runtimes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		"fpm.conf": "[global]\nerror_log = " + dir + "/log\ndaemonize = no\n[www]\nuser = nobody\nlisten = 127.0.0.1:18084\n" +
			"pm = static\npm.max_children = 8\n",
		"config.ru": "run ->(_) { [200, {}, []] }\n",
		"threads.rb": `threads = 16.times.map do |n|
  Thread.new do
    random, kept = Random.new(n), []
    3000.times do |i|
      some = Array.new(40) { "x" * (random.rand(12_000) + 100) }
      kept << some[random.rand(40)]
      kept.shift if kept.size > 40
      Thread.pass if i % 7 == 0
    end
    sleep 0.1
  end
end
threads.each(&:join)
GC.start
puts File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i / 1024
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	kept := func(workers int) func(context.Context, *running) (float64, error) {
		return func(_ context.Context, r *running) (float64, error) {
			bytes, err := r.group.Kept()
			return float64((10*bytes/int64(workers))>>20) / 10, err
		}
	}
	fpm, err := versionOf(ctx, "php-fpm8.2", "-v")
	if err != nil {
		return nil, err
	}
	puma, err := versionOf(ctx, "puma", "--version")
	if err != nil {
		return nil, err
	}
	ruby, err := versionOf(ctx, "ruby", "-e", "puts RUBY_VERSION")
	if err != nil {
		return nil, err
	}
	php := []string{"php-fpm8.2", "-F", "-y", filepath.Join(dir, "fpm.conf")}
	serve := []string{"puma", "-b", "tcp://127.0.0.1:18085", filepath.Join(dir, "config.ru")}
	concurrency := []string{"WEB_CONCURRENCY=4"}
	one := func(fact, program, version, what, unit string) record.Runtime {
		return record.Runtime{Fact: fact, Program: program, Version: version, MilliCPU: 1000, MemoryMiB: 1024, What: what, Unit: unit}
	}
	trials := []trial{
		{Runtime: one("R22", "PHP-FPM", fpm, "processes with pm.max_children = 8", "processes"), command: php, read: children},
		{Runtime: one("R22", "PHP-FPM", fpm, "memory of one of 8 bare processes", "MiB"), command: php, read: kept(8)},
		{Runtime: one("R21", "puma", puma, "workers by default", "processes"), command: serve, read: children},
		{Runtime: one("R21", "puma", puma, "workers with WEB_CONCURRENCY=4", "processes"), command: serve, environment: concurrency, read: children},
		{Runtime: one("R21", "puma", puma, "memory of one of 4 bare workers", "MiB"), command: serve, environment: concurrency, read: kept(4)},
	}
	trials[3].Container = map[string]any{
		"command": []any{"puma"}, "env": []any{map[string]any{"name": "WEB_CONCURRENCY", "value": "4"}},
	}
	for _, variable := range []string{"", "MALLOC_ARENA_MAX=2", "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"} {
		t := trial{Runtime: one("R24", "Ruby", ruby, "resident, 16 threads that allocate", "MiB"), command: []string{"ruby", filepath.Join(dir, "threads.rb")}}
		t.MilliCPU = 0
		if variable != "" {
			t.environment = []string{variable}
			t.What += " with " + filepath.Base(variable)
		}
		trials = append(trials, t)
	}
	return all(ctx, trials)
}
