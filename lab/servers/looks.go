package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

const mib = 1 << 20

var (
	// A category of jcmd's VM.native_memory: "-      Java Heap (reserved=1048576KB, committed=67584KB)".
	category = regexp.MustCompile(`(?m)^-\s+(\S.*?) \(reserved=\d+KB, committed=(\d+)KB`)
	stacks   = regexp.MustCompile(`\(stack: reserved=\d+KB, committed=(\d+)KB`)
	// What GC.heap_info says of a part of the heap: "used 3584K [0x00000000c0000000, 0x0000000100000000)".
	used  = regexp.MustCompile(`\bused (\d+)([KM])`)
	space = regexp.MustCompile(`\[0x([0-9a-f]+),.*0x([0-9a-f]+)\)`)
	// A mapping in /proc/<pid>/smaps, and how much of it is in memory.
	mapping  = regexp.MustCompile(`^([0-9a-f]+)-([0-9a-f]+) `)
	resident = regexp.MustCompile(`^Rss:\s+(\d+) kB`)
	// Of VM.flags.
	maxHeap   = regexp.MustCompile(`-XX:MaxHeapSize=(\d+)`)
	collector = regexp.MustCompile(`-XX:\+Use(\w+)GC\b`)
)

// tracked reads VM.native_memory: the committed heap, and the regions but Native, in MiB.
func tracked(text string) (heap float64, r record.Regions, err error) {
	committed := map[string]float64{}
	for _, found := range category.FindAllStringSubmatch(text, -1) {
		committed[found[1]] = inMiB(found[2], 1<<10)
	}
	for _, name := range []string{"Java Heap", "Class", "Thread", "Code", "GC"} {
		if _, ok := committed[name]; !ok {
			return 0, r, fmt.Errorf("jcmd VM.native_memory says nothing of %q: %s", name, text)
		}
	}
	stack := stacks.FindStringSubmatch(text)
	if stack == nil {
		return 0, r, fmt.Errorf("jcmd VM.native_memory says nothing of stacks: %s", text)
	}
	return committed["Java Heap"], record.Regions{
		Metaspace: committed["Class"] + committed["Metaspace"],
		CodeCache: committed["Code"],
		Direct:    committed["Other"],
		Stacks:    inMiB(stack[1], 1<<10),
		Collector: committed["GC"],
	}, nil
}

// heapInfo reads GC.heap_info: what is used, in MiB, and from where to where the heap is mapped; 0
// where it does not say.
func heapInfo(text string) (usedMiB float64, low, high uint64) {
	text, _, _ = strings.Cut(text, "Metaspace")
	for line := range strings.Lines(text) {
		if found := used.FindStringSubmatch(line); found != nil {
			usedMiB += inMiB(found[1], map[string]float64{"K": 1 << 10, "M": 1 << 20}[found[2]])
		}
		if found := space.FindStringSubmatch(line); found != nil {
			from, to := address(found[1]), address(found[2])
			if low == 0 || from < low {
				low = from
			}
			high = max(high, to)
		}
	}
	return usedMiB, low, high
}

// within is how much of what is mapped from low to high is in memory, in MiB.
func within(smaps string, low, high uint64) float64 {
	sum, inside := 0.0, false
	for line := range strings.Lines(smaps) {
		if found := mapping.FindStringSubmatch(line); found != nil {
			inside = address(found[1]) < high && address(found[2]) > low
		}
		if found := resident.FindStringSubmatch(line); found != nil && inside {
			sum += inMiB(found[1], 1<<10)
		}
	}
	return sum
}

// flags reads VM.flags: the largest heap in MiB, and the collector.
func flags(text string) (maxMiB float64, name string) {
	if found := maxHeap.FindStringSubmatch(text); found != nil {
		maxMiB = inMiB(found[1], 1)
	}
	if found := collector.FindStringSubmatch(text); found != nil {
		name = found[1]
	}
	return maxMiB, name
}

func inMiB(digits string, unit float64) float64 {
	n, _ := strconv.ParseFloat(digits, 64) // digits alone
	return n * unit / mib
}

func address(hexadecimal string) uint64 {
	n, _ := strconv.ParseUint(hexadecimal, 16, 64) // as the expression has it
	return n
}
