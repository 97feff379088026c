package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// servers are what Debian has of nginx, HAProxy and Erlang, and what PyPI has of celery and gunicorn, in a container with
// one CPU.
func servers(ctx context.Context) ([]record.Runtime, error) {
	bin, err := python(ctx, "celery", "gunicorn")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "runtimes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		"haproxy.cfg": "defaults\n timeout connect 1s\n timeout client 1s\n timeout server 1s\n mode http\nfrontend f\n bind 127.0.0.1:18081\n",
		"nginx.conf": "worker_processes auto; daemon off; pid " + dir + "/pid; error_log " + dir + "/log;\n" +
			"events {}\nhttp { access_log off; server { listen 127.0.0.1:18082; } }\n",
		"tasks.py": "from celery import Celery\napp = Celery(broker='memory://')\n",
		"app.py":   "def app(environ, start):\n    start('200 OK', [])\n    return [b'']\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	erlang := func(flags ...string) []string {
		return append([]string{"erl"}, append(flags, "-noshell", "-eval",
			`io:format("~p~n", [erlang:system_info(schedulers_online)]), halt().`)...)
	}
	kept := func(_ context.Context, r *running) (float64, error) {
		bytes, err := r.group.Kept()
		return float64(bytes>>20) / 8, err
	}
	var trials []trial
	for _, of := range []struct {
		fact, program, what, unit string
		version, command          []string
		container                 map[string]any
		read                      func(context.Context, *running) (float64, error)
	}{
		{
			"R50", "nginx", "workers with worker_processes auto", "processes",
			[]string{"nginx", "-v"},
			[]string{"nginx", "-c", filepath.Join(dir, "nginx.conf")},
			map[string]any{"image": "nginx"},
			children,
		},
		{
			"R52", "HAProxy", "threads without nbthread", "threads",
			[]string{"haproxy", "-v"},
			[]string{"haproxy", "-f", filepath.Join(dir, "haproxy.cfg")},
			nil, threads,
		},
		{"R40", "Erlang/OTP", "schedulers online", "threads", erlang(), erlang(), nil, nil},
		{
			"R40", "Erlang/OTP", "schedulers online with +S 4", "threads", erlang(), erlang("+S", "4"),
			map[string]any{"env": []any{map[string]any{"name": "ERL_FLAGS", "value": "+S 4"}}},
			nil,
		},
		{
			"R20", "celery", "workers without --concurrency", "processes",
			[]string{filepath.Join(bin, "celery"), "--version"},
			[]string{filepath.Join(bin, "celery"), "--workdir", dir, "-A", "tasks", "worker"},
			map[string]any{"command": []any{"celery", "-A", "tasks", "worker"}},
			children,
		},
		{
			"R21", "gunicorn", "memory of one of 8 bare workers", "MiB",
			[]string{filepath.Join(bin, "gunicorn"), "--version"},
			[]string{filepath.Join(bin, "gunicorn"), "--chdir", dir, "-b", "127.0.0.1:18083", "-w", "8", "app:app"},
			nil, kept,
		},
	} {
		version, err := versionOf(ctx, of.version...)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(of.program, "Erlang") {
			if version, err = versionOf(ctx, "erl", "-noshell", "-eval", `io:format("~s~n", [erlang:system_info(otp_release)]), halt().`); err != nil {
				return nil, err
			}
		}
		t := trial{
			Runtime: record.Runtime{
				Fact: of.fact, Program: of.program, Version: version, MilliCPU: 1000, MemoryMiB: 1024, What: of.what, Unit: of.unit,
				Container: of.container,
			},
			command: of.command, read: of.read,
		}
		trials = append(trials, t)
	}
	return all(ctx, trials)
}
