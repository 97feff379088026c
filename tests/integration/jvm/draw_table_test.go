//go:build integration

package jvm_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A tableRow is one flag of the table that `make flags` writes.
type tableRow struct{ name, letter, states, ranges string }

// tableLine is a flag of the table: its name, letter, states and ranges.
var tableLine = regexp.MustCompile(`(?m)^\t"(\w+)": \["(\w)", "(\S+)", "\S+", "(\S+)", "\S+"\],$`)

// notDrawn are flags that ask for a file, a device or a debugger, or make the JVM test or kill itself:
// what then happens is not in a manifest.
var notDrawn = regexp.MustCompile(`^(?:AOT\w*|Abort\w*|AllocateHeapAt|\w*Archive\w*|\w*Dump\w*|\w*CRaC\w*|Flags|VMOptionsFile|` +
	`\w*File\w*|Crash\w*|Error\w*|ExtraSharedClassListFile|Extended\w*|OnError|OnOutOfMemoryError|PauseAtStartup|` +
	`StartFlightRecording|FlightRecorder\w*|\w*JVMCI\w*|\w*Graal\w*|SuppressFatal\w*|Verify\w*|\w*Stress\w*|Print\w*|` +
	`Trace\w*|Log\w*|CITime\w*|Compile\w*|Debug\w*|Replay\w*|\w*RTM\w*|Use\w*Instr\w*|\w*ActAsServer\w*|ZVerify\w*|Use(?:AES|SHA|AVX|SSE|BMI|CLMUL|ADX)\w*|` +
	`CompressedClassSpaceBaseAddress|HeapBaseMinAddress|SharedBaseAddress|\w*Cpu\w*|Cheat\w*|` +
	`Show\w*|DisplayVM\w*|\w*Huge\w*|Large\w*|UseLarge\w*|Transmit\w*|\w*DTrace\w*|PerfData\w*|PerfMaxStringConstLength)$`)

// fromTable are one to three flags of the table, each with a value within, at or outside its range.
func (d *draw) fromTable() []string {
	var words []string
	if d.chance(85) {
		words = append(words, "-XX:+UnlockExperimentalVMOptions")
	}
	if d.chance(85) {
		words = append(words, "-XX:+UnlockDiagnosticVMOptions")
	}
	if d.chance(3) {
		words = append(words, "-XX:+IgnoreUnrecognizedVMOptions")
	}
	for range 1 + d.IntN(2) {
		r := d.table[d.IntN(len(d.table))]
		// Half of them numbers that a release does not lock, three quarters something that it does not.
		for tries := 0; tries < 2 && (!strings.ContainsAny(r.states, "pm") || tries == 0 && !strings.Contains("nid", r.letter)); tries++ {
			r = d.table[d.IntN(len(d.table))]
		}
		words = append(words, "-XX:"+d.value(r))
	}
	return words
}

var bounds = regexp.MustCompile(`(?:^|:)([^:,]*)\.\.([^:,]*)`)

func (d *draw) value(r tableRow) string {
	switch r.letter {
	case "b":
		return d.of("+", "-", "+", "-", "+", "-", "") + r.name + d.of("", "", "", "", "", "", "", "=true")
	case "s", "u":
		return r.name + "=" + d.of("1", "x", "", "none")
	}
	var at []string
	for _, m := range bounds.FindAllStringSubmatch(r.ranges, -1) {
		for _, bound := range m[1:] {
			if n, err := strconv.ParseInt(bound, 10, 64); err == nil && n > -1<<40 && n < 1<<40 {
				at = append(at, strconv.FormatInt(n-1, 10), bound, strconv.FormatInt(n+1, 10))
			} else if f, err := strconv.ParseFloat(bound, 64); err == nil && f < 1e12 {
				at = append(at, fmt.Sprintf("%.2f", f-0.01), bound, fmt.Sprintf("%.2f", f+0.01))
			}
		}
	}
	if r.letter == "d" {
		at = append(at, "0.5", "1.0", "100.0", "100.5", "-1.0", "50", "1e1", "abc")
	} else {
		at = append(at, "0", "1", "2", "10", "50", "100", "101", "-1", "1k", d.of("64k", "1m", "12x", "1.5", "", "0x10", "7", "1000000"))
	}
	return r.name + "=" + d.of(at...)
}
