package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

const factsDir = "docs/facts"

var (
	factSection = regexp.MustCompile(`(?m)^## <a id="([^"]+)"></a>`)
	factRules   = regexp.MustCompile(`(?m)^- Rules: .*\n`)
)

// factPages are the pages of facts, with the rules that rest on each fact in its last line.
func factPages(rules []engine.Rule) ([]generated, error) {
	byFact := map[string][]string{}
	for _, r := range rules {
		for _, fact := range r.Facts {
			byFact[fact] = append(byFact[fact], r.ID)
		}
	}
	names, err := filepath.Glob(filepath.Join(factsDir, "*.md"))
	if err != nil {
		return nil, err
	}
	pages := make([]generated, 0, len(names))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, generated{name, []byte(withRules(string(text), byFact))})
	}
	return pages, nil
}

// withRules is a page with the rules of each of its facts.
func withRules(page string, byFact map[string][]string) string {
	starts := factSection.FindAllStringSubmatchIndex(page, -1)
	if starts == nil {
		return page
	}
	var b strings.Builder
	b.WriteString(page[:starts[0][0]])
	for i, at := range starts {
		end := len(page)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		section := factRules.ReplaceAllString(page[at[0]:end], "")
		if ids := byFact[page[at[2]:at[3]]]; len(ids) > 0 {
			slices.Sort(ids)
			section = strings.TrimRight(section, "\n") + "\n- Rules: " + strings.Join(ids, ", ") + "\n"
			if i+1 < len(starts) {
				section += "\n"
			}
		}
		b.WriteString(section)
	}
	return b.String()
}
