//go:build system

// Package kernel_test compares the models with the kernel and with JVMs of this machine: the quota
// model with cpu.stat, the memory budget with what a cgroup is charged. Where the machine lets us
// make no cgroup, its tests are skipped and say so.
//
// With -record they run longer and write evidence.json, of which `make evidence` makes docs/why.md.
package kernel_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

var (
	recording = flag.Bool("record", false, "measure at length, and write evidence.json")
	// evidence is what the tests of this run measured.
	evidence record.Evidence
)

func TestMain(m *testing.M) {
	if text := os.Getenv(busyVariable); text != "" {
		busy(text)
		return
	}
	flag.Parse()
	code := m.Run()
	if scratch != "" {
		_ = os.RemoveAll(scratch)
	}
	if code == 0 && *recording {
		if err := finish(); err != nil {
			fmt.Fprintln(os.Stderr, "evidence:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// runs is how often, or how many seconds: in a test, and when it is recorded.
func runs(tested, recorded int) int {
	if *recording {
		return recorded
	}
	return tested
}

func finish() error {
	machine, err := cgroup.Machine()
	if err != nil {
		return err
	}
	slice, err := os.ReadFile("/proc/sys/kernel/sched_cfs_bandwidth_slice_us")
	if err != nil {
		return err
	}
	micros, err := strconv.Atoi(strings.TrimSpace(string(slice)))
	if err != nil {
		return err
	}
	machine.SliceMS = float64(micros) / 1000
	evidence.Machine = machine
	return evidence.Write("evidence.json")
}
