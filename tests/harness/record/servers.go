package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// Servers are real servers under load, each in a memory cgroup (M7).
type Servers struct {
	Machine Machine  `json:"machine"`
	Servers []Server `json:"servers"`
}

// Server is one of them: the container as a manifest would have it, and what it took.
type Server struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Date     string   `json:"date"` // of the run, 2006-01-02
	JDK      string   `json:"jdk"`
	Feature  int      `json:"feature"`
	LimitMiB int      `json:"limitMiB"`
	CPU      string   `json:"cpu"` // limits.cpu
	Flags    []string `json:"flags,omitempty"`

	Seconds   int     `json:"seconds"` // of load
	Collector string  `json:"collector"`
	Killed    bool    `json:"killed"`
	Threads   int     `json:"threads"`
	HeldMiB   float64 `json:"heldMiB"` // the most anonymous, shared and kernel memory at any time
	Heap      Heap    `json:"heap"`
	Regions   Regions `json:"regions"`
}

// Heap in MiB: its bound, and the most that was used, committed and in memory.
type Heap struct {
	Max       float64 `json:"max"`
	Used      float64 `json:"used"`
	Committed float64 `json:"committed"`
	Resident  float64 `json:"resident"`
}

// Regions are the most of each at any of the looks, in MiB, as Native Memory Tracking counts what
// is committed. Native is what the kernel charged beside the heap and the other four; Collector is
// the collector's own part of it.
type Regions struct {
	Metaspace float64 `json:"metaspace"` // with the space of compressed classes
	CodeCache float64 `json:"codeCache"`
	Direct    float64 `json:"direct"` // java.nio's and what Netty allocates past it
	Stacks    float64 `json:"stacks"`
	Native    float64 `json:"native"`
	Collector float64 `json:"collector"`
}

// ReadServers reads a file that their Write wrote.
func ReadServers(name string) (*Servers, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var s Servers
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &s, nil
}

// Write writes the file, with a line for each server.
func (s *Servers) Write(name string) error {
	var out bytes.Buffer
	machine, err := json.Marshal(s.Machine)
	if err != nil {
		return err
	}
	fmt.Fprintf(&out, "{\n\"machine\": %s", machine)
	if err := rows(&out, "servers", s.Servers); err != nil {
		return err
	}
	out.WriteString("\n}\n")
	return os.WriteFile(name, out.Bytes(), 0o644)
}
