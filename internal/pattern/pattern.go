// Package pattern has regular expressions that are compiled when they are first asked for: most runs ask few of them,
// and to compile all is a millisecond of each start.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives the expression, which must be valid.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
