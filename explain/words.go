package explain

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// width measures text as a terminal draws it, whatever the locale.
func width(s string) int { return (&runewidth.Condition{}).StringWidth(s) }

// printable makes text from a manifest safe to show on one line: a terminal obeys escape
// sequences and right-to-left overrides. What cannot be shown is spelled out instead.
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

func unsafeRune(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError || r&0xfffe == 0xfffe
}

// wrap breaks text into lines of at most so many columns. A word that is longer, such as a
// path or a flag, stays whole: it may be copied. A number and its unit stay together.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range words(text) {
		if line != "" && width(line)+1+width(word) > columns {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

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
	case "%", "ms", "s", "MiB", "GiB":
		return true
	}
	return false
}

// pad fills text up to a column, so that what follows lines up.
func pad(s string, columns int) string { return s + strings.Repeat(" ", max(0, columns-width(s))) }

func padLeft(s string, columns int) string { return strings.Repeat(" ", max(0, columns-width(s))) + s }

// plain writes a number as a person would: at most one decimal, no exponent.
func plain(n float64) string { return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) }

func mib(n float64) string { return plain(n) + " MiB" }

// percent never rounds up: 19.96 % must not be read as the 20 % it falls short of.
func percent(part, whole float64) string {
	return plain(math.Floor(part/whole*1000+1e-6)/10) + " %"
}

// count is "1 error", "2 errors".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// sentence ends text with a full stop.
func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
