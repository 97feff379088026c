package record

// Runtimes is what was measured of one group of runtimes, servers or databases (R1 and on).
type Runtimes struct {
	Machine Machine   `json:"machine"`
	Seen    []Runtime `json:"seen"`
}

// Runtime is one program that was started under limits, and one thing that was read of it.
type Runtime struct {
	Fact    string `json:"fact"`    // R1
	Program string `json:"program"` // Node.js
	Version string `json:"version"` // as the program says it
	// MemoryMiB and MilliCPU are the limits; 0 means no limit.
	MemoryMiB int     `json:"memoryMiB,omitempty"`
	MilliCPU  int     `json:"milliCPU,omitempty"`
	What      string  `json:"what"`  // the old space, threads that numpy starts
	Unit      string  `json:"unit"`  // MiB, threads, or none
	Value     float64 `json:"value"` // what was measured
	// Container is the same as a container of a Pod, for the model beside it: image, command, args, env. The limits
	// above are put into it. Empty where the model says nothing of it.
	Container map[string]any `json:"container,omitempty"`
}
