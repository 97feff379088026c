package measure

import "github.com/headroom-dev/headroom/policies/engine"

// whose takes out what is told of a container that is not its own. A scrape may have the name of a container that
// passes it on, as a proxy does. It may be made once for each port of a Pod.
func whose(found map[series]engine.Runtime, peaks values) {
	type told struct {
		pod string
		engine.Runtime
	}
	alike := map[told]int{}
	for of, r := range found {
		alike[told{of.pod, r}]++
	}
	for of, r := range found {
		held, peak := max(r.Live, r.Floor), peaks[of]
		switch {
		case held > 0 && alike[told{of.pod, r}] > 1:
			found[of] = r.Without("another container of the Pod tells the very same, so whose it is is not known")
		case peak > 0 && held > apart*peak:
			found[of] = r.Without("it tells of a heap that holds more than the container ever took: it may be another container's")
		case r.Kind == "jvm" && peak > 0 && max(r.Metaspace, r.Direct, leastThread*r.Threads) > apart*peak:
			found[of] = r.Without("it tells of classes, buffers or threads that take more than the container ever took: it may be another container's")
		}
	}
}

// apart is by how much two figures may differ that were not taken at one time.
const apart = 1.1

// leastThread is what the kernel alone charges for a thread: its own stack.
const leastThread = 16 << 10

// No JVM reserves more for code, and no kernel counts more processors.
const (
	mostCode       = 2 << 30 // bytes
	mostProcessors = 8192
)

// A heap, and the classes and the code of a program that can tell of itself, take more than this. A gauge in MiB or KiB
// is below it.
const (
	leastHeap   = 16 << 20 // bytes
	leastRegion = 1 << 20
)

// doubtful is why nothing of what an exporter told of a container is used; "" where it is. other is the smallest heap
// that it told, used what the heap holds now, and share that of the time in collections.
func doubtful(r *engine.Runtime, other, used, share float64) string {
	tiny := func(bytes float64) bool { return r.Kind == "jvm" && bytes > 0 && bytes < leastRegion }
	switch {
	case r.HeapMax > 0 && r.HeapMax < leastHeap:
		return "it tells of a maximum heap under 16 MiB, so its unit may be another one than bytes"
	case tiny(r.Live), tiny(r.Metaspace), tiny(r.CodeCache):
		return "it tells of less than 1 MiB of live objects, classes or code, so its unit may be another one than bytes"
	case other > 0 && r.HeapMax > apart*other:
		return "it tells of several JVMs with different heaps"
	case r.HeapMax > 0 && used > apart*r.HeapMax:
		return "it tells of a heap in use that is larger than its maximum"
	case r.HeapMax > 0 && max(r.Live, r.Floor) > apart*r.HeapMax:
		return "it tells that the heap held more than its maximum now: it had a larger one before, or the units differ"
	case r.CodeCache > apart*mostCode:
		return "it tells of more than 2 GiB of code, so its unit may be another one than bytes"
	case r.Metaspace > 0 && r.ClassSpace > apart*r.Metaspace:
		return "it tells of a class space that is larger than the metaspace of which it is a part"
	case r.Processors > mostProcessors:
		return "it counts more processors than a machine has, so its unit may be another one"
	case share > apart:
		return "it tells of more time in collections than there was, so its unit may be another one than seconds"
	}
	return ""
}
