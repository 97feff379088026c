package engine

// Explanation is what the policies know of one container and why, beside its Detail.
type Explanation struct {
	Detail
	// Skipped says why the policies judge nothing here (Windows, ephemeral container); then
	// nothing but the Container's name is known. "" as a rule.
	Skipped string

	Role string // "app", "sidecar" (a native one) or "init"
	Path string // JSON pointer to the container
	// Class as Evaluate gives it, and its evidence in words. Weaker are sentences on the weaker
	// evidence, the strongest first; for an unclassified container, on what would classify it.
	Class, ClassEvidence string
	Weaker               []string
	// Runtime is jvm, "jvm?" for a guess, go, ruby, python, node, native or "", and
	// RuntimeEvidence in words what shows it.
	Runtime, RuntimeEvidence string

	Resources []ResourceLine
	Flags     []FlagLine
	// PropertiesHidden and OptionsHidden count what is not shown since it may hold secrets:
	// system properties (-D…), and all options that begin with neither -X nor -D.
	PropertiesHidden, OptionsHidden int64

	JVM *JVMLine // nil for what is no JVM
	// Quota is what the CPU limit grants (T1); nil without one.
	Quota *QuotaLine
	// Burst is that of the collector's threads, Workers that of a worker pool; nil without a CPU
	// limit, and where there are no such threads.
	Burst, Workers *BurstLine
	// Pool is the pool of workers, with or without a CPU limit; nil where nothing tells of one.
	Pool *PoolLine
	// Sizes are what runtimes other than the JVM may take of the memory, Counts the pools that they size by cores.
	Sizes   []SizeLine
	Counts  []CountLine
	Passing Passing
	Unknown []string // sentences on what is not known, and what would make it known
}

// ResourceLine is one effective value of a container.
type ResourceLine struct {
	Name   string // requests.cpu, limits.cpu, requests.memory, limits.memory
	Value  string // as Kubernetes writes it; "" if it is not set or cannot be read
	Source string // in words; "" without a value
}

// SizeLine is a part of a container's memory that a runtime may grow to, in words and in MiB.
type SizeLine struct {
	Text string
	MiB  int64
}

// CountLine is a pool of threads or processes; a Count of 0 is one for each core of the node.
type CountLine struct {
	Text  string
	Count int64
}

// FlagLine is one setting of a flag. Lines are in the order in which the JVM applies them; then
// come flags that no JVM reads, and hidden ones last.
type FlagLine struct {
	Name   string // without -XX:, as the JVM knows it: MaxHeapSize for -Xmx
	Text   string // as it was written; "" where the whole source is hidden
	Source string // JAVA_TOOL_OPTIONS, command line …, and the ConfigMap that it is from
	Path   string // JSON pointer
	Wins   bool
	Note   string // why it has no effect; for one that wins, a remark
}

// JVMLine is what the JVM makes of its flags.
type JVMLine struct {
	Version, Collector, Processors                    ValueLine
	ParallelGCThreads, ConcGCThreads, CompilerThreads ValueLine
	MaxHeapMiB                                        ValueLine
	Pause                                             ValueLine // of a collection, in ms
	// WillNotStart has a sentence for each thing that keeps it from starting.
	WillNotStart []string
}

// ValueLine is a value as text, "" where it is not known, and in words where it is from.
type ValueLine struct{ Value, Source string }

// PoolLine is a pool of workers.
type PoolLine struct {
	Workers   int64
	CoresEach float64 // cores that one needs (T12)
	Source    string  // in words
	Path      string  // JSON pointer to where the number stands, "" where it was asked for
}

// QuotaLine is CPU time in each period, of all threads together.
type QuotaLine struct{ MS, PeriodMS float64 }

// BurstLine is what a burst of threads makes of the quota (T2), or a busy pool of workers (T12).
type BurstLine struct {
	Threads       float64 // that run at once: of a pool workers times cores of each
	ThreadsSource string
	PauseMS       float64 // a pool that is always busy has the period as its pause
	PauseSource   string
	UsedMS        float64 // CPU time
	OwnMS         float64 // of it the application's, which runs before a collection; of a pool 0
	QuotaMS       float64 // CPU time for each period
	PeriodMS      float64
	ThrottleMS    float64 // what a burst wants beyond the quota; of a pool how long it is frozen in each period
	StallMS       float64 // how long it takes, standstills included
	Text          string  // all that in a sentence
}

// Passing is what would pass.
type Passing struct {
	SmallestLimitMiB  ValueOrWhy // in steps of 64 MiB up to 1 TiB; of what is no JVM by its measured peak
	LargestHeapMiB    ValueOrWhy // in steps of 2 MiB, under the present limit
	LargestPercentage ValueOrWhy // whole MaxRAMPercentage, under the present limit
	LargestThreads    ValueOrWhy // under the present limit, each with its stack
	// CPURequest and CPULimit are Wanted… of Detail.CPU, in millicores, and why.
	CPURequest, CPULimit       int64
	CPURequestWhy, CPULimitWhy string
	Block                      string // `resources:` as YAML, "" where none can be given
	BlockNote                  string // what it rests on, or why no block can be given
	ToolOptions                string // flags for JAVA_TOOL_OPTIONS that the block needs, "" for none
	ToolOptionsNote            string // what they take the place of
}

// ValueOrWhy is a number, or 0 and the reason why no number can be given.
type ValueOrWhy struct {
	Value int64
	Why   string
}
