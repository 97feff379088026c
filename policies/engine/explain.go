package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Explanation is what the policies know of one container and why, beside its Detail.
type Explanation struct {
	Detail `rego:"detail"`
	// Skipped says why the policies judge nothing here (Windows, ephemeral container); then
	// nothing but the Container's name is known. "" as a rule.
	Skipped string `rego:"skipped"`

	Role string `rego:"role"`         // "app", "sidecar" (a native one) or "init"
	Path string `rego:"path,pointer"` // JSON pointer to the container
	// Class as Evaluate gives it, and its evidence in words. Weaker are sentences on the weaker
	// evidence, the strongest first; for an unclassified container, on what would classify it.
	Class         string   `rego:"class"`
	ClassEvidence string   `rego:"class_evidence"`
	Weaker        []string `rego:"weaker"`
	// Runtime is jvm, "jvm?" for a guess, go, ruby, python, node, native or "", and
	// RuntimeEvidence in words what shows it.
	Runtime         string `rego:"runtime"`
	RuntimeEvidence string `rego:"runtime_evidence"`

	Resources []ResourceLine `rego:"resources"`
	Flags     []FlagLine     `rego:"flags"`
	// PropertiesHidden and OptionsHidden count what is not shown since it may hold secrets:
	// system properties (-D…), and all options that begin with neither -X nor -D.
	PropertiesHidden int64 `rego:"properties_hidden"`
	OptionsHidden    int64 `rego:"options_hidden"`

	JVM *JVMLine `rego:"jvm"` // nil for what is no JVM
	// Quota is what the CPU limit grants (T1); nil without one.
	Quota *QuotaLine `rego:"quota"`
	// Burst is that of the collector's threads, Workers that of a worker pool; nil without a CPU
	// limit, and where there are no such threads.
	Burst   *BurstLine `rego:"burst"`
	Workers *BurstLine `rego:"workers"`
	// Pool is the pool of workers, with or without a CPU limit; nil where nothing tells of one.
	Pool *PoolLine `rego:"pool"`
	// Sizes are what runtimes other than the JVM may take of the memory, Counts the pools that they size by cores.
	Sizes   []SizeLine  `rego:"sizes"`
	Counts  []CountLine `rego:"counts"`
	Passing Passing     `rego:"passing"`
	Unknown []string    `rego:"unknown"` // sentences on what is not known, and what would make it known
}

// decode reads an explanation. Of what is skipped the policies say why, and its name.
func (e *Explanation) decode(d *decoder, o *plan.Object) {
	if skipped := o.Get("skipped"); skipped == nil || skipped == "" {
		d.fields(reflect.ValueOf(e).Elem(), o)
		return
	}
	skipped := struct {
		Container string `rego:"container"`
		Skipped   string `rego:"skipped"`
	}{}
	d.fields(reflect.ValueOf(&skipped).Elem(), o)
	e.Container, e.Skipped = skipped.Container, skipped.Skipped
}

// ResourceLine is one effective value of a container.
type ResourceLine struct {
	Name   string `rego:"name" json:"name"`     // requests.cpu, limits.cpu, requests.memory, limits.memory
	Value  string `rego:"value" json:"value"`   // as Kubernetes writes it; "" if it is not set or cannot be read
	Source string `rego:"source" json:"source"` // in words; "" without a value
}

// SizeLine is a part of a container's memory that a runtime may grow to, in words and in MiB.
type SizeLine struct {
	Text string `rego:"text" json:"text"`
	MiB  int64  `rego:"mib" json:"mib"`
}

// CountLine is a pool of threads or processes; a Count of 0 is one for each core of the node.
type CountLine struct {
	Text  string `rego:"text" json:"text"`
	Count int64  `rego:"count" json:"count"`
}

// FlagLine is one setting of a flag. Lines are in the order in which the JVM applies them; then
// come flags that no JVM reads, and hidden ones last.
type FlagLine struct {
	Name   string `rego:"name" json:"name"`         // without -XX:, as the JVM knows it: MaxHeapSize for -Xmx
	Text   string `rego:"text" json:"text"`         // as it was written; "" where the whole source is hidden
	Source string `rego:"source" json:"source"`     // JAVA_TOOL_OPTIONS, command line …, and the ConfigMap that it is from
	Path   string `rego:"path,pointer" json:"path"` // JSON pointer
	Wins   bool   `rego:"wins" json:"wins"`
	Note   string `rego:"note" json:"note"` // why it has no effect; for one that wins, a remark
}

// JVMLine is what the JVM makes of its flags.
type JVMLine struct {
	Version           ValueLine `rego:"version" json:"version"`
	Collector         ValueLine `rego:"collector" json:"collector"`
	Processors        ValueLine `rego:"processors" json:"processors"`
	ParallelGCThreads ValueLine `rego:"parallel_gc_threads" json:"parallelGCThreads"`
	ConcGCThreads     ValueLine `rego:"conc_gc_threads" json:"concGCThreads"`
	CompilerThreads   ValueLine `rego:"compiler_threads" json:"compilerThreads"`
	MaxHeapMiB        ValueLine `rego:"max_heap_mib" json:"maxHeapMiB"`
	Pause             ValueLine `rego:"pause" json:"pauseMilliseconds"` // of a collection
	// WillNotStart has a sentence for each thing that keeps it from starting.
	WillNotStart []string `rego:"will_not_start" json:"willNotStart"`
}

// ValueLine is a value as text, "" where it is not known, and in words where it is from.
type ValueLine struct {
	Value  string `rego:"value" json:"value"`
	Source string `rego:"source" json:"source"`
}

