//go:build linux

// Command webhook measures `headroom webhook` and prints each figure beside what it is held
// to. It stands apart from lab/bench as what it needs to talk to an API server would
// count towards the memory of the small programs that are measured there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/lab/bench/process"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

// memoryLimit is what the chart sets as GOMEMLIMIT.
const memoryLimit = "230MiB"

// chartProcessors is what the chart sets as GOMAXPROCS: neighbours are measured as they are there.
const chartProcessors = 2

type options struct {
	headroom, programs string
	rounds, creates    int
	each               time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.headroom, "headroom", "bin/headroom", "the `program` to measure")
	flag.StringVar(&o.programs, "programs", ".tools/bin", "`FOLDER` with kube-apiserver, etcd and kubectl")
	flag.IntVar(&o.rounds, "rounds", 3, "how often to measure each load; the best of them counts")
	flag.DurationVar(&o.each, "each", 2*time.Second, "how long to measure a load at a time")
	flag.IntVar(&o.creates, "creates", 300, "how many Pods to create in each Namespace")
	flag.Parse()
	lab.Main("bench", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) error {
	if err := answers(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "headroom-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	bareProgram := filepath.Join(folder, "bare")
	if _, err := lab.Output(ctx, "go", "build", "-C", "lab", "-o", bareProgram, "./bench/webhook/bare"); err != nil {
		return err
	}
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return fmt.Errorf("which processors: %w", err)
	}
	p, err := shareOut(all, 1)
	if err != nil {
		return err
	}
	c, err := start(o.programs, folder)
	if err != nil {
		return err
	}
	defer c.Stop()
	// The Namespace of the recorded review.
	if err := c.namespace("shop", map[string]string{"headroom.dev/mode": "warn", "headroom.dev/mutate": "enabled"}); err != nil {
		return err
	}
	if err := measure(o, p, c, bareProgram); err != nil {
		return err
	}
	if p, err = shareOut(all, chartProcessors); err != nil {
		return err
	}
	headroom, err := startHeadroom(o, p, c)
	if err != nil {
		return err
	}
	defer headroom.stop()
	return fairness(c, headroom, o.rounds, o.each)
}

// startHeadroom starts the webhook, and waits until it is ready.
func startHeadroom(o options, p processors, c *standing) (*server, error) {
	s, err := startServer(p, o.headroom, "webhook", "--kubeconfig", c.Kubeconfig, "--cert-dir", c.certificates(),
		"--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--probe-listen", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := s.ready(); err != nil {
		s.stop()
		return nil, err
	}
	time.Sleep(time.Second) // what the start left behind goes back to the system
	return s, nil
}

func measure(o options, p processors, c *standing, bareProgram string) error {
	bare, err := startServer(p, bareProgram, c.certificates())
	if err != nil {
		return err
	}
	defer bare.stop()
	headroom, err := startHeadroom(o, p, c)
	if err != nil {
		return err
	}
	defer headroom.stop()
	servers := []*server{bare, headroom}
	for _, s := range servers {
		if s.idle, err = process.Memory(s.cmd.Process.Pid, "VmRSS"); err != nil {
			return err
		}
	}
	if err := https(bare, headroom, c.tls(), o.rounds, o.each); err != nil {
		return err
	}
	if err := creates(c, bare, headroom, o.creates); err != nil {
		return err
	}
	t := report.Table{
		Title: "Memory of the same processes (resident, the program's own pages included)",
		Head:  []string{"", "before the first request", "peak", "at most", "peak is"},
	}
	for i, s := range servers {
		peak, err := process.Memory(s.cmd.Process.Pid, "VmHWM")
		if err != nil {
			return err
		}
		cells := []string{[]string{"bare", "headroom"}[i], report.Megabytes(s.idle), report.Megabytes(peak), "", ""}
		if s == headroom {
			cells[3], cells[4] = report.Megabytes(peakMemory), report.Times(float64(peak)/peakMemory)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Print()
	return nil
}
