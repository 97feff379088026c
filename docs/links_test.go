package docs

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// tracked are the texts of the repository's files, and of what is new among them.
func tracked(t *testing.T) map[string]string {
	t.Helper()
	files, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var read = sync.OnceValues(func() (map[string]string, error) {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = repo.Root()
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(repo.Path(name))
		if err != nil {
			continue // deleted, or a link to a folder
		}
		files[name] = string(text)
	}
	return files, nil
})

var (
	fenced  = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~) *$")
	inCode  = regexp.MustCompile("`[^`\n]*`")
	target  = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|(?m:^\[[^\]]+\]: +(\S+))|(?:href|src)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *#* *$`)
	anchor  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	markup  = regexp.MustCompile(`<[^>]*>|\]\([^)]*\)|[\[` + "`" + `]`)
	// ours are addresses of this repository's own files.
	ours = regexp.MustCompile(`https://github\.com/headroom-dev/headroom/(?:blob|tree)/[\w.-]+/([\w./-]*)(#[\w-]+)?`)
)

// blank empties what a pattern finds and keeps the lines.
func blank(text string, pattern *regexp.Regexp) string {
	return pattern.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
}

// anchors are what a link into a page of Markdown can name, as GitHub makes them of headings.
func anchors(text string) map[string]bool {
	text = blank(text, fenced)
	found := map[string]bool{}
	for _, id := range anchor.FindAllStringSubmatch(text, -1) {
		found[id[1]] = true
	}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, markup.ReplaceAllString(h[1], ""))
		for name, n := slug, 1; ; n++ {
			if !found[name] {
				found[name] = true
				break
			}
			name = fmt.Sprintf("%s-%d", slug, n)
		}
	}
	return found
}

// broken says what is wrong with a link to a file and a place in it; "" if nothing is.
func broken(files map[string]string, file, fragment string) string {
	file = strings.TrimSuffix(file, "/")
	text, there := files[file]
	if !there {
		for other := range files {
			if file == "" || file == "." || strings.HasPrefix(other, file+"/") {
				return "" // a folder
			}
		}
		return "there is no " + file
	}
	if fragment == "" || path.Ext(file) != ".md" || anchors(text)[fragment] {
		return ""
	}
	return file + " has no #" + fragment
}

// deadLinks are the complaints about the links of a page of Markdown.
func deadLinks(files map[string]string, page string) []string {
	var wrong []string
	text := blank(files[page], fenced)
	text = blank(text, inCode)
	for i, line := range strings.Split(text, "\n") {
		for _, link := range target.FindAllStringSubmatch(line, -1) {
			to := link[1] + link[2] + link[3]
			if strings.Contains(to, ":") || strings.HasPrefix(to, "//") {
				continue // elsewhere
			}
			file, fragment, _ := strings.Cut(to, "#")
			switch {
			case file == "":
				file = page
			case strings.HasPrefix(file, "/"):
				file = strings.TrimPrefix(file, "/")
			default:
				file = path.Join(path.Dir(page), file)
			}
			if why := broken(files, file, fragment); why != "" {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %s", page, i+1, why))
			}
		}
	}
	return wrong
}

// deadAddresses are the complaints about addresses of this repository's own files, in any file.
func deadAddresses(files map[string]string, file string) []string {
	var wrong []string
	if !strings.Contains(files[file], "github.com/headroom-dev/headroom/") {
		return nil
	}
	for i, line := range strings.Split(files[file], "\n") {
		for _, address := range ours.FindAllStringSubmatchIndex(line, -1) {
			if rest := line[address[1]:]; rest != "" && strings.ContainsAny(rest[:1], "%{<$*") {
				continue // the rest is put in
			}
			to, fragment := line[address[2]:address[3]], ""
			if address[4] >= 0 {
				fragment = strings.TrimPrefix(line[address[4]:address[5]], "#")
			}
			if why := broken(files, strings.TrimRight(to, "."), fragment); why != "" {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %s", file, i+1, why))
			}
		}
	}
	return wrong
}

// partOfAPage becomes a part of docs/conformance.md, which its links are relative to.
const partOfAPage = "tests/system/conformance/page.md"

// TestLinks: every link of a page leads to a file and a place in it, and so does every address of
// this repository wherever it is written.
func TestLinks(t *testing.T) {
	files := tracked(t)
	pages := 0
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if strings.Contains(file, "testdata/") || strings.HasSuffix(file, "_test.go") || file == partOfAPage {
			continue
		}
		complaints := deadAddresses(files, file)
		if path.Ext(file) == ".md" {
			pages++
			complaints = append(complaints, deadLinks(files, file)...)
		}
		for _, complaint := range complaints {
			t.Error(complaint)
		}
	}
	if pages < 80 {
		t.Errorf("%d pages", pages)
	}
}

// TestLinkToNothing: the check fails where it has to.
func TestLinkToNothing(t *testing.T) {
	const self = "https://github.com/headroom-dev/headroom/blob/main/"
	files := map[string]string{
		"README.md":     "",
		"docs/a.md":     "# A title, `code` & [more](b.md)\n\n## Twice\n\n## Twice\n\n<a id=\"T1\"></a>\n",
		"docs/sub/b.md": "",
	}
	for text, want := range map[string][]string{
		"[a](a.md) [b](sub/b.md) [up](../README.md) [here](#place) [folder](sub/) [out](https://example.com/x.md)\n\n## Place": nil,
		"[a](a.md#a-title-code--more) [t](a.md#twice-1) [f](a.md#T1)":                                                          nil,
		"```\n[a](none.md)\n```\n`[b](none.md)`":                                                                               nil,
		"\n[a](none.md)":                                                                                                       {"docs/page.md:2: there is no docs/none.md"},
		"[a](a.md#T2)":                                                                                                         {"docs/page.md:1: docs/a.md has no #T2"},
		"[a](a.md#twice-2)":                                                                                                    {"docs/page.md:1: docs/a.md has no #twice-2"},
		"[here](#nowhere)":                                                                                                     {"docs/page.md:1: docs/page.md has no #nowhere"},
		"![p](../pictures/p.svg)":                                                                                              {"docs/page.md:1: there is no pictures/p.svg"},
		"[a]: none.md":                                                                                                         {"docs/page.md:1: there is no docs/none.md"},

		// Addresses of the repository are links into it.
		self + "docs/a.md#T1, " + self + "docs/sub, " + self + "docs/%s.md.": nil,
		"see " + self + "docs/a.md#T3.":                                      {"docs/page.md:1: docs/a.md has no #T3"},
		"see " + self + "doc/a.md.":                                          {"docs/page.md:1: there is no doc/a.md"},
	} {
		all := maps.Clone(files)
		all["docs/page.md"] = text
		if got := append(deadAddresses(all, "docs/page.md"), deadLinks(all, "docs/page.md")...); !slices.Equal(got, want) {
			t.Errorf("%q:\n%q, want\n%q", text, got, want)
		}
	}
}
