// Package words writes numbers and letters as people do: "1 error", "2 errors", "19.9 %".
package words

import (
	"fmt"
	"strings"
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
