// Package uncollected keeps the garbage collector off from the start of a process. Hundreds of packages make tables
// before main begins, which all stay: to mark them over and over takes a quarter of a short run.
//
// It imports next to nothing. Go initialises packages in the order of their paths once their imports are, so that it
// comes before those that make the most.
package uncollected

import "runtime/debug"

// MemoryBytes is the soft limit, with which the collector runs when much is allocated all the same.
const MemoryBytes = 128 << 20

func init() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(MemoryBytes)
}
