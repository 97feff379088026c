package scenario

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/cfs/drawing"
)

// maxPictures bounds a picture: one of more cases is not readable.
const maxPictures = 24

// SVG draws the cases of scenarios below each other: a timeline for each of the period layer, a chart
// for all of the pool layer.
func SVG(w io.Writer, results []*Result) error {
	var pictures []drawing.Picture
	for _, r := range results {
		if r.Scenario.Layer == Pool {
			pictures = append(pictures, r.bars())
			continue
		}
		for _, o := range r.Outcomes {
			pictures = append(pictures, o.Timeline)
		}
	}
	if len(pictures) > maxPictures {
		return fmt.Errorf("the scenario makes %d pictures, and %d are the most: split it", len(pictures), maxPictures)
	}
	_, err := w.Write(drawing.Stack(pictures))
	return err
}

// bars are the cases of the pool layer.
func (r *Result) bars() drawing.Bars {
	b := drawing.Bars{Title: r.Scenario.Title, Heading: r.fixed()}
	for _, o := range r.Outcomes {
		var names []string
		for _, v := range o.Varied {
			switch {
			case v.Name == "rewrite" && v.Value != Never:
				names = append(names, "written "+v.Value)
			case v.Name == "rewrite":
			case v.Name != "remedy":
				names = append(names, v.Name+" "+v.Value)
			case v.Value == cfs.None.String():
				names = append(names, "no remedy")
			default:
				names = append(names, v.Value)
			}
		}
		b.Rows = append(b.Rows, drawing.Bar{Name: strings.Join(names, ", "), Spread: o.Spread})
	}
	return b
}

// Drawings writes the timeline of each case, for a terminal of so many columns.
func (r *Result) Drawings(w io.Writer, width int) error {
	if r.Scenario.Layer == Pool {
		return errors.New(r.Scenario.File + ": the pool layer counts over minutes and has no timeline; a table has its figures")
	}
	for _, o := range r.Outcomes {
		if _, err := fmt.Fprintf(w, "\n%s", o.Timeline.Text(width)); err != nil {
			return err
		}
	}
	return nil
}
