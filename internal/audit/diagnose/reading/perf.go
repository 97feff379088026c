package reading

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	perfLine   = regexp.MustCompile(`^(sun\.gc|java\.threads)\.([\w.]+)=(.*)$`)
	generation = regexp.MustCompile(`^generation\.(\d)\.(capacity|maxCapacity|space\.(\d)\.(used|name))$`)
	// Of the properties of Java the version alone: others hold paths and what a user has set.
	versionLine = regexp.MustCompile(`^java\.property\.java\.version="([\w.+-]{1,40})"$`)
	collector   = regexp.MustCompile(`^collector\.(\d)\.(invocations|name)$`)
)

// heapCounters are the parts of the heap as the counters tell them.
type heapCounters struct {
	collections, used, afterGC      int64
	capacity, largest, sumOfLargest int64

	eden      map[string]bool // spaces by generation and number
	spaces    map[string]int64
	collector string
}

// perfCounters is `jcmd PID PerfCounter.print`. The JVM writes sizes of spaces at the end of a
// collection; eden alone, where it is written between them, is garbage and new objects.
func perfCounters(text string) (map[string]any, error) {
	heap := heapCounters{eden: map[string]bool{}, spaces: map[string]int64{}}
	values := map[string]any{}
	seen := 0
	for line := range strings.Lines(text) {
		if version := versionLine.FindStringSubmatch(strings.TrimSpace(line)); version != nil {
			values["version"] = version[1]
		}
		match := perfLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		seen++
		key, value := match[2], strings.Trim(match[3], `"`)
		number, err := strconv.ParseInt(value, 10, 64)
		numeric := err == nil && number >= 0 && number < absurdBytes
		if m := collector.FindStringSubmatch(key); m != nil {
			heap.collected(m, value, number, numeric)
		}
		if m := generation.FindStringSubmatch(key); m != nil {
			if !numeric && m[4] != "name" {
				return nil, fmt.Errorf("%s is no size: %s", key, shown(value))
			}
			heap.generation(m, value, number)
		}
		if numeric && key == "metaspace.used" {
			values["metaspace"] = number
		}
		if numeric && key == "metaspace.capacity" {
			values["metaspace_capacity"] = number
		}
	}
	if seen == 0 {
		return nil, errors.New("it has no counter of the garbage collector")
	}
	heap.into(values)
	return values, nil
}

func (h *heapCounters) collected(match []string, value string, number int64, numeric bool) {
	switch {
	case match[2] == "name" && match[1] == "0":
		h.collector = value
	case match[2] == "invocations" && numeric:
		h.collections += number
	}
}

func (h *heapCounters) generation(match []string, value string, number int64) {
	space := match[1] + "." + match[3]
	switch {
	case match[2] == "capacity":
		h.capacity += number
	case match[2] == "maxCapacity":
		h.largest = max(h.largest, number)
		h.sumOfLargest += number
	case match[4] == "name":
		h.eden[space] = value == "eden"
	case match[4] == "used":
		h.spaces[space] += number
	}
}

// collectors by how the name of their first counter begins, on Java 8 to 28.
var collectors = []struct{ prefix, name string }{
	{"G1", "G1"},
	{"Parallel", "Parallel"},
	{"PS", "Parallel"},
	{"Serial", "Serial"},
	{"Copy", "Serial"},
	{"ParNew", "CMS"},
	{"Shenandoah", "Shenandoah"},
	{"Z", "ZGC"},
}

func (h *heapCounters) into(values map[string]any) {
	for space, bytes := range h.spaces {
		h.used += bytes
		if !h.eden[space] {
			h.afterGC += bytes
		}
	}
	gc := ""
	for _, known := range collectors {
		if strings.HasPrefix(h.collector, known.prefix) {
			gc = known.name
			break
		}
	}
	values["gc"], values["collections"] = gc, h.collections
	if len(h.spaces) > 0 {
		values["heap_used"] = h.used
	}
	// The others collect beside the program: no moment is after a collection.
	if gc == "G1" || gc == "Parallel" || gc == "Serial" || gc == "CMS" {
		values["heap_after_gc"] = h.afterGC
	}
	if h.capacity > 0 {
		values["heap_capacity"] = h.capacity
	}
	// Any region may become young or old with these, so that each generation may be the heap.
	if gc == "G1" || gc == "ZGC" {
		values["heap_max"] = h.largest
	} else if h.sumOfLargest > 0 {
		values["heap_max"] = h.sumOfLargest
	}
}
