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

// What comments and pages go without: words that hide who does what or what is missing, and, in comments,
// sentences that are too long to be read once.
var refusedWords = regexp.MustCompile(`(?i)\b(nobody|whoever|is none|is dear)\b`)

// mostWords bounds a sentence of a comment.
const mostWords = 30

var (
	// other are the comments' parts without sentences: directives, list items, METADATA, code and tables.
	other      = regexp.MustCompile(`^(go:|nolint|   |\t|\s*([-*]|\d+\.) | [\w-]+:( \||$)| (METADATA|title|description):?)`)
	quoted     = regexp.MustCompile("\"[^\"]*\"|`[^`]*`")
	end        = regexp.MustCompile(`[.!?]\s+`)
	letters    = regexp.MustCompile(`\w`)
	outputs    = regexp.MustCompile(`(?m)^(//|#) (Code g|G)enerated `)
	wholeLine  = regexp.MustCompile(`^\s*(?:#|//)(.*)`)
	paragraphs = regexp.MustCompile(`\n\s*\n`)
)

// said is a piece of text that belongs together, and the line that it begins on, from 1.
type said struct {
	line int
	text string
	// plain is false for a part without sentences.
	plain bool
}

// riddles are the complaints about the comments of a file, or about a page.
func riddles(file, text string) []string {
	var wrong []string
	anyLength := path.Ext(file) == ".md" || outputs.MatchString(text)
	for _, s := range saidIn(file, text) {
		if word := refusedWords.FindString(quoted.ReplaceAllString(s.text, "")); word != "" {
			wrong = append(wrong, fmt.Sprintf("%s:%d: %q: say who does what, or what is missing", file, s.line, word))
		}
		if anyLength || !s.plain {
			continue
		}
		for sentence := range strings.SplitSeq(end.ReplaceAllString(s.text, ".\n"), "\n") {
			if n := wordsIn(sentence); n > mostWords {
				wrong = append(wrong, fmt.Sprintf("%s:%d: a sentence of %d words: make it two", file, s.line, n))
			}
		}
	}
	return wrong
}

func wordsIn(sentence string) int {
	n := 0
	for word := range strings.FieldsSeq(sentence) {
		if letters.MatchString(word) {
			n++
		}
	}
	return n
}

// saidIn are the comments of code, or the paragraphs of a page.
func saidIn(file, text string) []said {
	switch path.Ext(file) {
	case ".md":
		return pageOf(blank(text, fenced))
	case ".go":
		return goComments(text)
	case ".rego":
		return lineComments(text, true)
	case ".cel":
		return lineComments(text, false)
	}
	return nil
}

func pageOf(text string) []said {
	var out []said
	at := 0
	for _, gap := range append(paragraphs.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		out = append(out, said{line: 1 + strings.Count(text[:at], "\n"), text: strings.Join(strings.Fields(text[at:gap[0]]), " ")})
		at = gap[1]
	}
	return out
}

// joined puts the lines of comments together: comment gives that of a line, and whether it is alone there.
func joined(lines int, comment func(line int) (text string, alone, found bool)) []said {
	var out []said
	open := false
	for line := 1; line <= lines; line++ {
		text, alone, found := comment(line)
		plain := found && strings.TrimSpace(text) != "" && !other.MatchString(text)
		text = strings.TrimSpace(text)
		switch {
		case open && alone && plain:
			out[len(out)-1].text += " " + text
		case found:
			out = append(out, said{line, text, plain})
		}
		open = alone && plain
	}
	return out
}

// goComments are those of Go code. One that stands behind code belongs to that line alone.
func goComments(code string) []said {
	lines := strings.Split(code, "\n")
	comments := map[int]string{}
	alone := map[int]bool{}
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), nil, scanner.ScanComments)
	for {
		at, kind, text := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind != token.COMMENT {
			continue
		}
		line := file.Line(at)
		before := lines[line-1][:file.Position(at).Column-1]
		for i, part := range strings.Split(text, "\n") {
			part = strings.TrimPrefix(strings.TrimPrefix(part, "//"), "/*")
			comments[line+i], alone[line+i] = strings.TrimSuffix(part, "*/"), strings.TrimSpace(before) == ""
		}
	}
	return joined(len(lines), func(line int) (string, bool, bool) {
		text, found := comments[line]
		return text, alone[line], found
	})
}

// lineComments are those of Rego, or of CEL, which has none behind code here.
func lineComments(code string, behind bool) []said {
	lines := strings.Split(code, "\n")
	return joined(len(lines), func(line int) (string, bool, bool) {
		text := lines[line-1]
		if found := wholeLine.FindStringSubmatch(text); found != nil {
			return found[1], true, true
		}
		i := strings.LastIndex(text, " # ")
		if !behind || i < 0 || strings.Count(text[:i], `"`)%2+strings.Count(text[:i], "`")%2 > 0 {
			return "", false, false
		}
		return text[i+3:], false, true
	})
}

// TestPlainWords: comments and pages say who does what, in sentences that can be read once.
func TestPlainWords(t *testing.T) {
	files := tracked(t)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if strings.Contains(file, "testdata/") || file == "CHANGELOG.md" {
			continue
		}
		for _, complaint := range riddles(file, files[file]) {
			t.Error(complaint)
		}
	}
}

// TestPlainWordsOfNothing: the check fails where it has to.
func TestPlainWordsOfNothing(t *testing.T) {
	long := strings.Repeat("word ", mostWords+1)
	const who, length = ": say who does what, or what is missing", ": a sentence of 31 words: make it two"
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{"a.go", "package a\n\n// Nobody asks.\nvar a = 1 // 0 is none\n", []string{
			`a.go:3: "Nobody"` + who, `a.go:4: "is none"` + who,
		}},
		{"a.go", "package a\n\n// What is\n// none.\n\nvar a = `// whoever` // \"is none\"\n", []string{`a.go:3: "is none"` + who}},
		{"a.go", "package a\n\n/* one\nwhoever */\n", []string{`a.go:3: "whoever"` + who}},
		{"a.go", "package a\n\n// " + long + "\n", []string{"a.go:3" + length}},
		{"a.go", "package a\n\n// Word. " + long[5:] + "\n//\n//\t" + long + "\nvar a = \"" + long + "\"\n", nil},
		{"a.go", "// Code generated by b. DO NOT EDIT.\n\n// " + long + "\n", nil},
		{"a.rego", "package a\n\n# What is dear.\nx := \"a # whoever\" # whoever\n", []string{
			`a.rego:3: "is dear"` + who, `a.rego:4: "whoever"` + who,
		}},
		{"a.rego", "# METADATA\n# description: |\n#   " + long + "\n#   Nobody.\npackage a\n", []string{`a.rego:4: "Nobody"` + who}},
		{"a.rego", "# " + long[:80] + "\n# " + long[80:] + "\n", []string{"a.rego:1" + length}},
		{"a.cel", "// Nobody.\n'// nobody'\n", []string{`a.cel:1: "Nobody"` + who}},
		{"a.md", "# A\n\nWhat is\nnone: `nobody`.\n\n```\nnobody\n```\n" + long + "\n", []string{`a.md:3: "is none"` + who}},
		{"a.yaml", "# nobody\n", nil},
	} {
		if got := riddles(c.file, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s %q:\n%q, want\n%q", c.file, c.text, got, c.want)
		}
	}
}
