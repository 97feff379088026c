package measure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxMatcher is how long a matcher may be, in bytes: more than any name of a cluster.
const maxMatcher = 1000

// The string is any that Prometheus takes in double quotes.
var matcherForm = regexp.MustCompile(`^\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")\s*$`)

// matchers reads what the user gave and writes it as it goes into every selector. Nothing but
// whole matchers gets through: the rest of a query cannot be written this way.
func matchers(given []string) (text string, labels map[string]bool, err error) {
	labels = map[string]bool{}
	for _, one := range given {
		parts := matcherForm.FindStringSubmatch(one)
		if parts == nil || len(one) > maxMatcher {
			return "", nil, fmt.Errorf("the label matcher %.100q is not like cluster=\"a\", with = != =~ or !~", one)
		}
		value, err := strconv.Unquote(parts[3])
		if err != nil {
			return "", nil, fmt.Errorf("the label matcher %.100q: the value is not a string in double quotes", one)
		}
		if strings.HasSuffix(parts[2], "~") {
			if _, err := regexp.Compile(value); err != nil {
				return "", nil, fmt.Errorf("the label matcher %.100q: %w", one, err)
			}
		}
		labels[parts[1]] = true
		text += "," + parts[1] + parts[2] + quoted(value)
	}
	return text, labels, nil
}

// quoted is a string as PromQL reads it in double quotes: its escapes are Go's.
func quoted(value string) string { return strconv.Quote(value) }
