// Package reading makes numbers of the files that tell how a container is: cgroup files of
// both versions, /proc/PID/status, and what jcmd prints. It judges nothing: the policies do.
package reading

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Later is the folder of the second sample.
const Later = "later/"

// The names of the files, as they are saved and as the reasons name them.
const (
	CPUStat      = "cpu.stat"              // v1 and v2
	CPUMax       = "cpu.max"               // v2
	CPUQuota     = "cpu.cfs_quota_us"      // v1
	CPUPeriod    = "cpu.cfs_period_us"     // v1
	CPUBurst     = "cpu.max.burst"         // v2, since Linux 5.14
	CPUBurstV1   = "cpu.cfs_burst_us"      // v1, since Linux 5.14
	CPUs         = "cpuset.cpus.effective" // v2
	CPUsV1       = "cpuset.cpus"           // v1
	Kernel       = "osrelease"             // /proc/sys/kernel/osrelease
	Online       = "online"                // /sys/devices/system/cpu/online
	MemoryStat   = "memory.stat"           // v1 and v2
	MemoryNow    = "memory.current"        // v2
	MemoryMax    = "memory.max"            // v2
	MemoryPeak   = "memory.peak"           // v2, since Linux 5.19
	MemoryEvents = "memory.events"         // v2
	UsageV1      = "memory.usage_in_bytes"
	LimitV1      = "memory.limit_in_bytes"
	PeakV1       = "memory.max_usage_in_bytes"
	OOMControl   = "memory.oom_control" // v1
	FailCount    = "memory.failcnt"     // v1
	PidsCurrent  = "pids.current"       // v1 and v2
	Status       = "status"             // /proc/PID/status of the JVM
	PerfCounters = "PerfCounter.print"  // jcmd PID PerfCounter.print, or /tmp/hsperfdata_*/PID
	Flags        = "VM.flags"           // jcmd PID VM.flags
	NativeMemory = "VM.native_memory"   // jcmd PID VM.native_memory summary
	HeapInfo     = "GC.heap_info"       // jcmd PID GC.heap_info
)

// V1 and V2 are the files of a cgroup of each version, OfNode those of the node, and OfJVM those of a JVM.
var (
	V2 = []string{
		CPUStat, CPUMax, CPUBurst, CPUs, MemoryNow, MemoryMax, MemoryPeak, MemoryEvents, MemoryStat, PidsCurrent,
	}
	V1 = []string{
		CPUStat, CPUQuota, CPUPeriod, CPUBurstV1, CPUsV1, UsageV1, LimitV1, PeakV1, MemoryStat, OOMControl, FailCount,
		PidsCurrent,
	}
	OfNode = []string{Kernel, Online}

	OfJVM = []string{Status, PerfCounters, Flags, NativeMemory, HeapInfo}
)

// Broken is a file that is not what it should be.
type Broken struct{ File, Reason string }

// Facts is what the files say.
type Facts struct {
	// Read is the "read" of the policies' input; see rego/headroom/diagnose.
	Read map[string]any
	// Missing tells, by file, what a sound file does not hold.
	Missing map[string]string
	Broken  []Broken // sorted by file
}

// Of reads the files, by name; those of the second sample are in Later.
func Of(files map[string]string) Facts {
	r := reader{files: files, facts: Facts{Read: map[string]any{}, Missing: map[string]string{}}}
	r.cpu()
	r.memory()
	r.node()
	r.number(PidsCurrent, "pids", false)
	r.jvm()
	slices.SortFunc(r.facts.Broken, func(a, b Broken) int { return strings.Compare(a.File, b.File) })
	return r.facts
}

// reader reads the files into facts.
type reader struct {
	files map[string]string
	facts Facts
}

func (r *reader) broken(file string, err error) {
	for _, known := range r.facts.Broken {
		if known.File == file {
			return
		}
	}
	r.facts.Broken = append(r.facts.Broken, Broken{File: file, Reason: err.Error()})
}

// newest is the file of the second sample, where there is one.
func (r *reader) newest(name string) (file, text string, found bool) {
	for _, file := range []string{Later + name, name} {
		if text, found := r.files[file]; found {
			return file, text, true
		}
	}
	return "", "", false
}

// number reads a file that holds one number into the facts; a limit may also be unlimited.
func (r *reader) number(name, key string, limit bool) {
	file, text, found := r.newest(name)
	if !found {
		return
	}
	value, err := amount(text)
	if err == nil && value == Unlimited && !limit {
		err = fmt.Errorf("%s is not a number", shown(strings.TrimSpace(text)))
	}
	if err != nil {
		r.broken(file, err)
		return
	}
	r.facts.Read[key] = value
}

// shown is a text as a reason may quote it: short, and without what a terminal obeys.
func shown(text string) string {
	const most = 40
	var b strings.Builder
	for i, c := range []rune(text) {
		if i == most {
			b.WriteRune('…')
			break
		}
		if !unicode.IsPrint(c) {
			c = '?'
		}
		b.WriteRune(c)
	}
	return fmt.Sprintf("%q", b.String())
}
