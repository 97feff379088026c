// Package cgroup puts processes under a CPU quota and a memory limit, in cgroups of version 1 or 2
// below this process's own. It reads what the kernel counted of them.
package cgroup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Limits of a group; a zero value sets none.
type Limits struct {
	Quota  time.Duration // CPU time in each period, of all processes together (T1)
	Period time.Duration
	Burst  time.Duration // what of earlier quotas may be saved for a burst (T17); Linux has it from 5.14 on
	Memory int64         // bytes
}

// Group is a cgroup of its own.
type Group struct {
	version int               // 1 or 2
	dirs    map[string]string // the folder of each controller; in version 2 they are one
}

// Stat is what the kernel counted of a group's CPU (T5).
type Stat struct {
	Periods, Throttled int64
	ThrottledTime      time.Duration // sum over the processors
	Used               time.Duration
	Bursts             int64         // periods that used more than the quota (T17)
	Burst              time.Duration // what they used beyond it
}

// Less is what came to pass since an earlier Stat.
func (s Stat) Less(before Stat) Stat {
	return Stat{
		s.Periods - before.Periods, s.Throttled - before.Throttled,
		s.ThrottledTime - before.ThrottledTime, s.Used - before.Used, s.Bursts - before.Bursts, s.Burst - before.Burst,
	}
}

var serial atomic.Int64

// New makes a group. The error says what the machine refused; a test that needs a group cannot go on.
func New(limits Limits) (*Group, error) {
	name := fmt.Sprintf("%s%d-%d", prefix, os.Getpid(), serial.Add(1))
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	m := mounts(string(own))
	if err := m.room(limits.Memory); err != nil {
		return nil, err
	}
	g := &Group{version: m.version, dirs: map[string]string{}}
	err = g.make(m, name)
	if err == nil {
		err = g.limit(limits)
	}
	if err == nil && limits.Memory > 0 {
		_, err = g.Charged() // version 2 counts it from Linux 5.19 on
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// make takes the first place where the machine lets a process in.
func (g *Group) make(m mounted, name string) error {
	refused := []error{fmt.Errorf("no group of %s can be made", root)}
	for _, parents := range m.places() {
		err := g.below(parents, name)
		if err == nil {
			return nil
		}
		refused = append(refused, err)
		g.Close()
		g.dirs = map[string]string{}
	}
	return errors.Join(refused...)
}

// below makes the group's folders there, and sends a process in: a folder may be made where no
// process may be moved to.
func (g *Group) below(parents map[string]string, name string) error {
	if g.version == 2 {
		// Refused where the group holds processes, as one that is not the root may not do both.
		if err := write(parents["cpu"], "cgroup.subtree_control", "+cpu +memory"); err != nil {
			return err
		}
	}
	made := map[string]bool{}
	for _, controller := range []string{"cpu", "cpuacct", "memory"} {
		parent, ok := parents[controller]
		if !ok {
			return fmt.Errorf("this machine has no cgroup controller %s", controller)
		}
		dir := filepath.Join(parent, name)
		if !made[dir] {
			Sweep(parent, prefix)
			if err := Make(dir); err != nil {
				return err
			}
		}
		g.dirs[controller], made[dir] = dir, true
	}
	if out, err := g.Command(context.Background(), "/bin/true").CombinedOutput(); err != nil {
		return fmt.Errorf("move a process to %s: %w: %s", g.dirs["cpu"], err, bytes.TrimSpace(out))
	}
	return nil
}

func (g *Group) limit(l Limits) error {
	var errs []error
	set := func(controller, file, value string) {
		errs = append(errs, write(g.dirs[controller], file, value))
	}
	// What else runs on the machine has to wait: its threads are not those that are measured.
	if g.version == 2 {
		set("cpu", "cpu.weight", "10000")
	} else {
		set("cpu", "cpu.shares", "262144")
	}
	errs = append(errs, g.bandwidth(l))
	if l.Memory > 0 {
		file := "memory.limit_in_bytes"
		if g.version == 2 {
			file = "memory.max"
		}
		set("memory", file, strconv.FormatInt(l.Memory, 10))
		errs = append(errs, g.noSwap(l.Memory))
	}
	return errors.Join(errs...)
}

// bandwidth sets quota, period and burst, where there is a quota.
func (g *Group) bandwidth(l Limits) error {
	var errs []error
	set := func(file string, values ...int64) {
		errs = append(errs, write(g.dirs["cpu"], file, strings.Trim(fmt.Sprint(values), "[]")))
	}
	period, quota := l.Period.Microseconds(), l.Quota.Microseconds()
	burst := "cpu.cfs_burst_us"
	switch {
	case quota == 0:
		return nil
	case g.version == 2:
		set("cpu.max", quota, period)
		burst = "cpu.max.burst"
	default:
		set("cpu.cfs_period_us", period)
		set("cpu.cfs_quota_us", quota)
	}
	if l.Burst > 0 {
		set(burst, l.Burst.Microseconds())
	}
	return errors.Join(errs...)
}

// Rewrite writes the quota again that the group has already (T11).
func (g *Group) Rewrite(l Limits) error { return g.bandwidth(l) }

// Resize gives the group another quota, under the processes that run in it.
func (g *Group) Resize(quota, period time.Duration) error {
	return g.bandwidth(Limits{Quota: quota, Period: period})
}

// noSwap: what is swapped out is not charged, and a process that swaps is not killed. Kubernetes
// gives containers no swap either.
func (g *Group) noSwap(memory int64) error {
	for _, f := range []struct {
		version int
		file    string
		value   int64
	}{
		{2, "memory.swap.max", 0},
		{1, "memory.memsw.limit_in_bytes", memory},
		{1, "memory.swappiness", 0}, // of a kernel that does not count swap
	} {
		if f.version != g.version {
			continue
		}
		err := write(g.dirs["memory"], f.file, strconv.FormatInt(f.value, 10))
		if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
			return err
		}
	}
	return nil // a kernel without swap
}

func write(dir, file, value string) error {
	return os.WriteFile(filepath.Join(dir, file), []byte(value), 0o600)
}

// enter moves the shell into the groups that come before -- and becomes what comes behind it.
const enter = `while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"`

// Command is a command that runs in the group.
func (g *Group) Command(ctx context.Context, command ...string) *exec.Cmd {
	arguments := []string{"-c", enter, "sh"}
	seen := map[string]bool{}
	for _, dir := range g.dirs {
		if !seen[dir] {
			arguments = append(arguments, dir)
		}
		seen[dir] = true
	}
	arguments = append(append(arguments, "--"), command...)
	return exec.CommandContext(ctx, "/bin/sh", arguments...)
}

// Adopt moves a process that runs already into the group, with all of its threads.
func (g *Group) Adopt(pid int) error {
	for _, dir := range g.dirs {
		if err := write(dir, "cgroup.procs", strconv.Itoa(pid)); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the group. Its processes have to have ended.
func (g *Group) Close() {
	for _, dir := range g.dirs {
		Remove(dir)
	}
}
