package engine

// Explanation is what the policies know of one container and why, beside its Detail.
type Explanation struct {
	Detail

	Role string // "app", "sidecar" (a native one) or "init"
	Path string // JSON pointer to the container
	// Class as Evaluate gives it, and in words what says so. Weaker is what would have said
	// otherwise, or the same, had it not been beaten; for an unclassified container, what would
	// classify it.
	Class, ClassEvidence string
	Weaker               []string
	// Runtime is jvm, go, worker or unknown; RuntimeEvidence says in words what shows it.
	Runtime, RuntimeEvidence string

	Resources []ResourceLine
	Flags     []FlagLine
	// PropertiesHidden counts options that are not shown since they may hold secrets (-D…).
	PropertiesHidden int
	JVM              *JVMLine // nil for what is no JVM
	// Burst is that of the collector's threads, Workers that of a worker pool; nil without a CPU
	// limit, and where there are no such threads.
	Burst, Workers *BurstLine
	Passing        Passing
	Unknown        []string // what is not known, and what would make it known
	// Skipped says why the policies judge nothing here (Windows, ephemeral container); "" as a rule.
	Skipped string
}

// ResourceLine is one effective value of a container.
type ResourceLine struct {
	Name   string // requests.cpu, limits.cpu, requests.memory, limits.memory
	Value  string // as Kubernetes writes it; "" is none
	Source string // in words
}

// FlagLine is one setting of a flag. Lines stand in the order in which the JVM applies them.
type FlagLine struct {
	Name   string // without -XX:, as the JVM knows it: MaxHeapSize for -Xmx
	Text   string // as it was written
	Source string // JAVA_TOOL_OPTIONS, command line …, and the ConfigMap that it is from
	Path   string // JSON pointer
	Wins   bool
	Note   string // why it has lost or has no effect; for one that wins, what it keeps from starting
}

// JVMLine is what the JVM makes of its flags.
type JVMLine struct {
	Version, Collector, Processors ValueLine
	ParallelGCThreads              ValueLine
	ConcGCThreads                  ValueLine
	CompilerThreads                ValueLine
	MaxHeapMiB                     ValueLine
	// WillNotStart has a sentence for each thing that keeps it from starting.
	WillNotStart []string
}

// ValueLine is a value as text, "" where it is not known, and in words where it is from.
type ValueLine struct{ Value, Source string }

// BurstLine is what a burst of threads makes of the quota (T2), or a busy pool of workers (T12).
type BurstLine struct {
	Threads                    float64 // that run at once: workers times cores of each for a pool
	PauseMS, UsedMS            float64 // a pool that is always busy has the period as its pause
	QuotaMS, PeriodMS          float64
	ThrottleMS, StallMS        float64
	ThreadsSource, PauseSource string
}

// Passing is what would pass.
type Passing struct {
	SmallestLimitMiB  ValueOrWhy // in steps of 64 MiB
	LargestHeapMiB    ValueOrWhy // in steps of 2 MiB
	LargestPercentage ValueOrWhy // whole
	LargestThreads    ValueOrWhy
	// CPURequest and CPULimit are Wanted… of Detail.CPU, in millicores, and why.
	CPURequest, CPULimit       int64
	CPURequestWhy, CPULimitWhy string
	Block                      string // resources: as YAML, "" where none can be given
	BlockNote                  string // what it assumes, or why there is none
	ToolOptions                string // a value for JAVA_TOOL_OPTIONS, "" where no flag has to change
	ToolOptionsNote            string
}

// ValueOrWhy is a number, 0 where there is none, and Why that is so.
type ValueOrWhy struct {
	Value int64
	Why   string
}
