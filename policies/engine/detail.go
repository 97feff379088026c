package engine

// Detail is what the policies know of one container, beside what is wrong with it.
type Detail struct {
	Container string
	CPU       CPUDetail
	Memory    MemoryDetail
	// Budget is nil for what is no JVM.
	Budget *Budget
	Harm   Harm
	// Evidence says how well its use was measured, or why that does not count; "" where nothing
	// measured it.
	Evidence string
}

// CPUDetail is in millicores; 0 means not set or not known. AverageAssumed is true if the average is the request.
type CPUDetail struct {
	Request, Limit, Average, Peak int64
	AverageAssumed                bool
	Cores                         int64 // whole processors that it can use at once
	// WantedRequest and WantedLimit are what its row of the matrix asks for. A limit of 0 means no
	// limit; -1 means that no row judges it, or that the row asks for a value that is not known.
	WantedRequest, WantedLimit int64
}

// MemoryDetail is in bytes; 0 means not set or not known.
type MemoryDetail struct{ Request, Limit, Peak int64 }

// Budget is the memory budget of a JVM (M1), in MiB. The total is what is expected, with a low end, and
// the bound is what the flags, or the JVM by itself, would allow.
type Budget struct {
	LimitMiB, LeastMiB, TotalMiB, BoundMiB, LeftMiB float64

	Headroom float64 // share of the limit that is left
	Complete bool    // limit and heap are known
	Grade    string  // of the total: declared, measured, known or assumed
	Terms    []Term
}

// Term is one term of a budget: what is expected, the low end, and what flags or the JVM would allow.
type Term struct {
	Name               string
	MiB                float64
	LeastMiB, BoundMiB float64
	Source             string // of MiB: flag, JVM default, annotation, measured or assumed, in words
	Grade              string // declared, measured, known or assumed
	Assumed            bool   // that it is the last
}

// Harm is what orders findings by what hurts today.
type Harm struct {
	OOMKills       int     // 0 where they are not counted; they count however few the samples are
	ThrottledCores float64 // share of periods that were throttled, times the CPU request in cores
	HeadroomLeft   float64 // share of the memory limit that measured peak or budget leaves; 1 where unknown
}
