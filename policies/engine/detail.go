package engine

import (
	"context"
	"encoding/json"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Detail is what the policies know of one container, beside what is wrong with it.
type Detail struct {
	Container string `rego:"container" json:"-"`
	// Evidence says how well its use was measured, or why that does not count; "" where nothing
	// measured it.
	Evidence string       `rego:"evidence" json:"evidence"`
	CPU      CPUDetail    `rego:"cpu" json:"cpu"`
	Memory   MemoryDetail `rego:"memory" json:"memory"`
	// Budget is nil for what is no JVM.
	Budget *Budget `rego:"budget" json:"budget"`
	Harm   Harm    `rego:"harm" json:"harm"`
	// Facts are what is known of a JVM beside its flags: what it tells itself, or an annotation.
	Facts Facts `rego:"facts" json:"-"`
}

// Facts are bytes and numbers; 0 is not known.
type Facts struct {
	Threads    int64   `rego:"threads"`
	Classes    int64   `rego:"classes"`
	Metaspace  int64   `rego:"metaspace"`
	CodeCache  int64   `rego:"code_cache"`
	Direct     int64   `rego:"direct"`
	Live       int64   `rego:"live"`
	Processors int64   `rego:"processors"`
	Pause      float64 `rego:"pause"` // ms
}

// CPUDetail is in millicores; 0 means not set or not known.
type CPUDetail struct {
	Request int64 `rego:"request" json:"requestMillicores"`
	Limit   int64 `rego:"limit" json:"limitMillicores"`
	Average int64 `rego:"average" json:"averageMillicores"`
	Peak    int64 `rego:"peak" json:"peakMillicores"`
	Cores   int64 `rego:"cores" json:"cores"` // whole processors that it can use at once
	// WantedRequest and WantedLimit are what its row of the matrix asks for. A limit of 0 means no limit.
	WantedRequest Wanted `rego:"wanted_request" json:"wantedRequestMillicores"`
	WantedLimit   Wanted `rego:"wanted_limit" json:"wantedLimitMillicores"`
}

// Wanted is in millicores; -1 means that no row of the matrix judges it, or that the row asks for a value that is not known.
type Wanted int64

// MarshalJSON writes null for what is not wanted.
func (w Wanted) MarshalJSON() ([]byte, error) {
	if w < 0 {
		return []byte("null"), nil
	}
	return json.Marshal(int64(w))
}

// MemoryDetail is in bytes; 0 means not set or not known.
type MemoryDetail struct {
	Request int64 `rego:"request" json:"requestBytes"`
	Limit   int64 `rego:"limit" json:"limitBytes"`
	Peak    int64 `rego:"peak" json:"peakBytes"`
}

// Budget is the memory budget of a JVM (M1), in MiB. The total is what is expected, with a low end, and
// the bound is what the flags, or the JVM by itself, would allow.
type Budget struct {
	LimitMiB float64 `rego:"limit_mib" json:"limitMiB"`
	LeastMiB float64 `rego:"least_mib" json:"leastMiB"`
	TotalMiB float64 `rego:"total_mib" json:"totalMiB"`
	BoundMiB float64 `rego:"bound_mib" json:"boundMiB"`
	LeftMiB  float64 `rego:"left_mib" json:"leftMiB"`
	Headroom float64 `rego:"headroom" json:"headroom"` // share of the limit that is left
	Complete bool    `rego:"complete" json:"complete"` // limit and heap are known
	Grade    string  `rego:"grade" json:"grade"`       // of the total: declared, measured, known or assumed
	Terms    []Term  `rego:"terms" json:"terms"`
}

// Term is one term of a budget: what is expected, the low end, and what flags or the JVM would allow.
type Term struct {
	Name     string  `rego:"name" json:"name"`
	MiB      float64 `rego:"mib" json:"mib"`
	LeastMiB float64 `rego:"least_mib" json:"leastMiB"`
	BoundMiB float64 `rego:"bound_mib" json:"boundMiB"`
	Source   string  `rego:"source" json:"source"`   // of MiB: flag, JVM default, annotation, measured or assumed, in words
	Grade    string  `rego:"grade" json:"grade"`     // declared, measured, known or assumed
	Assumed  bool    `rego:"assumed" json:"assumed"` // that it is the last
}

// Harm is what orders findings by what hurts today.
type Harm struct {
	// OOMKills are 0 where they are not counted; they count however few the samples are.
	OOMKills int `rego:"oom_kills" json:"oomKills"`
	// ThrottledCores are the share of periods that were throttled, times the CPU request in cores.
	ThrottledCores float64 `rego:"throttled_cores" json:"throttledCores"`
	// HeadroomLeft is the share of the memory limit that measured peak or budget leaves; 1 where unknown.
	HeadroomLeft float64 `rego:"headroom_left" json:"headroomLeft"`
}

// Details are what the policies know of each container, in the order of the containers of
// Evaluate's Result.Objects.
func (e *Engine) Details(ctx context.Context, r Review) ([]Detail, error) {
	return asking(ctx, e, r, e.detail)
}

func (e *Engine) detail(ctx context.Context, input plan.Value) ([]Detail, error) {
	answer, err := e.policies.eval(ctx, "data.headroom.detail.result", input)
	return answered[[]Detail](ctx, "the details", answer, err)
}
