package drawing

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// Bars is a chart of the share of throttled periods, one bar for each case.
type Bars struct {
	Title, Heading string
	Rows           []Bar
}

// Bar is the spread of a case over its seeds.
type Bar struct {
	Name string
	cfs.Spread
}

const (
	barHeight  = 18
	barStep    = 34
	barsLeft   = 300
	barsRight  = pictureWidth - 250
	whiskerEnd = 5
)

// SVG draws the bars as a picture that stands alone: the mean, and a line from the least to the most.
func (b Bars) SVG() []byte { return b.sheet(0).file() }

func (b Bars) sheet(place int) *sheet {
	s := newSheet(place, b)
	s.head(b.Title, b.Heading)
	s.y += 30
	top := s.y
	x := func(share float64) float64 { return barsLeft + share*(barsRight-barsLeft) }
	bottom := float64(top + len(b.Rows)*barStep)
	for percent := 0; percent <= 100; percent += 25 {
		at := x(float64(percent) / 100)
		s.line("grid", at, float64(top-6), at, bottom)
		s.text("quiet", "middle", at, bottom+18, "", fmt.Sprintf("%d %%", percent))
	}
	var told []string
	for _, row := range b.Rows {
		middle := float64(s.y) + barStep/2
		s.text("ink", "end", barsLeft-12, middle+4.5, "", cut(shown(row.Name), 40))
		s.rect("run", barsLeft, middle-barHeight/2, max(x(row.Mean)-barsLeft, 1), barHeight)
		s.line("whisker", x(row.Min), middle, x(row.Max), middle)
		for _, end := range []float64{x(row.Min), x(row.Max)} {
			s.line("whisker", end, middle-whiskerEnd, end, middle+whiskerEnd)
		}
		value := fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*row.Mean, 100*row.Min, 100*row.Max)
		s.text("ink", "start", max(x(row.Max), x(row.Mean))+10, middle+4.5, "", value)
		told = append(told, fmt.Sprintf("%s: %s.", shown(row.Name), value))
		s.y += barStep
	}
	s.y += 46
	s.text("quiet", "start", margin, float64(s.y), "", "Share of the periods that are throttled: mean over the seeds, and the least and the most.")
	s.y += margin
	s.described = strings.Join(told, " ")
	return s
}
