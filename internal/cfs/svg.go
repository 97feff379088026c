package cfs

import (
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"strings"
	"time"
)

// The layout of a picture, in pixels.
const (
	pictureWidth = 960
	margin       = 20
	labelRight   = 190 // where the rows' names end
	plotLeft     = 204
	plotRight    = pictureWidth - margin
	laneHeight   = 40
	laneGap      = 12
	quotaHeight  = 56
	panelPixels  = 130 // at least, of a period
	foldedPixels = 96
	lineHeight   = 20
	lineRunes    = 116 // that fit beside the time of an event
)

// SVG draws the timeline as a picture that stands alone: no script, no font and no file from
// elsewhere. It has a background of its own, light or dark as its reader prefers.
func (t Timeline) SVG() []byte {
	p := newPicture(t)
	p.draw()
	return p.file()
}

// Stack draws several timelines below each other, as one picture.
func Stack(timelines []Timeline) []byte {
	if len(timelines) == 1 {
		return timelines[0].SVG()
	}
	var body strings.Builder
	y := 0
	for _, t := range timelines {
		p := newPicture(t)
		p.draw()
		fmt.Fprintf(&body, `<svg y="%d" width="%d" height="%d">`+"\n", y, pictureWidth, p.y)
		body.WriteString(p.inner())
		body.WriteString("</svg>\n")
		y += p.y
	}
	return frame(y, "", body.String())
}

// picture is a drawing that grows downwards.
type picture struct {
	Timeline
	id     string
	light  map[string]string // colours by class
	lanes  []lane
	panels []panel
	each   float64 // width of a period
	body   strings.Builder
	top    int // of the plot
	bottom int
	y      int // where the next part begins
}

func newPicture(t Timeline) *picture {
	p := &picture{Timeline: t, lanes: t.lanes(), y: margin, light: lightTones()}
	p.lanes = p.lanes[:min(len(p.lanes), maxLanes)]
	p.panels, p.each = t.fit(plotRight-plotLeft, panelPixels, foldedPixels, 0)
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, t.Title, t.Bandwidth, t.Processors, t.Loads) // a hash takes all that it is given
	p.id = fmt.Sprintf("hr%x", h.Sum64())
	return p
}

func (p *picture) draw() {
	p.header()
	p.top = p.y
	p.lay()
	p.freezes()
	p.bars()
	p.quota()
	p.scale()
	p.words()
}

// file is the picture as a document.
func (p *picture) file() []byte {
	labels := fmt.Sprintf(` role="img" aria-labelledby="%s-title %s-desc"`, p.id, p.id)
	return frame(p.y, labels, p.inner())
}

func frame(height int, attributes, body string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d"`+
		` font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13"%s>`+"\n%s</svg>\n",
		pictureWidth, height, pictureWidth, height, attributes, body)
}

// inner is what stands within the svg element.
func (p *picture) inner() string {
	var out strings.Builder
	fmt.Fprintf(&out, `<title id="%s-title">%s</title>`+"\n", p.id, escape(p.fullTitle()))
	fmt.Fprintf(&out, `<desc id="%s-desc">%s</desc>`+"\n", p.id, escape(p.described()))
	out.WriteString(p.style())
	fmt.Fprintf(&out, `<rect class="hr-ground" width="%d" height="%d" fill="%s"/>`+"\n",
		pictureWidth, p.y, p.light["ground"])
	out.WriteString(p.body.String())
	return out.String()
}

// fullTitle is the title for those who do not see the picture.
func (p *picture) fullTitle() string {
	if title := Printable(p.Title); title != "" {
		return title + ": " + p.heading()
	}
	return p.heading()
}

// described is the picture for those who do not see it.
func (p *picture) described() string {
	texts := make([]string, 0, maxEvents)
	for _, e := range p.Events() {
		texts = append(texts, durationText(e.At)+": "+e.Text+".")
	}
	return strings.Join(append(texts, p.summary()), " ")
}

func escape(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // to memory
	return out.String()
}

func (p *picture) add(format string, arguments ...any) {
	fmt.Fprintf(&p.body, format+"\n", arguments...)
}

// text writes a line; anchor is start, middle or end.
func (p *picture) text(class, anchor string, x, y float64, more, text string) {
	p.add(`<text class="hr-%s" fill="%s" x="%s" y="%s" text-anchor="%s"%s>%s</text>`,
		class, p.light[class], number(x), number(y), anchor, more, escape(text))
}

// x is where a time stands in a period that begins at left.
func (p *picture) x(part panel, left float64, at time.Duration) float64 {
	return left + p.each*float64(at-part.from)/float64(part.to-part.from)
}

// eachPanel visits what is drawn, from left to right.
func (p *picture) eachPanel(visit func(part panel, left, width float64)) {
	left := float64(plotLeft)
	for _, part := range p.panels {
		width := p.each
		if part.folded > 0 {
			width = foldedPixels
		}
		visit(part, left, width)
		left += width
	}
}
