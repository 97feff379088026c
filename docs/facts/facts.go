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

// start begins a fact: a heading, or a row of a table, with an anchor that is its number.
var start = regexp.MustCompile(`(?m)^(?:#{2,3}|\|) <a id="([A-Z][0-9]+)"></a>`)

// anchor is what a page has for links to lead to.
var anchor = regexp.MustCompile(`<a id="[^"]*"></a>`)

// Index is the page that lists all facts, in Markdown.
func Index() string { return page("README.md") }

// Named is the text of a fact such as T7, in Markdown; false where no fact has that number.
func Named(number string) (string, bool) {
	names, err := fs.Glob(pages, "*.md")
	if err != nil {
		return "", false
	}
	for _, name := range names {
		text := page(name)
		for _, at := range start.FindAllStringSubmatchIndex(text, -1) {
			if !strings.EqualFold(text[at[2]:at[3]], number) {
				continue
			}
			next := "\n#"
			if text[at[0]] == '|' {
				next = "\n"
			}
			fact, _, _ := strings.Cut(text[at[0]:], next)
			return strings.TrimSpace(anchor.ReplaceAllString(fact, "")) + "\n", true
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
