package edit_test

import (
	"fmt"
	"regexp"
	"strings"

	"pgregory.net/rapid"
)

// writer writes YAML in as many ways as there are, none of them pretty.
type writer struct {
	t       *rapid.T
	b       strings.Builder
	anchors int
	hostile bool // anchors, aliases and values over several lines too
}

func (w *writer) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(w.t, label)
}

func (w *writer) chance(percent int) bool {
	return rapid.IntRange(1, 100).Draw(w.t, "chance") <= percent
}

var words = []string{
	"500m", "1Gi", "2", "1e3", "0x1f", "true", "no", "~", "null", "2026-11-21", "12:30", "a b", "a: b", "a #b",
	"-x", "é日本", "{}", "[x", "*a", "&a", "!a", "%", "@", "'", "\"", "\\", "", " ", "x ", "-Xmx1g -Xss1m", "{{ }}",
	"0o7", "1_000", ".5", "=", "<<", "- a", "? a", "key:", "#", "a\tb", "|", ">", "---", "...",
	strings.Repeat("long ", 40) + "line",
}

var names = []string{
	"cpu", "memory", "limits", "a.b/c", "x~y", "name", "value", "env", "1", "yes", "é", "two words", "q'q", "<",
}

// document writes a map at the top.
func (w *writer) document() string {
	if w.chance(20) {
		w.b.WriteString(w.pick("head", "--- # head\n", "---\n", "%YAML 1.1\n---\n", "# head {\n\n"))
	}
	w.mapping(0, 4, "")
	text := w.b.String()
	if w.chance(30) {
		text += w.pick("tail", "# tail\t{\n", "\n\n", "...\n", "...\n# tail\n", "---\nother: 1\n")
	}
	if w.chance(20) {
		text = strings.TrimRight(text, "\n")
	}
	return w.lineEnds(text)
}

func (w *writer) lineEnds(text string) string {
	switch w.pick("line ends", "lf", "lf", "crlf", "cr", "mixed") {
	case "crlf":
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case "cr":
		text = strings.ReplaceAll(text, "\n", "\r")
	case "mixed":
		text = strings.Replace(text, "\n", "\r\n", 2)
	}
	if w.chance(10) {
		text = "\ufeff" + text
	}
	return text
}

// between writes blank lines and comments.
func (w *writer) between() {
	if w.chance(25) {
		w.b.WriteString(w.pick("between", "\n", "# full\n", "   # in\tdented: {\n", "\n   \n", "#\n# - a: 1\n"))
	}
}

func (w *writer) comment() {
	if w.chance(25) {
		w.b.WriteString(w.pick("comment", " # c", "\t# a\ttab", "   ", " # '\" { [ - &"))
	}
}

func (w *writer) keys() []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 4, rapid.ID[string]).Draw(w.t, "keys")
}

// mapping writes a block map; lead is what the first key has in front instead of blanks.
func (w *writer) mapping(column, depth int, lead string) {
	for i, key := range w.keys() {
		if i > 0 || lead == "" {
			w.between()
			w.b.WriteString(strings.Repeat(" ", column))
		} else {
			w.b.WriteString(lead)
		}
		w.b.WriteString(w.text(key) + w.pick("colon", ":", ":", " :"))
		w.below(column, depth-1, 0)
	}
}

