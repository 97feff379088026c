// Package record is the form of what was measured on real kernels and real JVMs, which
// docs/why.md shows beside what the models say. Times are milliseconds, memory is MiB.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Evidence is one run of the measurements.
type Evidence struct {
	Machine Machine  `json:"machine"`
	Quota   []Quota  `json:"quota"`
	Busy    []Busy   `json:"busy"`
	Pauses  []Pauses `json:"pauses"`
	Memory  []Memory `json:"memory"`
	Kills   []Kill   `json:"kills"`
}

// Machine is where it was measured.
type Machine struct {
	Processors int     `json:"processors"`
	Kernel     string  `json:"kernel"`            // uname -r
	Cgroup     int     `json:"cgroup"`            // version of the CPU controller
	SliceMS    float64 `json:"sliceMs,omitempty"` // sched_cfs_bandwidth_slice_us (T10)
}

// Quota is work of a known size under a quota (T1, T3, T12), or a quota and a burst (T17).
type Quota struct {
	Threads int     `json:"threads"`
	WorkMS  float64 `json:"workMs"` // CPU time of each thread
	CPU
	Runs []Run `json:"runs"`
}

// CPU is a bandwidth; a quota of 0 means no quota.
type CPU struct {
	QuotaMS  float64 `json:"quotaMs"`
	PeriodMS float64 `json:"periodMs"`
	BurstMS  float64 `json:"burstMs,omitempty"` // what may be saved for it (T17)
}

// Run is one time that the work was done.
type Run struct {
	TookMS      float64 `json:"tookMs"`
	Periods     int64   `json:"periods"`
	Throttled   int64   `json:"throttled"`
	ThrottledMS float64 `json:"throttledMs"` // sum over the processors
	UsedMS      float64 `json:"usedMs"`
	Bursts      int64   `json:"bursts,omitempty"`      // periods that used more than the quota
	BurstMS     float64 `json:"burstUsedMs,omitempty"` // beyond it
}

// Busy is threads that never sleep, one on each processor, under a quota that they cannot exceed,
// or can (T10).
type Busy struct {
	Threads int `json:"threads"`
	CPU
	Runs []Run `json:"runs"`
}

// Pauses is a JVM whose collector runs so many threads under a quota (T6).
type Pauses struct {
	JDK       string `json:"jdk"`
	GCThreads int    `json:"gcThreads"`
	CPU
	Run
	Pauses  int     `json:"pauses"`
	MeanMS  float64 `json:"meanMs"`
	P99MS   float64 `json:"p99Ms"`
	WorstMS float64 `json:"worstMs"`
}

// Memory is a JVM's budget beside what the kernel charged (M1).
type Memory struct {
	JDK        string  `json:"jdk"`
	Feature    int     `json:"feature"`
	Collector  string  `json:"collector"`
	BudgetMiB  float64 `json:"budgetMiB"`  // the bound
	ChargedMiB float64 `json:"chargedMiB"` // the most at any time, page cache included
	KeptMiB    float64 `json:"keptMiB"`    // at the end, without the page cache that can be had back
}

// Kill is a JVM under a memory limit that it may or may not survive, and what was foretold.
type Kill struct {
	JDK        string   `json:"jdk"`
	LimitMiB   int      `json:"limitMiB"`
	Heap       string   `json:"heap"` // the flag that sets it
	BudgetMiB  float64  `json:"budgetMiB"`
	Rules      []string `json:"rules"` // of HR303 and HR304, those that fired
	Killed     bool     `json:"killed"`
	ExitCode   int      `json:"exitCode"`
	ChargedMiB float64  `json:"chargedMiB"`
}

// Read reads a file that Write wrote.
func Read(name string) (*Evidence, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var e Evidence
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &e, nil
}

// Write writes the file, with a line for each row, so that a later run can be compared with it.
func (e *Evidence) Write(name string) error {
	var out bytes.Buffer
	machine, err := json.Marshal(e.Machine)
	if err != nil {
		return err
	}
	fmt.Fprintf(&out, "{\n\"machine\": %s", machine)
	err = errors.Join(
		rows(&out, "quota", e.Quota), rows(&out, "busy", e.Busy), rows(&out, "pauses", e.Pauses),
		rows(&out, "memory", e.Memory), rows(&out, "kills", e.Kills),
	)
	if err != nil {
		return err
	}
	out.WriteString("\n}\n")
	return os.WriteFile(name, out.Bytes(), 0o644)
}

func rows[T any](out *bytes.Buffer, name string, all []T) error {
	fmt.Fprintf(out, ",\n%q: [", name)
	for i, row := range all {
		text, err := json.Marshal(row)
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "\n%s", text)
	}
	out.WriteString("\n]")
	return nil
}
