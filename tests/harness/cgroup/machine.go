package cgroup

import (
	"os"
	"runtime"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// Machine says where something is measured, without the kernel's slice.
func Machine() (record.Machine, error) {
	g, err := New(Limits{})
	if err != nil {
		return record.Machine{}, err
	}
	defer g.Close()
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	release, _, _ := strings.Cut(strings.TrimSpace(string(kernel)), "-") // the rest names who built it
	return record.Machine{Processors: runtime.NumCPU(), Kernel: release, Cgroup: g.Version()}, err
}
