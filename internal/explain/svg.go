package explain

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// The layout of a picture, in pixels: as wide as the timelines of package drawing.
const (
	pictureWidth = 960
	pictureEdge  = 20
	barTop       = 76
	barHeight    = 34
	legendTop    = barTop + barHeight + 46
	legendLine   = 21
)

// svgStyle has the colours of the page, with its names.
const svgStyle = `<style>
.m-ground{fill:#fff}.m-ink{fill:#1b2430}.m-dim{fill:#566273}.m-bad{fill:#b3261e}.m-track{fill:#eef1f5}
.m-t0{fill:#3a6fb5}.m-t1{fill:#e39b2d}.m-t2{fill:#2c9c8f}.m-t3{fill:#c0568c}.m-t4{fill:#7d6bd0}.m-t5{fill:#8a94a3}
.m-stripe{fill:#fff;fill-opacity:.55}.m-line{stroke:#1b2430}.m-limit{stroke:#cf4136}
@media (prefers-color-scheme:dark){
.m-ground{fill:#1a2029}.m-ink{fill:#e6eaf0}.m-dim{fill:#a3afbf}.m-bad{fill:#ff9a91}.m-track{fill:#232b36}
.m-t0{fill:#5c92da}.m-t1{fill:#e9a945}.m-t2{fill:#3db3a5}.m-t3{fill:#d8739f}.m-t4{fill:#9585e6}.m-t5{fill:#9aa5b4}
.m-stripe{fill:#000;fill-opacity:.45}.m-line{stroke:#e6eaf0}.m-limit{stroke:#e2584c}}
</style>
<defs><pattern id="m-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
	`<rect class="m-stripe" width="3" height="8"/></pattern></defs>
`

// part is one of the pictures that stand below each other.
type part struct {
	height int
	text   string
}

// writeSVG draws the memory of each container, and its timelines, as one picture.
func writeSVG(w io.Writer, r *Report) error {
	var parts []part
	for i := range r.Workloads {
		for j := range r.Workloads[i].Containers {
			parts = append(parts, pictures(r, &r.Workloads[i], &r.Workloads[i].Containers[j])...)
		}
	}
	var body strings.Builder
	y := 0
	for _, p := range parts {
		// The root of each picture gets a place of its own.
		fmt.Fprintf(&body, "<svg y=\"%d\"%s", y, strings.TrimPrefix(p.text, "<svg"))
		y += p.height
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d"`+
		` font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13">`+"\n%s%s</svg>\n",
		pictureWidth, max(y, 1), pictureWidth, max(y, 1), svgStyle, body.String())
	return err
}

func pictures(r *Report, w *Workload, c *Container) []part {
	name := sentences.Title(w.Resource) + ", " + terminal.Printable(c.Container)
	parts := []part{memoryPicture(&c.Explanation, r.Free, name)}
	if c.Timeline != nil && c.Timeline.Missing == "" {
		parts = append(parts, nested(c.Timeline.SVG()))
	}
	if c.WhatIf != nil {
		parts = append(parts, memoryPicture(c.WhatIf.Then, r.Free, name+", with what was changed"))
		if t := c.WhatIf.Timeline; t != nil && t.Missing == "" {
			parts = append(parts, nested(t.SVG()))
		}
	}
	return parts
}

// nested is a picture that is given whole.
func nested(picture []byte) part {
	picture = bytes.TrimSpace(picture)
	height := 0
	if m := regexp.MustCompile(`viewBox="0 0 \d+ (\d+)"`).FindSubmatch(picture); m != nil {
		height, _ = strconv.Atoi(string(m[1])) // digits that fit; else nothing is seen of it
	}
	return part{height, string(picture) + "\n"}
}

