package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A printed flag is one line of -XX:+PrintFlagsFinal or -XX:+PrintFlagsRanges.
type printed struct {
	kind      string // bool, intx, size_t …
	value     string
	traits    string // {C2 pd product}
	ergonomic bool   // the JVM has chosen the value
	least     string // of PrintFlagsRanges
	most      string
}

var (
	flagLine  = regexp.MustCompile(`^\s*(\w+)\s+(\w+)\s+(:?\+?=)(.*?)\{([^{}]*)\}(?:\s*\{([^{}]*)\})?\s*$`)
	rangeLine = regexp.MustCompile(`^\s*(\w+)\s+(\w+)\s+\[\s*(\S*)\s*\.\.\.\s*(\S*)\s*\]\s*\{([^{}]*)\}`)
)

// parseFlags reads what -XX:+PrintFlagsInitial and -XX:+PrintFlagsFinal print, by name.
func parseFlags(out string) map[string]printed {
	all := map[string]printed{}
	for line := range strings.SplitSeq(out, "\n") {
		if m := flagLine.FindStringSubmatch(line); m != nil {
			// Java 8 marks with := what is not the default, later ones name its origin.
			all[m[2]] = printed{
				kind: m[1], value: strings.TrimSpace(m[4]), traits: m[5],
				ergonomic: m[6] == "" && m[3] == ":=" || strings.Contains(m[6], "ergonomic"),
			}
		}
	}
	return all
}

// parseRanges reads what -XX:+PrintFlagsRanges prints, by name; a flag without a range has no bounds.
func parseRanges(out string) map[string]printed {
	all := map[string]printed{}
	for line := range strings.SplitSeq(out, "\n") {
		if m := rangeLine.FindStringSubmatch(line); m != nil {
			all[m[2]] = printed{kind: m[1], least: m[3], most: m[4], traits: m[5]}
		}
	}
	return all
}

var answers = []struct {
	state byte
	line  *regexp.Regexp
}{
	{refused, regexp.MustCompile(`Unrecognized VM option '[+-]?(\w+)`)},
	{refused, regexp.MustCompile(`VM option '[+-]?(\w+)[^']*' is (?:develop|notproduct) and`)},
	{experimental, regexp.MustCompile(`VM option '[+-]?(\w+)[^']*' is experimental and must be enabled`)},
	{diagnostic, regexp.MustCompile(`VM option '[+-]?(\w+)[^']*' is diagnostic and must be enabled`)},
	{ignored, regexp.MustCompile(`(?i)\bignoring option (\w+)[^;]*; support was removed`)},
	{deprecated, regexp.MustCompile(`Option (\w+) was deprecated in version`)},
}

// parseAnswers reads what a JVM says of the flags that it is given: a state for each that it does
// not take without a word.
func parseAnswers(out string) map[string]byte {
	all := map[string]byte{}
	for line := range strings.SplitSeq(out, "\n") {
		for _, a := range answers {
			if m := a.line.FindStringSubmatch(line); m != nil {
				all[m[1]] = a.state
				break
			}
		}
	}
	return all
}

var digits = regexp.MustCompile(`\d+`)

// compareBuilds compares builds, such as 17.0.15+6-Debian-1deb12u1, by their numbers.
func compareBuilds(a, b string) int { return slices.Compare(numbersIn(a), numbersIn(b)) }

func numbersIn(build string) []int {
	var all []int
	for _, text := range digits.FindAllString(build, -1) {
		n, _ := strconv.Atoi(text) // out of range is the greatest
		all = append(all, n)
	}
	return all
}
