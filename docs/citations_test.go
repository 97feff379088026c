// Package docs holds tests of the pages. A cited fact is on a page of docs/facts, links lead
// somewhere, and facts and rules name each other.
package docs

import (
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	factNumber = regexp.MustCompile(`\b[TMJRWFS][1-9][0-9]?\b`)
	factAnchor = regexp.MustCompile(`<a id="([TMJRWFS][1-9][0-9]?)"></a>`)
	// notByNumber are citations that no reader can look up.
	notByNumber = regexp.MustCompile(`\(facts?: (?:§|rows? |[a-z-]+\.md)|\bfacts/[a-z-]+\.md §|\([Rr]ows? [0-9]+`)
)

// cites says whether citations are looked for in a file.
func cites(file string) bool {
	switch path.Ext(file) {
	case ".go", ".rego", ".cel", ".md", ".yaml", ".yml", ".tpl", ".sh":
		return !strings.Contains(file, "testdata/") && !strings.HasSuffix(file, "docs/citations_test.go")
	}
	return false
}

// uncited are the complaints about a file's citations: of facts that are not there, and of places
// that have no number.
func uncited(file, text string, facts map[string]string) []string {
	var wrong []string
	if strings.HasSuffix(file, ".go") {
		text = prose(text)
	}
	for i, line := range strings.Split(text, "\n") {
		for _, fact := range factNumber.FindAllString(line, -1) {
			if facts[fact] == "" {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %s is on no page of docs/facts", file, i+1, fact))
			}
		}
		if found := notByNumber.FindString(line); found != "" {
			wrong = append(wrong, fmt.Sprintf("%s:%d: %q has no number that docs/facts knows", file, i+1, found))
		}
	}
	return wrong
}

// prose is what Go code says in comments and strings, each on its line: fields and variables may be
// called J1.
func prose(code string) string {
	lines := make([]string, strings.Count(code, "\n")+1)
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(code))
	s.Init(file, []byte(code), nil, scanner.ScanComments)
	for {
		at, kind, text := s.Scan()
		switch kind {
		case token.EOF:
			return strings.Join(lines, "\n")
		case token.COMMENT, token.STRING:
			for i, line := range strings.Split(text, "\n") {
				lines[file.Line(at)-1+i] += " " + line
			}
		}
	}
}

// factPages gives the page of each fact.
func factPages(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	facts := map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(file, "docs/facts/") {
			continue
		}
		for _, anchor := range factAnchor.FindAllStringSubmatch(files[file], -1) {
			if facts[anchor[1]] != "" {
				t.Errorf("%s is on %s and on %s", anchor[1], facts[anchor[1]], file)
			}
			facts[anchor[1]] = file
		}
	}
	return facts
}

// TestCitations: every fact that is cited is on a page.
func TestCitations(t *testing.T) {
	files := tracked(t)
	facts := factPages(t, files)
	if len(facts) < 80 {
		t.Fatalf("%d facts", len(facts))
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !cites(file) {
			continue
		}
		for _, complaint := range uncited(file, files[file], facts) {
			t.Error(complaint)
		}
	}
}

// TestIndexOfFacts: the index has a link to every fact that has a heading.
func TestIndexOfFacts(t *testing.T) {
	files := tracked(t)
	for fact, page := range factPages(t, files) {
		if !strings.Contains(files[page], "## <a id=\""+fact+"\">") {
			continue // a line of a table, which the index has as a whole
		}
		if link := "(" + path.Base(page) + "#" + fact + ")"; !strings.Contains(files["docs/facts/README.md"], link) {
			t.Errorf("docs/facts/README.md has no link %s", link)
		}
	}
}

// TestCitationOfNothing: the check fails where it has to.
func TestCitationOfNothing(t *testing.T) {
	facts := map[string]string{"T1": "docs/facts/throttling.md", "J1": "docs/facts/jvm.md"}
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{"a.rego", "# The quota (T1).\n", nil},
		{"a.rego", "x := 1\n# The quota (T99).\n", []string{"a.rego:2: T99 is on no page of docs/facts"}},
		{"a.md", "T1, T2", []string{"a.md:1: T2 is on no page of docs/facts"}},
		{"a.go", "package a\n\n// The quota (T98).\nvar J2 = \"T97\"\n", []string{
			"a.go:3: T98 is on no page of docs/facts", "a.go:4: T97 is on no page of docs/facts",
		}},
		{"a.go", "package a\n\nvar J1, M9 = op.J2, 3\n", nil},
		{"a.go", "package a\n\n/* one\nT96 */\n", []string{"a.go:4: T96 is on no page of docs/facts"}},
		{"a.go", "package a // never mutated (facts: row 21)", []string{
			`a.go:1: "(facts: row " has no number that docs/facts knows`,
		}},
		{"a.sh", "# a node (row 1)", []string{`a.sh:1: "(row 1" has no number that docs/facts knows`}},
	} {
		if got := uncited(c.file, c.text, facts); !slices.Equal(got, c.want) {
			t.Errorf("%s %q:\n%q, want\n%q", c.file, c.text, got, c.want)
		}
	}
}

var (
	rulesOfFact = regexp.MustCompile(`(?m)^- Rules: (.*)$`)
	factsOfRule = regexp.MustCompile(`(?m)^#   facts: \[(.*)\]$`)
	idOfRule    = regexp.MustCompile(`(?m)^#   id: (HR[0-9]{3})$`)
)

// TestFactsAndRules: a fact names the rules that rest on it, and they name it; a rule names each fact
// that its texts cite.
func TestFactsAndRules(t *testing.T) {
	files := tracked(t)
	byFact := map[string][]string{}
	for file, text := range files {
		if !strings.HasSuffix(file, "/rule.rego") {
			continue
		}
		metadata, _, _ := strings.Cut(text, "\npackage ")
		id := idOfRule.FindStringSubmatch(metadata)
		if id == nil {
			t.Errorf("%s has no ID", file)
			continue
		}
		var named []string
		if facts := factsOfRule.FindStringSubmatch(metadata); facts != nil {
			named = strings.Split(facts[1], ", ")
		}
		for _, fact := range named {
			byFact[fact] = append(byFact[fact], id[1])
		}
		for _, fact := range factNumber.FindAllString(metadata, -1) {
			if !slices.Contains(named, fact) {
				t.Errorf("%s cites %s, which its custom.facts lacks", file, fact)
			}
		}
	}
	for fact, page := range factPages(t, files) {
		_, section, headed := strings.Cut(files[page], "## <a id=\""+fact+"\"></a>")
		if !headed {
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		var named []string
		if rules := rulesOfFact.FindStringSubmatch(section); rules != nil {
			named = strings.Split(rules[1], ", ")
		}
		if want := slices.Sorted(slices.Values(byFact[fact])); !slices.Equal(named, want) {
			t.Errorf("%s: %s has the rules %v; custom.facts of rules has %v", page, fact, named, want)
		}
	}
}
