package cfs

// Remedy is a change of the kernel against throttling without overuse.
type Remedy int

// Remedies.
const (
	// None is the kernel as it has been since 5.4.
	None Remedy = iota
	// SlushFund pays a debt first from what the previous periods left unused (T11).
	SlushFund
	// Expiry is the kernel before 5.4: what a processor holds is void when the period ends.
	Expiry
	// NoOpUpdate charges what ran when a period ends, before the refill, so that it is paid from
	// the quota of the period in which it ran (T11).
	NoOpUpdate
)

// Remedies are all of them, in the order of their numbers.
func Remedies() []Remedy { return []Remedy{None, SlushFund, Expiry, NoOpUpdate} }

// String is the name as scenarios have it.
func (r Remedy) String() string {
	switch r {
	case None:
		return "none"
	case SlushFund:
		return "slush-fund"
	case Expiry:
		return "expiry"
	case NoOpUpdate:
		return "no-op-update"
	default:
		return "unknown"
	}
}
