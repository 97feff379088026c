package cgroup

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// prefix is how the names of the groups begin; the number of the process that made them follows.
const prefix = "headroom-kernel-"

// places are where a group may be made, the folder of each controller. In version 2 a group that
// holds processes may not hand controllers down, but one above it may: a shell's session holds some,
// and what it is in does not.
func (m mounted) places() []map[string]string {
	if m.version != 2 {
		return []map[string]string{m.own}
	}
	var all []map[string]string
	for dir := m.own["cpu"]; within(dir); dir = filepath.Dir(dir) {
		all = append(all, map[string]string{"cpu": dir, "cpuacct": dir, "memory": dir})
	}
	return all
}

// within says whether a folder is one of cgroups.
func within(dir string) bool { return dir == root || strings.HasPrefix(dir, root+"/") }

// room says whether so much memory can be used. A process must be killed for its own limit, and not
// because the machine, or a group around ours, has no more.
func (m mounted) room(memory int64) error {
	if memory == 0 {
		return nil
	}
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return err
	}
	if spare := available(string(text)); spare < memory {
		return fmt.Errorf("%d MiB of memory are available, and a limit of %d MiB is to be reached", spare>>20, memory>>20)
	}
	for dir := m.own["memory"]; within(dir); dir = filepath.Dir(dir) {
		if limit := m.limited(dir); limit < memory {
			return fmt.Errorf("%s has a limit of %d MiB, and one of %d MiB is to be reached", dir, limit>>20, memory>>20)
		}
	}
	return nil
}

// available reads MemAvailable, in bytes.
func available(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		var kibibytes int64
		if _, err := fmt.Sscanf(line, "MemAvailable: %d kB", &kibibytes); err == nil {
			return kibibytes << 10
		}
	}
	return math.MaxInt64 // not said
}

// limited is a group's own memory limit; the largest number where it has none.
func (m mounted) limited(dir string) int64 {
	file := "memory.limit_in_bytes"
	if m.version == 2 {
		file = "memory.max" // a number, or "max"
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return math.MaxInt64
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return limit
}

// Make makes the folder of a group. One of that name is an earlier process's with the same number,
// which was killed: what it counted is not ours.
func Make(dir string) error {
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, os.ErrExist) {
		if err := os.Remove(dir); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o755)
	}
	return err
}

// Sweep removes groups in a folder that tests left which were killed: their names are the prefix
// and the number of a process that there is no more. The kernel refuses where one is still in use.
func Sweep(parent, prefix string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		behind, ours := strings.CutPrefix(entry.Name(), prefix)
		number, _, _ := strings.Cut(behind, "-")
		if _, err := strconv.Atoi(number); !ours || err != nil {
			continue
		}
		if _, err := os.Stat("/proc/" + number); errors.Is(err, os.ErrNotExist) {
			_ = os.Remove(filepath.Join(parent, entry.Name()))
		}
	}
}

// Remove removes the folder of a group whose processes have ended.
func Remove(dir string) {
	for range 100 {
		// It can be removed when the kernel has done with its last process.
		if err := os.Remove(dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
