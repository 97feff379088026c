package drawing

import (
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Picture is something that can be drawn: a Timeline, or Bars.
type Picture interface {
	// sheet draws it; the place tells it from others in the same file.
	sheet(place int) *sheet
}

// sheet is a picture that grows downwards.
type sheet struct {
	id   string // of this picture, where several stand in one page
	body strings.Builder
	y    int // where the next part begins

	title, described string // for those who do not see it
}

// newSheet is a blank one. What it will show decides its id.
func newSheet(place int, shows ...any) *sheet {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, append(shows, place)...) // a hash takes all that it is given
	return &sheet{id: fmt.Sprintf("hr%x", h.Sum64()), y: margin}
}

// Stack draws several pictures below each other, as one.
func Stack(pictures []Picture) []byte {
	if len(pictures) == 1 {
		return pictures[0].sheet(0).file()
	}
	var body strings.Builder
	y := 0
	for n, p := range pictures {
		s := p.sheet(n)
		fmt.Fprintf(&body, `<svg y="%d" width="%d" height="%d"%s>`+"\n%s</svg>\n", y, pictureWidth, s.y, s.labels(), s.inner())
		y += s.y
	}
	return frame(y, "", body.String())
}

// file is the picture as a document.
func (s *sheet) file() []byte { return frame(s.y, s.labels(), s.inner()) }

func frame(height int, attributes, body string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d"`+
		` font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13"%s>`+"\n%s</svg>\n",
		pictureWidth, height, pictureWidth, height, attributes, body)
}

func (s *sheet) labels() string {
	return fmt.Sprintf(` role="img" aria-labelledby="%s-title %s-desc"`, s.id, s.id)
}

// inner is what stands within the svg element.
func (s *sheet) inner() string {
	var out strings.Builder
	fmt.Fprintf(&out, `<title id="%s-title">%s</title>`+"\n", s.id, escape(s.title))
	fmt.Fprintf(&out, `<desc id="%s-desc">%s</desc>`+"\n", s.id, escape(s.described))
	out.WriteString(s.style())
	fmt.Fprintf(&out, `<rect class="hr-ground" width="%d" height="%d" fill="%s"/>`+"\n",
		pictureWidth, s.y, light("ground"))
	out.WriteString(s.body.String())
	return out.String()
}

func escape(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // to memory
	return out.String()
}

func (s *sheet) add(format string, arguments ...any) { fmt.Fprintf(&s.body, format+"\n", arguments...) }

// text writes a line; anchor is start, middle or end.
func (s *sheet) text(class, anchor string, x, y float64, more, text string) {
	s.add(`<text class="hr-%s" fill="%s" x="%s" y="%s" text-anchor="%s"%s>%s</text>`,
		class, light(class), Number(x), Number(y), anchor, more, escape(text))
}

// rect fills an area.
func (s *sheet) rect(class string, x, y, width, height float64) {
	s.add(`<rect class="hr-%s" x="%s" y="%s" width="%s" height="%s" fill="%s"/>`,
		class, Number(x), Number(y), Number(width), Number(height), light(class))
}

// line is a thin one.
func (s *sheet) line(class string, x1, y1, x2, y2 float64) {
	s.add(`<line class="hr-%s" x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"/>`,
		class, Number(x1), Number(y1), Number(x2), Number(y2), light(class))
}

// head writes title and heading.
func (s *sheet) head(title, heading string) {
	s.title = heading
	s.y += 6
	if title = shown(title); title != "" {
		s.title = title + ": " + heading
		s.text("ink", "start", margin, float64(s.y+4), ` font-size="17" font-weight="600"`, cut(title, 100))
		s.y += 24
	}
	if heading != "" {
		s.text("quiet", "start", margin, float64(s.y), "", cut(strings.ToUpper(heading[:1])+heading[1:], lineRunes+20))
	}
}

// tone is a colour, light and dark. The light one is an attribute, for where style sheets are
// refused; the dark one a rule, by class.
type tone struct {
	class, property, light, dark string
}

var tones = []tone{
	{"ground", "fill", "#ffffff", "#0d1117"},
	{"ink", "fill", "#1f2328", "#e6edf3"},
	{"quiet", "fill", "#59636e", "#9198a1"},
	{"grid", "stroke", "#d1d9e0", "#3d444d"},
	{"run", "fill", "#2b6cb0", "#3b82d0"},
	{"on", "fill", "#ffffff", "#ffffff"},
	{"wait", "fill", "#cfa19d", "#7d4f4b"},
	{"ice", "fill", "#fdf0ef", "#241416"},
	{"hatch", "stroke", "#eab6b1", "#5c2b2a"},
	{"whisker", "stroke", "#1f2328", "#e6edf3"},
	{"frost", "fill", "#b3261e", "#ff8178"},
	{"pool", "fill", "#a8dbb8", "#1c4a2c"},
	{"level", "stroke", "#1a7f37", "#56d364"},
}

// light is the attribute of a class.
func light(class string) string {
	return tones[slices.IndexFunc(tones, func(t tone) bool { return t.class == class })].light
}

// style has the colours for the dark, and the hatching of frozen time.
func (s *sheet) style() string {
	var out strings.Builder
	out.WriteString("<style>@media (prefers-color-scheme: dark) {")
	for _, t := range tones {
		fmt.Fprintf(&out, " .hr-%s { %s: %s }", t.class, t.property, t.dark)
	}
	out.WriteString(" }</style>\n")
	fmt.Fprintf(&out, `<defs><pattern id="%s-hatch" width="8" height="8" patternUnits="userSpaceOnUse" `+
		`patternTransform="rotate(45)"><rect class="hr-ice" width="8" height="8" fill="%s"/>`+
		`<line class="hr-hatch" y2="8" stroke="%s" stroke-width="2"/></pattern></defs>`+"\n",
		s.id, light("ice"), light("hatch"))
	return out.String()
}
