package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// mounted says where this process's own groups are.
type mounted struct {
	version int
	own     map[string]string
}

// root is where cgroups are mounted, as on every distribution.
const root = "/sys/fs/cgroup"

// mounts reads /proc/self/cgroup: version 2 has one line, 0::/path; version 1 one for each
// hierarchy, and its controllers are mounted under their names.
func mounts(own string) mounted {
	m := mounted{version: 1, own: map[string]string{}}
	var unified string
	for line := range strings.Lines(own) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		if fields[0] == "0" {
			unified = fields[2]
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			if controller != "" {
				m.own[controller] = filepath.Join(root, fields[1], fields[2])
			}
		}
	}
	if _, ok := m.own["cpu"]; !ok && unified != "" {
		dir := filepath.Join(root, unified)
		m = mounted{version: 2, own: map[string]string{"cpu": dir, "cpuacct": dir, "memory": dir}}
	}
	return m
}

// Version of the group, 1 or 2.
func (g *Group) Version() int { return g.version }

// CPU reads cpu.stat: version 1 has nanoseconds and the use in a file of its own, version 2
// microseconds (T5).
func (g *Group) CPU() (Stat, error) {
	counts, err := g.counts("cpu", "cpu.stat")
	if err != nil {
		return Stat{}, err
	}
	s := Stat{Periods: counts["nr_periods"], Throttled: counts["nr_throttled"], Bursts: counts["nr_bursts"]}
	if g.version == 2 {
		s.ThrottledTime = time.Duration(counts["throttled_usec"]) * time.Microsecond
		s.Used = time.Duration(counts["usage_usec"]) * time.Microsecond
		s.Burst = time.Duration(counts["burst_usec"]) * time.Microsecond
		return s, nil
	}
	s.ThrottledTime, s.Burst = time.Duration(counts["throttled_time"]), time.Duration(counts["burst_time"])
	used, err := g.number("cpuacct", "cpuacct.usage")
	s.Used = time.Duration(used)
	return s, err
}

// Charged is the most memory that was charged to the group at any time, in bytes, page cache
// included.
func (g *Group) Charged() (int64, error) {
	if g.version == 2 {
		return g.number("memory", "memory.peak")
	}
	return g.number("memory", "memory.max_usage_in_bytes")
}

// Kept is what of the group's memory is charged now and cannot be had back without the processes'
// doing, in bytes. It is what is charged less the files that are neither mapped nor written.
func (g *Group) Kept() (int64, error) {
	file, unused := "memory.usage_in_bytes", "total_inactive_file"
	if g.version == 2 {
		file, unused = "memory.current", "inactive_file"
	}
	charged, err := g.number("memory", file)
	if err != nil {
		return 0, err
	}
	counts, err := g.counts("memory", "memory.stat")
	return charged - counts[unused], err
}

// Held is the memory that is charged now and that no page cache is part of, in bytes: anonymous, shared
// and the kernel's own for these processes. It is what can bring on a kill.
func (g *Group) Held() (int64, error) {
	counts, err := g.counts("memory", "memory.stat")
	if err != nil {
		return 0, err
	}
	if g.version == 2 {
		return counts["anon"] + counts["shmem"] + counts["kernel"], nil
	}
	kernel, err := g.number("memory", "memory.kmem.usage_in_bytes")
	return counts["total_rss"] + counts["total_shmem"] + kernel, err
}

// Shared is what of it is shared memory, in bytes.
func (g *Group) Shared() (int64, error) {
	counts, err := g.counts("memory", "memory.stat")
	if g.version == 2 {
		return counts["shmem"], err
	}
	return counts["total_shmem"], err
}

// Kills counts the processes that the kernel killed because the memory limit was reached.
func (g *Group) Kills() (int64, error) {
	file := "memory.oom_control"
	if g.version == 2 {
		file = "memory.events"
	}
	counts, err := g.counts("memory", file)
	return counts["oom_kill"], err
}

func (g *Group) number(controller, file string) (int64, error) {
	text, err := os.ReadFile(filepath.Join(g.dirs[controller], file))
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// counts reads a file with a name and a number in each line.
func (g *Group) counts(controller, file string) (map[string]int64, error) {
	text, err := os.ReadFile(filepath.Join(g.dirs[controller], file))
	if err != nil {
		return nil, err
	}
	return parse(file, string(text))
}

func parse(file, text string) (map[string]int64, error) {
	counts := map[string]int64{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		number, err := strconv.ParseInt(value, 10, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s: %q is no name and number", file, strings.TrimSpace(line))
		}
		counts[name] = number
	}
	return counts, nil
}