// PoolLine is a pool of workers.
type PoolLine struct {
	Workers   int64   `rego:"workers" json:"workers"`
	CoresEach float64 `rego:"cores_each" json:"coresEach"` // cores that one needs (T12)
	Source    string  `rego:"source" json:"source"`        // in words
	Path      string  `rego:"path,pointer" json:"-"`       // JSON pointer to where the number stands, "" where it was asked for
}

// QuotaLine is CPU time in each period, of all threads together.
type QuotaLine struct {
	MS       float64 `rego:"ms"`
	PeriodMS float64 `rego:"period_ms"`
}

// BurstLine is what a burst of threads makes of the quota (T2), or a busy pool of workers (T12).
type BurstLine struct {
	Threads       float64 `rego:"threads" json:"threads"` // that run at once: of a pool workers times cores of each
	ThreadsSource string  `rego:"threads_source" json:"threadsSource"`
	PauseMS       float64 `rego:"pause_ms" json:"pauseMilliseconds"` // a pool that is always busy has the period as its pause
	PauseSource   string  `rego:"pause_source" json:"pauseSource"`
	UsedMS        float64 `rego:"used_ms" json:"usedMilliseconds"`   // CPU time
	OwnMS         float64 `rego:"own_ms" json:"-"`                   // of it the application's, which runs before a collection; of a pool 0
	QuotaMS       float64 `rego:"quota_ms" json:"quotaMilliseconds"` // CPU time for each period
	PeriodMS      float64 `rego:"period_ms" json:"periodMilliseconds"`
	// ThrottleMS is what a burst wants beyond the quota; of a pool how long it is frozen in each period.
	ThrottleMS float64 `rego:"throttle_ms" json:"throttleMilliseconds"`
	StallMS    float64 `rego:"stall_ms" json:"stallMilliseconds"` // how long it takes, standstills included
	Text       string  `rego:"text" json:"text"`                  // all that in a sentence
}

// Passing is what would pass.
type Passing struct {
	// SmallestLimitMiB is in steps of 64 MiB up to 1 TiB; of what is no JVM by its measured peak.
	SmallestLimitMiB ValueOrWhy `rego:"smallest_limit_mib" json:"smallestLimitMiB"`
	// LargestHeapMiB is in steps of 2 MiB, under the present limit, as are the next two.
	LargestHeapMiB    ValueOrWhy `rego:"largest_heap_mib" json:"largestHeapMiB"`
	LargestPercentage ValueOrWhy `rego:"largest_percentage" json:"largestMaxRAMPercentage"` // whole
	LargestThreads    ValueOrWhy `rego:"largest_threads" json:"largestThreads"`             // each with its stack
	// CPURequest and CPULimit are Wanted… of Detail.CPU, and why.
	CPURequest    Wanted `rego:"cpu_request" json:"cpuRequestMillicores"`
	CPURequestWhy string `rego:"cpu_request_why" json:"cpuRequestWhy"`
	CPULimit      Wanted `rego:"cpu_limit" json:"cpuLimitMillicores"`
	CPULimitWhy   string `rego:"cpu_limit_why" json:"cpuLimitWhy"`
	Block         string `rego:"block" json:"resources"`          // `resources:` as YAML, "" where none can be given
	BlockNote     string `rego:"block_note" json:"resourcesNote"` // what it rests on, or why no block can be given
	// ToolOptions are flags for JAVA_TOOL_OPTIONS that the block needs, "" for none; the note says what they take the place of.
	ToolOptions     string `rego:"tool_options" json:"javaToolOptions"`
	ToolOptionsNote string `rego:"tool_options_note" json:"javaToolOptionsNote"`
}

// ValueOrWhy is a number, or 0 and the reason why no number can be given.
type ValueOrWhy struct {
	Value int64  `rego:"value"`
	Why   string `rego:"why"`
}

// MarshalJSON writes null for what is not known.
func (v ValueOrWhy) MarshalJSON() ([]byte, error) {
	out := struct {
		Value *int64 `json:"value"`
		Why   string `json:"why"`
	}{nil, v.Why}
	if v.Value > 0 {
		out.Value = &v.Value
	}
	return json.Marshal(out)
}

// ExplainOptions change what an explanation assumes.
type ExplainOptions struct {
	PauseMS  float64 // of a garbage collection; 0 is that of the annotation, the config or the default
	PeriodMS float64 // of the CPU quota; 0 is 100 (T9)
	Workers  int64   // of a pool; 0 is what the manifest says
	// GCThreads is the number of threads with which a collection takes GCPause; another number changes the pause (T6).
	// 0 means the container's own number.
	GCThreads float64
}

// Explain says for each container what the policies know of it and why, in the order of Details;
// behind those of an object come the containers that are skipped.
func (e *Engine) Explain(ctx context.Context, r Review, o ExplainOptions) ([]Explanation, error) {
	return asking(ctx, e, r, func(ctx context.Context, input plan.Value) ([]Explanation, error) {
		return e.explanations(ctx, input, o)
	})
}

func (e *Engine) explanations(ctx context.Context, review plan.Value, o ExplainOptions) ([]Explanation, error) {
	asked, err := plan.FromGo(map[string]any{
		"pause_ms": o.PauseMS, "period_ms": o.PeriodMS, "workers": o.Workers,
		"gc_threads": o.GCThreads,
	})
	if err != nil {
		return nil, fmt.Errorf("read what is asked: %w", err)
	}
	asking := &Engine{open: e.open, data: e.data.With("asked", asked)}
	asking.policies = e.open(asking.document())
	answer, _, err := asking.eval(ctx, "data.headroom.explain.result", review)
	return answered[[]Explanation](ctx, "the explanation", answer, err)
}
