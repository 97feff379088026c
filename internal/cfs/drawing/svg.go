package drawing

import "time"

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
func (t Timeline) SVG() []byte { return t.sheet(0).file() }

func (t Timeline) sheet(place int) *sheet {
	p := &timelinePicture{
		Timeline: t, sheet: newSheet(place, t.Title, t.Bandwidth, t.Processors, t.Loads), lanes: t.lanes(),
	}
	p.lanes = p.lanes[:min(len(p.lanes), maxLanes)]
	p.panels, p.each = t.fit(plotRight-plotLeft, panelPixels, foldedPixels, 0)
	p.draw()
	return p.sheet
}

// timelinePicture is a timeline that is being drawn.
type timelinePicture struct {
	Timeline
	*sheet
	lanes  []lane
	panels []panel
	each   float64 // width of a period
	top    int     // of the plot
	bottom int
}

func (p *timelinePicture) draw() {
	p.head(p.Title, p.heading())
	if p.Result.Throttled > 0 {
		p.legend()
	}
	p.y += 34
	p.top = p.y
	p.lay()
	p.freezes()
	p.bars()
	p.quota()
	p.scale()
	p.words()
}

// x is where a time stands in a period that begins at left.
func (p *timelinePicture) x(part panel, left float64, at time.Duration) float64 {
	return left + p.each*float64(at-part.from)/float64(part.to-part.from)
}

// eachPanel visits what is drawn, from left to right.
func (p *timelinePicture) eachPanel(visit func(part panel, left, width float64)) {
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

// eachDrawn visits the periods that are not folded.
func (p *timelinePicture) eachDrawn(visit func(part panel, left, width float64)) {
	p.eachPanel(func(part panel, left, width float64) {
		if part.folded == 0 {
			visit(part, left, width)
		}
	})
}
