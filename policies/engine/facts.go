package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// factsURL is where the pages of facts are.
const factsURL = "https://github.com/headroom-dev/headroom/blob/main/docs/facts/"

// factPages are the pages of the facts, by the letter that a fact's number begins with.
var factPages = map[byte]string{
	'T': "throttling.md", 'M': "memory.md", 'J': "jvm.md", 'R': "runtimes.md", 'W': "webhook.md", 'F': "webhook.md", 'S': "webhook.md",
}

var (
	factNumber = pattern.Lazy(`\b[TMJRWFS][1-9][0-9]?\b`)
	// citation is facts in brackets, as texts cite them: (T1), (T6, J3), also across lines.
	citation = pattern.Lazy(`\([TMJRWFS][1-9][0-9]?(?:,\s+[TMJRWFS][1-9][0-9]?)*\)`)
)

// factPage is the place of a fact below docs/facts: throttling.md#T7.
func factPage(fact string) string { return factPages[fact[0]] + "#" + fact }

// FactURL is the address of a fact: T7, M1.
func FactURL(fact string) string { return factsURL + factPage(fact) }

// FactsNote says where a reader finds the facts that a text cites; "" where it cites none.
func FactsNote(text string) string {
	var cited []string
	for _, brackets := range citation().FindAllString(text, -1) {
		cited = append(cited, factNumber().FindAllString(brackets, -1)...)
	}
	if len(cited) == 0 {
		return ""
	}
	slices.SortFunc(cited, func(a, b string) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return strings.Join(slices.Compact(cited), ", ") + ": see " + factsURL + "README.md"
}

// LinkFacts puts a link in the place of each fact that a text cites.
func LinkFacts(text string, link func(fact string) string) string {
	return citation().ReplaceAllStringFunc(text, func(brackets string) string {
		return factNumber().ReplaceAllStringFunc(brackets, link)
	})
}
