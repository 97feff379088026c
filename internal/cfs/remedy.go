package cfs

// Remedy is a change of the kernel against throttling without overuse.
type Remedy int

// Remedies. SlushFund and NoOpUpdate are the paper's (T11), the others are not.
const (
	// None is the kernel as it has been since 5.4.
	None Remedy = iota
	// SlushFund keeps what a period left of its quota for the next one, in which each processor pays
	// its debt from it at its first refill (T11).
	SlushFund
	// Expiry is the kernel before 5.4: what a processor holds is void when the period ends.
	Expiry
	// NoOpUpdate does nothing when the quota is written that is there already (T11; see Machine.Rewrite).
	NoOpUpdate
	// ChargeAtEnd charges what ran when a period ends, before the refill, so that it is paid from the
	// quota of the period in which it ran.
	ChargeAtEnd
)

// remedies are the names as scenarios have them, in the order of the numbers.
var remedies = []string{"none", "slush-fund", "expiry", "no-op-update", "charge-at-end"}

// Remedies are all of them, in the order of their numbers.
func Remedies() []Remedy { return []Remedy{None, SlushFund, Expiry, NoOpUpdate, ChargeAtEnd} }

// String is the name as scenarios have it.
func (r Remedy) String() string {
	if r < 0 || int(r) >= len(remedies) {
		return "unknown"
	}
	return remedies[r]
}