// below writes what follows a colon or a dash. A list can stand in the column of its key, and
// not in that of its dash.
func (w *writer) below(column, depth, least int) {
	anchor := ""
	if w.hostile && w.chance(10) {
		w.anchors++
		anchor = fmt.Sprintf(" &a%d", w.anchors)
	}
	kind := rapid.IntRange(0, 9).Draw(w.t, "kind")
	if depth <= 0 && kind < 4 {
		kind = 9
	}
	switch kind {
	case 0, 1:
		w.b.WriteString(anchor)
		w.comment()
		w.b.WriteString("\n")
		w.mapping(column+rapid.IntRange(1, 4).Draw(w.t, "step"), depth, "")
	case 2, 3:
		w.b.WriteString(anchor)
		w.comment()
		w.b.WriteString("\n")
		w.sequence(column+rapid.IntRange(least, 3).Draw(w.t, "indent"), depth)
	case 4:
		w.b.WriteString(anchor + " " + w.flow(2))
		w.comment()
		w.b.WriteString("\n")
	case 5:
		w.b.WriteString(anchor + w.pick("empty", "", " {}", " []", " { }", " null", " ~"))
		w.comment()
		w.b.WriteString("\n")
	case 6:
		if w.hostile {
			w.lines(column, anchor)
			return
		}
		fallthrough
	default:
		w.b.WriteString(anchor + w.pick("gap", " ", " ", "   ") + w.any())
		w.comment()
		w.b.WriteString("\n")
	}
}

func (w *writer) sequence(column, depth int) {
	for range rapid.IntRange(1, 3).Draw(w.t, "items") {
		w.between()
		w.b.WriteString(strings.Repeat(" ", column) + "-")
		if gap := rapid.IntRange(1, 3).Draw(w.t, "dash"); depth > 0 && w.chance(50) {
			w.mapping(column+1+gap, depth-1, strings.Repeat(" ", gap))
			continue
		}
		w.below(column, depth-1, 1)
	}
}

// lines writes scalars over several lines, and aliases.
func (w *writer) lines(column int, anchor string) {
	in := "\n" + strings.Repeat(" ", column+2)
	if w.anchors > 0 && anchor == "" && w.chance(40) {
		fmt.Fprintf(&w.b, " *a%d\n", rapid.IntRange(1, w.anchors).Draw(w.t, "alias"))
		return
	}
	w.b.WriteString(anchor + w.pick("lines", " |", " |-", " >", " >+ # c", " |2", " plain", " \"double", " 'single"))
	text := w.b.String()
	switch text[strings.LastIndexByte(text, ' ')+1:] {
	case "plain":
		w.b.WriteString(in + "and more\n")
	case "\"double":
		w.b.WriteString("\n" + in + "and \\\" more\"\n")
	case "'single":
		w.b.WriteString(in + "and '' more'\n")
	default:
		w.b.WriteString(in + "one # no comment" + in + "  two: {" + w.pick("end", "\n", "\n\n", "\n\n   \n"))
	}
}

var simple = regexp.MustCompile(`^[a-zé][a-z0-9./~]*[a-z]$|^[0-9]+(m|Gi)$`)

// any writes a scalar.
func (w *writer) any() string {
	if w.chance(15) {
		return w.pick("other", "1", "0.5", "true", "null", "1e3")
	}
	return w.text(rapid.SampledFrom(words).Draw(w.t, "word"))
}

// text writes a string as any style can.
func (w *writer) text(text string) string {
	style := w.pick("style", "plain", "plain", "single", "double")
	if style == "plain" && simple.MatchString(text) {
		return text
	}
	if style == "single" && !strings.ContainsAny(text, "\t") {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(text) + `"`
}

func (w *writer) flow(depth int) string {
	pad := w.pick("pad", "", " ")
	var parts []string
	switch kind := rapid.IntRange(0, 3).Draw(w.t, "flow"); {
	case depth == 0 || kind == 0:
		return w.any()
	case kind == 1:
		for range rapid.IntRange(0, 3).Draw(w.t, "items") {
			parts = append(parts, w.flow(depth-1))
		}
		return "[" + pad + strings.Join(parts, ", ") + w.trailing(parts) + pad + "]"
	}
	for _, key := range w.keys() {
		parts = append(parts, w.text(key)+": "+w.flow(depth-1))
	}
	return "{" + pad + strings.Join(parts, w.pick("comma", ", ", ",  ")) + w.trailing(parts) + pad + "}"
}

func (w *writer) trailing(parts []string) string {
	if len(parts) > 0 && w.chance(15) {
		return ","
	}
	return ""
}
