//go:build system

package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// replica is one process of the audit's Deployment.
type replica struct {
	pod             string
	pid             int
	metrics, probes string
}

// replicas finds the processes that the cluster's kubelet has started for the audit's Pods.
func replicas() ([]replica, error) {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, err
	}
	var found []replica
	for _, dir := range processes {
		command, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		arguments := strings.Split(string(command), "\x00")
		// Those of this cluster only: other clusters' are none of ours.
		if err != nil || !bytes.Contains(command, []byte("--kubeconfig="+filepath.Join(cluster.Dir, "pods", name+"-"))) {
			continue
		}
		var r replica
		if r.pid, err = strconv.Atoi(filepath.Base(dir)); err != nil {
			continue
		}
		for _, argument := range arguments {
			flag, value, _ := strings.Cut(argument, "=")
			switch flag {
			case "--metrics-listen":
				r.metrics = value
			case "--probe-listen":
				r.probes = value
			case "--kubeconfig":
				r.pod = filepath.Base(filepath.Dir(value))
			}
		}
		found = append(found, r)
	}
	return found, nil
}

// leading is the replica that says so.
func leading() (replica, error) {
	all, err := replicas()
	if err != nil {
		return replica{}, err
	}
	var leaders []replica
	for _, r := range all {
		if leads, err := r.metric("headroom_audit_leader"); err == nil && leads == 1 {
			leaders = append(leaders, r)
		}
	}
	if len(leaders) != 1 {
		return replica{}, fmt.Errorf("%d of %d replicas lead", len(leaders), len(all))
	}
	return leaders[0], nil
}

// metric sums the series of a metric that have all of these labels; 0 without such a series.
func (r replica) metric(metric string, labels ...string) (float64, error) {
	text, err := get("http://" + r.metrics + "/metrics")
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for line := range strings.Lines(text) {
		at := strings.LastIndex(line, " ")
		series := line[:max(at, 0)]
		matches := series == metric || strings.HasPrefix(series, metric+"{")
		for _, label := range labels {
			matches = matches && strings.Contains(series, label)
		}
		if !matches {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

func get(url string) (string, error) {
	response, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s answers %s: %s", url, response.Status, text))
	}
	return string(text), err
}

func (r replica) signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(r.pid, signal); err != nil {
		t.Fatal(err)
	}
}

func (r replica) log() string {
	text, _ := os.ReadFile(filepath.Join(cluster.Dir, "pods", r.pod+".log"))
	return string(text)
}

// leader waits for one, other than some replica.
func leader(t testing.TB, other string) (found replica) {
	t.Helper()
	plane.Eventually(t, "a leader", func() (err error) {
		if found, err = leading(); err == nil && found.pod == other {
			err = fmt.Errorf("%s still leads", other)
		}
		return err
	})
	return found
}
