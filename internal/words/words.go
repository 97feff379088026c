// Package words writes numbers and letters as people do: "1 error", "2 errors", "19.9 %".
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count is a number and a noun that takes an s.
func Count(n int, noun string) string { return Plural(n, noun, noun+"s") }

// Plural is a number and a noun with a plural of its own, or with a verb behind it.
func Plural(n int, one, many string) string { return fmt.Sprintf("%d %s", n, Choose(n, one, many)) }

// Choose is the word that agrees with a number.
func Choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Severities lists those there is any of: "5 errors, 1 info"; "" where there are none.
func Severities(errors, warnings, infos int) string {
	var parts []string
	for _, s := range []struct {
		n    int
		noun string
	}{{errors, "error"}, {warnings, "warning"}, {infos, "info"}} {
		if s.n > 0 {
			parts = append(parts, Count(s.n, s.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// UpperFirst begins a text with a capital letter.
func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// IsWord says whether a letter is part of a word, in any script.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Valid replaces bytes that are no UTF-8.
func Valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// Percent never rounds up: 19.96 % must not be read as the 20 % it falls short of.
func Percent(part, whole float64) string {
	return Plain(math.Floor(part/whole*1000+1e-6)/10) + " %"
}

// Plain writes a number as a person would: at most one decimal, no exponent.
func Plain(n float64) string {
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64)
}
