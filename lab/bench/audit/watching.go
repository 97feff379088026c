//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/lab/bench/process"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

// reportRate is five times what the program does by itself, or the reports of ten thousand
// workloads would take four minutes.
const reportRate = 200

// patience is how long the first look at everything may take, reports included.
const patience = 15 * time.Minute

var reportsResource = schema.GroupVersionResource{Group: "openreports.io", Version: "v1alpha1", Resource: "reports"}

// watching measures the audit that goes on.
func watching(ctx context.Context, o options, c *standing, folder string) error {
	if err := c.install(ctx); err != nil {
		return fmt.Errorf("install the kinds of reports: %w", err)
	}
	w, err := startWatcher(ctx, o.headroom, c.Kubeconfig, filepath.Join(folder, "watch.log"))
	if err != nil {
		return err
	}
	defer w.stop()
	began := time.Now()
	err = w.until(ctx, func(m process.Metrics) bool { return m["headroom_audit_last_sync_timestamp_seconds"] > 0 })
	if err != nil {
		return err
	}
	synced := time.Since(began)
	atSync, err := process.Memory(w.command.Process.Pid, "VmRSS")
	if err != nil {
		return err
	}
	if err := w.until(ctx, func(m process.Metrics) bool { return m.Sum("headroom_audit_queue_depth") == 0 }); err != nil {
		return err
	}
	written := time.Since(began)
	if err := pause(ctx, 5*time.Second); err != nil {
		return err
	}
	idle, err := process.Memory(w.command.Process.Pid, "VmRSS")
	if err != nil {
		return err
	}
	lags, err := c.lags(ctx, o.workloads, o.changes)
	if err != nil {
		return err
	}
	peak, err := process.Memory(w.command.Process.Pid, "VmHWM")
	if err != nil {
		return err
	}
	slices.Sort(lags)
	t := report.Table{
		Title: fmt.Sprintf("headroom audit --watch of as many, at most %d reports a second; then %d workloads are changed, one by one",
			reportRate, len(lags)),
		Head: []string{
			"every verdict after", "every report after", "RSS then", "RSS idle", "peak RSS", "change to report p50", "worst",
		},
	}
	t.Rows = append(t.Rows, []string{
		report.Milliseconds(synced), report.Milliseconds(written), report.Megabytes(atSync), report.Megabytes(idle),
		report.Megabytes(peak), report.Milliseconds(lags[len(lags)/2]), report.Milliseconds(lags[len(lags)-1]),
	})
	t.Print()
	return nil
}

// install makes the API server know Reports, by the definitions that their makers publish:
// they are in a module that Kyverno's brings along.
func (c *standing) install(ctx context.Context) error {
	dir, err := lab.Output(ctx, "go", "list", "-C", "tools/kyverno", "-m", "-f", "{{.Dir}}", "github.com/openreports/reports-api")
	if err != nil {
		return err
	}
	_, err = envtest.InstallCRDs(c.Config, envtest.CRDInstallOptions{
		Paths: []string{filepath.Join(strings.TrimSpace(dir), "config", "crd")}, ErrorIfPathMissing: true,
	})
	return err
}

// watcher is the program that is measured.
type watcher struct {
	command *exec.Cmd
	log     string
	metrics string // its address
}

func startWatcher(ctx context.Context, headroom, kubeconfig, log string) (*watcher, error) {
	output, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = output.Close() }() // the program has its own
	//nolint:gosec // the program of the command line
	command := exec.CommandContext(ctx, headroom, "audit", "--watch", "-A", "--kubeconfig", kubeconfig, "--no-config",
		"--lease-namespace", "default", "--report-rate", fmt.Sprint(reportRate),
		"--metrics-listen", "127.0.0.1:0", "--probe-listen", "127.0.0.1:0")
	command.Stdout, command.Stderr = output, output
	w := &watcher{command: command, log: log}
	if err := command.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if w.metrics = w.address(); w.metrics != "" {
			return w, nil
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			break
		}
	}
	w.stop()
	text, _ := os.ReadFile(log) // for the message alone
	return nil, fmt.Errorf("headroom audit --watch does not start:\n%s", text)
}

// address is where its metrics are, as its first line of log says.
func (w *watcher) address() string {
	text, err := os.ReadFile(w.log)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		var said struct{ Metrics string }
		if json.Unmarshal([]byte(line), &said) == nil && said.Metrics != "" {
			return said.Metrics
		}
	}
	return ""
}

func (w *watcher) stop() {
	_ = w.command.Process.Kill()
	_ = w.command.Wait() // killed
}

// until waits until the program's metrics are as they should be.
func (w *watcher) until(ctx context.Context, ready func(process.Metrics) bool) error {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if m, err := process.ReadMetrics(ctx, http.DefaultClient, "http://"+w.metrics+"/metrics"); err == nil && ready(m) {
			return nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	text, _ := os.ReadFile(w.log) // for the message alone
	return errors.New("headroom audit --watch does not get done:\n" + string(text[max(0, len(text)-4096):]))
}
