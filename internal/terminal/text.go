// Package terminal lays text out for terminals: how wide it is, where lines break, and what must
// not reach them.
package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// cells measures text as a terminal draws it. The library's own default reads
// the locale; the output of a linter should not depend on it.
var cells = &runewidth.Condition{}

// Width is how many columns of a terminal text takes, whatever the locale. The library makes a table of 2 MiB at the
// first letter from U+0300 on: headroom's own texts do without it.
func Width(s string) int {
	width := 0
	for _, r := range s {
		switch {
		case r < '\u0300':
			width += cells.RuneWidth(r)
		case strings.ContainsRune(ownSigns, r):
			width++
		default:
			return cells.StringWidth(s)
		}
	}
	return width
}

// ownSigns are those of headroom's texts and drawings, one column each.
const ownSigns = "…–—→↑−⋯│┃┊└┘┴─╌░▒▓█▁▂▃▄▅▆▇"

// Printable makes text from a manifest safe to show on one line: names and
// messages come from manifests, and a terminal obeys escape sequences and
// right-to-left overrides. What cannot be shown is spelled out instead.
func Printable(s string) string {
	if strings.IndexFunc(s, Unsafe) < 0 {
		return harmless(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(utf8.RuneError)
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case Unsafe(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case Unsafe(r) && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		case Unsafe(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return harmless(b.String())
}

// Lines is Printable for text of several lines.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

// What runners of CI obey when they read it in a log. It is ::error:: where a line begins, as any word may (GitHub), and
// ##[error] and ##vso[…] anywhere (GitHub, Azure, TeamCity). Blanks of every script may stand in front of it: GitHub's
// runner takes them away, as .NET's TrimStart does.
var (
	wordCommand   = pattern.Lazy(`(^|[\s\p{Z}]):(:[A-Za-z])`)
	bracketed     = pattern.Lazy(`#(#[A-Za-z]*\[)`)
	hashesInJSON  = []byte(`##`)
	escapedHashes = []byte(`#\u0023`)
)

// Obeyed says whether a runner would obey something in a text.
func Obeyed(text string) bool { return harmless(text) != text }

// harmless puts a blank into what a runner would obey.
func harmless(s string) string {
	if strings.Contains(s, "::") {
		s = wordCommand().ReplaceAllString(s, "$1: $2")
	}
	if strings.Contains(s, "##") {
		s = bracketed().ReplaceAllString(s, "# $1")
	}
	return s
}

// JSON spells the same signs out in a JSON text, which means the same then: in its strings, as nothing else in it has
// them. Programs print what they read. A word of a string never begins a line.
func JSON(text []byte) []byte {
	if bytes.Contains(text, hashesInJSON) {
		text = bytes.ReplaceAll(text, hashesInJSON, escapedHashes)
	}
	if bytes.IndexFunc(text, unsafeInJSON) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case !unsafeInJSON(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// Line ends stand between the values, too, and a mark for bytes that were no UTF-8 does no harm.
func unsafeInJSON(r rune) bool { return Unsafe(r) && r >= 0x7f && r != utf8.RuneError }

// Unsafe says whether Printable spells a sign out. These are controls, signs that change the
// direction or are not seen, and the noncharacters U+FFFE and U+FFFF, which XML forbids. RuneError,
// which stands for bytes that are not UTF-8, is spelled out too.
func Unsafe(r rune) bool {
	if r < utf8.RuneSelf { // nearly all of what is shown
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError || r&0xfffe == 0xfffe
}

// Wrap breaks text into lines of at most the given columns. A word that is
// longer than a line, such as a path or a flag, stays whole: it may be copied.
func Wrap(text string, columns int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range words(text) {
		w := Width(word)
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

// Pad fills text up to a column, so that what follows lines up.
func Pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-Width(s)))
}

// PadLeft is Pad with the blanks in front.
func PadLeft(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-Width(s))) + s
}
