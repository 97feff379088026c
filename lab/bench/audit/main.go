//go:build linux

// Command audit measures `headroom audit` against an API server with ten thousand workloads,
// and prints each figure beside what it is held to.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

// What design promises of an audit of 10 000 workloads.
const (
	promisedWorkloads = 10_000
	promisedWall      = 8 * time.Second
	promisedMemory    = 200 * report.Mebi
)

type options struct {
	headroom, programs string
	workloads, pods    int
	rounds, changes    int
	watch              bool
	keep               bool
}

func main() {
	var o options
	flag.StringVar(&o.headroom, "headroom", "bin/headroom", "the `program` to measure")
	flag.StringVar(&o.programs, "programs", ".tools/bin", "`FOLDER` with kube-apiserver and etcd")
	flag.IntVar(&o.workloads, "workloads", promisedWorkloads, "how many workloads there are")
	flag.IntVar(&o.pods, "pods", 5*promisedWorkloads, "how many Pods they have")
	flag.IntVar(&o.rounds, "rounds", 3, "how often to audit; the best counts")
	flag.IntVar(&o.changes, "changes", 50, "how many workloads to change under --watch")
	flag.BoolVar(&o.watch, "watch", true, "measure --watch, too")
	flag.BoolVar(&o.keep, "keep", false, "print the kubeconfig and leave the cluster running until Ctrl-C, to profile")
	flag.Parse()
	lab.Main("bench", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) error {
	folder, err := os.MkdirTemp("", "headroom-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	c, err := start(o.programs, folder)
	if err != nil {
		return err
	}
	defer c.Stop()
	began := time.Now()
	if err := fill(ctx, c.Environment.ControlPlane.Etcd.URL.String(), o.workloads, o.pods); err != nil {
		return fmt.Errorf("fill etcd: %w", err)
	}
	fmt.Printf("%s\n%d workloads, %d Pods in etcd (%s)\n\n", report.Machine(), o.workloads, o.pods,
		time.Since(began).Round(time.Second))
	if err := c.settled(ctx, o.pods); err != nil {
		return err
	}
	if o.keep {
		fmt.Println("export KUBECONFIG=" + c.Kubeconfig)
		<-ctx.Done()
		return nil
	}
	if err := audits(ctx, o, c); err != nil {
		return err
	}
	if !o.watch {
		return nil
	}
	return watching(ctx, o, c, folder)
}
