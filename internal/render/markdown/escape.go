package markdown

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// clip cuts text that no person would read to its end.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	runes := []rune(text[:min(len(text), 4*limit)])
	return string(runes[:min(len(runes), limit)]) + "…"
}

// fenced writes text as it is, behind a fence that is longer than any in it.
func fenced(b *strings.Builder, language, text string) {
	longest, run := 2, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fmt.Fprintf(b, "\n%s%s\n%s%s\n", fence, language, text, fence)
}

// showable says whether text can be shown as it is: what a reader sees is what is in the file.
func showable(text string) bool {
	return !terminal.Obeyed(text) && strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && r != '\r' && terminal.Unsafe(r) || r == unicode.ReplacementChar
	}) < 0
}

// code is the name of a branch in the type of code; one of odd signs is only escaped.
func code(name string) string {
	odd := func(r rune) bool { return !words.IsWord(r) && !strings.ContainsRune("/._-", r) }
	if name == "" || strings.IndexFunc(name, odd) >= 0 {
		return md(name)
	}
	return "`" + name + "`"
}

func linked(rule string, links map[string]string) string {
	if link := links[rule]; link != "" {
		return "[" + md(rule) + "](" + link + ")"
	}
	return md(rule)
}

// md makes text mean itself in Markdown. No markup, HTML or column of a table comes of it, no link, and no
// mention of a person who happens to have an annotation's name. Signs become entities where a backslash would
// not do in a table.
func md(s string) string {
	runes := []rune(terminal.Printable(s))
	var b strings.Builder
	for i, r := range runes {
		switch r {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '|':
			b.WriteString("&#124;")
		case '\\':
			b.WriteString("&#92;")
		case '@', '#':
			b.WriteString(string(r) + "<!-- -->")
		case ':', '.': // http://x and www.x are links without any markup
			b.WriteRune(r)
			if r == ':' && i+1 < len(runes) && runes[i+1] == '/' || r == '.' && i > 2 && strings.EqualFold(string(runes[i-3:i]), "www") {
				b.WriteString("<!-- -->")
			}
		case '*', '`', '~', '[', ']', '$':
			b.WriteString("\\" + string(r))
		case '_': // within a word it is no markup, and reads better bare
			if i == 0 || i+1 == len(runes) || !words.IsWord(runes[i-1]) || !words.IsWord(runes[i+1]) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
