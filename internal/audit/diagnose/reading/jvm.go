package reading

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

func (r *reader) jvm() {
	for _, file := range []struct {
		name string
		read func(string) (map[string]any, error)
		key  string
	}{
		{Status, status, ""},
		{PerfCounters, perfCounters, "perf"},
		{Flags, flags, "flags"},
		{NativeMemory, nativeMemory, "native"},
		{HeapInfo, heapInfo, "heap_info"},
	} {
		suffix := ""
		if _, again := r.files[Later+file.name]; again {
			r.take(Later+file.name, file.read, file.key, "")
			suffix = before
		}
		r.take(file.name, file.read, file.key, suffix)
	}
}

// before ends the keys of what the first of two looks saw.
const before = "_before"

// take puts what a file says into the facts, under a key or as it is.
func (r *reader) take(file string, read func(string) (map[string]any, error), key, suffix string) {
	text, found := r.files[file]
	if !found {
		return
	}
	values, err := read(text)
	switch {
	case err != nil:
		r.broken(file, err)
	case key != "":
		r.facts.Read[key+suffix] = values
	default:
		for name, value := range values {
			r.facts.Read[name+suffix] = value
		}
	}
}

var statusLine = regexp.MustCompile(`(?m)^(Threads|VmRSS):\s+(\d{1,15})( kB)?\s*$`)

// status is /proc/PID/status.
func status(text string) (map[string]any, error) {
	values := map[string]any{}
	for _, match := range statusLine.FindAllStringSubmatch(text, -1) {
		number, err := strconv.ParseInt(match[2], 10, 64)
		if err != nil {
			return nil, err
		}
		if match[1] == "Threads" {
			values["threads"] = number
		} else {
			values["rss"] = number << 10
		}
	}
	if values["threads"] == nil {
		return nil, errors.New("it has no line Threads")
	}
	return values, nil
}

var numericFlag = regexp.MustCompile(`-XX:(\w+)=(\d{1,20})(?:\s|$)`)

// anyFlag matches those flags that tell nothing but numbers and switches: others hold paths
// and commands.
var anyFlag = regexp.MustCompile(`-XX:(?:[+-]\w+|\w+=\d{1,20})(?:\s|$)`)

// CleanFlags leaves of `jcmd PID VM.flags` the switches and the numbers.
func CleanFlags(text string) string {
	var kept []string
	for _, flag := range anyFlag.FindAllString(text, -1) {
		kept = append(kept, strings.TrimSpace(flag))
	}
	return strings.Join(kept, " ") + "\n"
}

// flags are the numeric flags of `jcmd PID VM.flags`.
func flags(text string) (map[string]any, error) {
	values := map[string]any{}
	for _, match := range numericFlag.FindAllStringSubmatch(text, -1) {
		number, err := strconv.ParseInt(match[2], 10, 64)
		if err != nil {
			continue // the largest unsigned number, which stands for none
		}
		values[match[1]] = number
	}
	if len(values) == 0 {
		return nil, errors.New("it has no flag with a number")
	}
	return values, nil
}

var (
	trackingOff   = regexp.MustCompile(`(?i)^(?:\d+:\s+)?Native memory tracking is not enabled`)
	trackedRegion = regexp.MustCompile(`(?m)^-\s+(\S[^(\n]*?)\s+\(reserved=\d+[KMG]?B, committed=(\d{1,18})([KMG]?B)`)
)

// nativeMemory is `jcmd PID VM.native_memory summary`: what is committed to each region, in bytes.
func nativeMemory(text string) (map[string]any, error) {
	if trackingOff.MatchString(strings.TrimSpace(text)) {
		return map[string]any{"off": true}, nil
	}
	values := map[string]any{}
	for _, match := range trackedRegion.FindAllStringSubmatch(text, -1) {
		bytes, err := sized(match[2], match[3])
		if err != nil {
			return nil, err
		}
		values[match[1]] = bytes
	}
	if len(values) == 0 {
		return nil, errors.New("it is not what jcmd VM.native_memory summary prints")
	}
	return values, nil
}

var (
	heapPart = regexp.MustCompile(`(?m)^\s*(?:garbage-first heap|PSYoungGen|ParOldGen|PSOldGen|def new generation|` +
		`DefNew|tenured generation|Tenured|par new generation|concurrent mark-sweep generation|ZHeap)` +
		`\b.*?\bused (\d{1,15})([BKMG])`)
	heapMost = regexp.MustCompile(`(?m)^\s*ZHeap\b.*\bmax capacity (\d{1,15})([BKMG])`)
	// Shenandoah puts the numbers first.
	shenandoah  = regexp.MustCompile(`(?m)^\s*(\d{1,15})([BKMG]) max,.* (\d{1,15})([BKMG]) used`)
	classesUsed = regexp.MustCompile(`(?m)^\s*Metaspace\s+used (\d{1,15})([BKMG])`)
)

// heapInfo is `jcmd PID GC.heap_info`: used, and max and metaspace where it tells them, in bytes.
func heapInfo(text string) (map[string]any, error) {
	values := map[string]any{}
	used := int64(0)
	for _, match := range heapPart.FindAllStringSubmatch(text, -1) {
		bytes, err := sized(match[1], match[2])
		if err != nil {
			return nil, err
		}
		used += bytes
		values["used"] = used
	}
	for key, match := range map[string][]string{
		"max": heapMost.FindStringSubmatch(text), "metaspace": classesUsed.FindStringSubmatch(text),
	} {
		if match == nil {
			continue
		}
		bytes, err := sized(match[1], match[2])
		if err != nil {
			return nil, err
		}
		values[key] = bytes
	}
	if match := shenandoah.FindStringSubmatch(text); match != nil {
		most, err := sized(match[1], match[2])
		if err != nil {
			return nil, err
		}
		if used, err = sized(match[3], match[4]); err != nil {
			return nil, err
		}
		values["max"], values["used"] = most, used
	}
	if len(values) == 0 {
		return nil, errors.New("it has no line about the heap of a known collector")
	}
	return values, nil
}

var units = map[string]int64{
	"B": 1, "K": 1 << 10, "KB": 1 << 10, "M": 1 << 20, "MB": 1 << 20, "G": 1 << 30, "GB": 1 << 30,
}

// sized is a number with a unit, in bytes.
func sized(digits, unit string) (int64, error) {
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || number > absurdBytes/units[unit] {
		return 0, fmt.Errorf("%s is no size", shown(digits+unit))
	}
	return number * units[unit], nil
}
