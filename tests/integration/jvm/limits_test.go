//go:build integration

package jvm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
)

// circumstances are the limits a JVM really runs under.
type circumstances struct {
	memory   int64
	milliCPU int64
}

// limits puts processes under memory and CPU limits, in cgroups below our own, where the machine lets us (cgroup v1
// as root). Where not, flag sets run under the limits of the machine, and the model is asked about those.
type limits struct {
	memoryRoot, cpuRoot string
	refused             error

	mu    sync.Mutex
	cages map[circumstances]cage
}

// prefix is how the names of the cages begin; the number of the process that made them follows.
const prefix = "headroom-jvm-"

// A cage is a memory and a CPU cgroup.
type cage struct{ memory, cpu string }

func newLimits(t *testing.T) *limits {
	t.Helper()
	l := &limits{cages: map[circumstances]cage{}}
	l.memoryRoot, l.refused = ownGroup("memory")
	if l.refused == nil {
		l.cpuRoot, l.refused = ownGroup("cpu")
	}
	if l.refused == nil {
		cgroup.Sweep(l.memoryRoot, prefix)
		cgroup.Sweep(l.cpuRoot, prefix)
	}
	t.Cleanup(l.remove)
	if l.refused == nil {
		_, l.refused = l.cage(circumstances{memory: defaultMemory.Value(), milliCPU: defaultCPU.MilliValue()})
	}
	return l
}

// ownGroup is the directory of the cgroup v1 controller this process is in.
func ownGroup(controller string) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		for _, name := range strings.Split(fields[1], ",") {
			if name == controller {
				return filepath.Join("/sys/fs/cgroup", fields[1], fields[2]), nil
			}
		}
	}
	return "", fmt.Errorf("no cgroup v1 %s controller", controller)
}

// cage makes the cgroups of the circumstances, once.
func (l *limits) cage(c circumstances) (cage, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if made, ok := l.cages[c]; ok {
		return made, nil
	}
	name := fmt.Sprintf("%s%d-%d-%d", prefix, os.Getpid(), c.memory, c.milliCPU)
	made := cage{memory: filepath.Join(l.memoryRoot, name), cpu: filepath.Join(l.cpuRoot, name)}
	for _, dir := range []string{made.memory, made.cpu} {
		if err := cgroup.Make(dir); err != nil {
			_ = os.Remove(made.memory) // of two, the first may have been allowed
			return cage{}, err
		}
	}
	l.cages[c] = made
	if err := write(made.memory, "memory.limit_in_bytes", c.memory); err != nil {
		return cage{}, err
	}
	const period = 100_000 // µs, the kernel's default (T1)
	return made, write(made.cpu, "cpu.cfs_quota_us", c.milliCPU*period/1000)
}

func write(dir, file string, value int64) error {
	return os.WriteFile(filepath.Join(dir, file), []byte(strconv.FormatInt(value, 10)), 0o644)
}

func (l *limits) remove() {
	for _, c := range l.cages {
		cgroup.Remove(c.memory)
		cgroup.Remove(c.cpu)
	}
}

// of is what the flag set runs under on this machine.
func (l *limits) of(s flagSet) circumstances {
	if l.refused == nil {
		processors := int64(runtime.NumCPU()) * 1000
		return circumstances{memory: s.Memory.Value(), milliCPU: min(s.CPU.MilliValue(), processors)}
	}
	return circumstances{memory: machineMemory(), milliCPU: machineCPU("/sys/fs/cgroup")}
}

// machineCPU is the CPU limit around us, as a container has it, else the processors of the machine.
func machineCPU(root string) int64 {
	all := int64(runtime.NumCPU()) * 1000
	read := func(file string) string {
		text, _ := os.ReadFile(filepath.Join(root, file))
		return string(text)
	}
	for _, text := range []string{read("cpu.max"), read("cpu/cpu.cfs_quota_us") + read("cpu/cpu.cfs_period_us")} {
		var quota, period int64 // "max" and -1 are no limit
		if n, _ := fmt.Sscan(text, &quota, &period); n == 2 && quota > 0 && period > 0 {
			return min(all, max(1, quota*1000/period))
		}
	}
	return all
}

func TestMachineCPU(t *testing.T) {
	all := int64(runtime.NumCPU()) * 1000
	for text, want := range map[string]int64{
		"cpu.max:50000 100000\n": 500, "cpu.max:max 100000\n": all, "cpu.max:100000000 100000\n": all,
		"cpu/cpu.cfs_quota_us:25000\n": 250, "cpu/cpu.cfs_quota_us:-1\n": all, "other:1": all,
	} {
		root := t.TempDir()
		file, value, _ := strings.Cut(text, ":")
		for name, content := range map[string]string{"cpu/cpu.cfs_period_us": "100000\n", file: value} {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := machineCPU(root); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
}

// machineMemory is the limit around us, else the memory of the machine.
func machineMemory() int64 {
	var total int64
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &total); err == nil {
			total <<= 10
		}
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && limit < total {
			total = limit
		}
	}
	return total
}
