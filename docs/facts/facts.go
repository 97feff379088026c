// Package facts has the pages of facts, for what shows them without a network.
package facts

import (
	"embed"
	"io/fs"
	"regexp"
	"strings"
)

//go:embed *.md
var pages embed.FS

// heading begins a fact: ## <a id="T1"></a>T1: A CPU limit is a quota in each period.
var heading = regexp.MustCompile(`(?m)^## <a id="([A-Z][0-9]+)"></a>`)

// anchor is what a page has for links to lead to.
var anchor = regexp.MustCompile(`<a id="[^"]*"></a>`)

// Index is the page that lists all facts, in Markdown.
func Index() string { return page("README.md") }

// Named is the text of a fact such as T7, in Markdown; false where there is none of that number.
func Named(number string) (string, bool) {
	names, err := fs.Glob(pages, "*.md")
	if err != nil {
		return "", false
	}
	for _, name := range names {
		text := page(name)
		starts := heading.FindAllStringSubmatchIndex(text, -1)
		for i, at := range starts {
			if !strings.EqualFold(text[at[2]:at[3]], number) {
				continue
			}
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			return strings.TrimSpace(anchor.ReplaceAllString(text[at[0]:end], "")) + "\n", true
		}
	}
	return "", false
}

func page(name string) string {
	text, err := pages.ReadFile(name)
	if err != nil {
		return "" // it is embedded
	}
	return string(text)
}
