// Package search says how long a test looks for what breaks a program at random.
package search

// Rounds is the number of rounds of a search that takes n in the integration layer: a tenth of
// them in the unit layer, which has to end within a minute.
func Rounds(n int) int { return max(1, n/share) }