// memoryPicture is the bar, and below it what its colours mean.
func memoryPicture(e *engine.Explanation, free float64, name string) part {
	b := barOf(e, free)
	d := &canvas{}
	d.write("m-ink", pictureEdge, 30, "start", ` font-size="16" font-weight="600"`, name)
	if b == nil {
		d.write("m-dim", pictureEdge, 52, "start", "", "No memory budget: it is no JVM, and its memory was not measured.")
		return d.part(70)
	}
	verdict := "m-ink"
	if b.Over() {
		verdict = "m-bad"
	}
	d.write(verdict, pictureEdge, 52, "start", "", b.Verdict())
	const wide = pictureWidth - 2*pictureEdge
	at := func(mib float64) float64 { return pictureEdge + mib/b.Scale*wide }
	d.rect("m-track", pictureEdge, wide, "")
	sum := 0.0
	for _, s := range b.Segments {
		x, width := at(sum), s.MiB/b.Scale*wide
		d.rect("m-t"+strconv.Itoa(s.Index%6), x, width, "")
		if s.Assumed {
			d.rect("", x, width, ` fill="url(#m-hatch)"`)
		}
		sum += s.MiB
	}
	if m := b.Marks(); m != nil {
		d.mark("m-line", at(b.Line), ` stroke-width="2" stroke-dasharray="4 3"`)
		d.write("m-dim", at(b.Line), barTop-9, m.LineAnchor, "", m.LineText)
		d.mark("m-limit", at(b.Limit), ` stroke-width="4"`)
		d.write("m-bad", at(b.Limit), barTop+barHeight+20, m.LimitAnchor, ` font-weight="600"`, m.LimitText)
	}
	y := d.legend(b)
	return d.part(y)
}

// legend has a line for each region, and for what they come to.
func (d *canvas) legend(b *bar) int {
	y := legendTop
	for i, row := range append(b.Rows(), b.Totals()...) {
		style := ""
		if i < len(b.Segments) {
			swatch := fmt.Sprintf(` y="%d" width="11" height="11" rx="2"`, y-10)
			fmt.Fprintf(&d.body, `<rect class="m-%s" x="%d"%s/>`+"\n", row.Class, pictureEdge, swatch)
			if row.Assumed {
				fmt.Fprintf(&d.body, `<rect x="%d"%s fill="url(#m-hatch)"/>`+"\n", pictureEdge, swatch)
			}
		} else {
			style = ` font-weight="600"`
		}
		d.write("m-ink", pictureEdge+20, y, "start", style, row.Name)
		d.write("m-ink", 240, y, "end", style, row.Amount)
		d.write("m-ink", 310, y, "end", style, row.Share)
		d.write("m-dim", 330, y, "start", "", row.Source)
		y += legendLine
	}
	return y
}

// canvas grows element by element.
type canvas struct{ body strings.Builder }

func (d *canvas) rect(class string, x, width float64, more string) {
	fmt.Fprintf(&d.body, `<rect class="%s" x="%s" y="%d" width="%s" height="%d"%s/>`+"\n",
		class, pixels(x), barTop, pixels(width), barHeight, more)
}

func (d *canvas) mark(class string, x float64, more string) {
	fmt.Fprintf(&d.body, `<line class="%s" x1="%s" x2="%s" y1="%d" y2="%d"%s/>`+"\n",
		class, pixels(x), pixels(x), barTop-4, barTop+barHeight+4, more)
}

func (d *canvas) write(class string, x float64, y int, anchor, more, text string) {
	fmt.Fprintf(&d.body, `<text class="%s" x="%s" y="%d" text-anchor="%s"%s>`, class, pixels(x), y, anchor, more)
	_ = xml.EscapeText(&d.body, []byte(text)) // to memory
	d.body.WriteString("</text>\n")
}

func (d *canvas) part(height int) part {
	return part{height, fmt.Sprintf(`<svg width="%d" height="%d">`+"\n"+
		`<rect class="m-ground" width="%d" height="%d"/>`+"\n%s</svg>\n",
		pictureWidth, height, pictureWidth, height, d.body.String())}
}

func pixels(n float64) string { return strconv.FormatFloat(n, 'f', 2, 64) }
