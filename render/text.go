package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/headroom-dev/headroom/policies/engine"
)

// cells measures text as a terminal draws it. The library's own default reads
// the locale; the output of a linter should not depend on it.
var cells = &runewidth.Condition{}

func width(s string) int { return cells.StringWidth(s) }

// printable makes text from a manifest safe to show on one line: names and
// messages are somebody else's, and a terminal obeys escape sequences and
// right-to-left overrides. What cannot be shown is spelled out instead.
func printable(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(utf8.RuneError)
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case unsafeRune(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unsafeRune(r) && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		case unsafeRune(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// unsafeRune also stops the noncharacters U+FFFE and U+FFFF, which XML forbids,
// and RuneError, which stands for bytes that are not UTF-8.
func unsafeRune(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError || r&0xfffe == 0xfffe
}

// wrap breaks text into lines of at most the given columns. A word that is
// longer than a line, such as a path or a flag, stays whole: it may be copied.
func wrap(text string, columns int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range words(text) {
		w := width(word)
		if line != "" && used+1+w > columns {
			lines = append(lines, line)
			line, used = "", 0
		}
		if line != "" {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// words splits text where a line may end: not between a number and its unit.
func words(text string) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		if last := len(list) - 1; last >= 0 && isUnit(word) && unicode.IsDigit(rune(list[last][len(list[last])-1])) {
			list[last] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

func isUnit(word string) bool {
	switch strings.TrimRight(word, ".,;:)") {
	case "%", "ms", "s", "bytes", "KiB", "MiB", "GiB", "KB", "MB":
		return true
	}
	return false
}

// pad fills text up to a column, so that what follows lines up.
func pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-width(s)))
}

func padLeft(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-width(s))) + s
}

// count is "1 file", "2 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// title names an object as kubectl does: kind, namespace/name. Some, such as a
// KubeletConfiguration, have no name.
func title(r engine.Resource) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(printable(r.Kind + " " + name))
}

// place is file:line, as editors and terminals understand it.
func place(file string, line int) string {
	if line < 1 {
		return printable(file)
	}
	return fmt.Sprintf("%s:%d", printable(file), line)
}

// sentence is the verdict in running text, for formats with room for one string.
func sentence(f *engine.Finding) string {
	message := strings.TrimSpace(printable(f.Message))
	expected := strings.TrimRight(strings.TrimSpace(printable(f.Expected)), ".")
	if expected == "" {
		return message
	}
	if !strings.HasSuffix(message, ".") {
		message += "."
	}
	return strings.TrimSpace(message + " Wanted: " + expected + ".")
}
