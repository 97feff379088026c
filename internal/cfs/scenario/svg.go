package scenario

import (
	"errors"
	"fmt"
	"io"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// maxPictures bounds a picture: one of more cases nobody looks at.
const maxPictures = 24

// SVG draws the cases of scenarios below each other.
func SVG(w io.Writer, results []*Result) error {
	var timelines []cfs.Timeline
	for _, r := range results {
		if r.Scenario.Layer == Pool {
			return noTimeline(r)
		}
		for _, o := range r.Outcomes {
			timelines = append(timelines, o.Timeline)
		}
	}
	if len(timelines) > maxPictures {
		return fmt.Errorf("%d cases are too many for a picture, which has at most %d", len(timelines), maxPictures)
	}
	_, err := w.Write(cfs.Stack(timelines))
	return err
}

func noTimeline(r *Result) error {
	return errors.New(r.Scenario.File + ": the pool layer counts over minutes and has no timeline; a table has its figures")
}

// Drawings writes the timeline of each case, for a terminal of so many columns.
func (r *Result) Drawings(w io.Writer, width int) error {
	if r.Scenario.Layer == Pool {
		return noTimeline(r)
	}
	for _, o := range r.Outcomes {
		if _, err := fmt.Fprintf(w, "\n%s", o.Timeline.Text(width)); err != nil {
			return err
		}
	}
	return nil
}
