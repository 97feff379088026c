package scenario

import (
	"errors"
	"fmt"
	"io"
)

// SVG draws the cases of scenarios below each other.
func SVG(w io.Writer, results []*Result) error {
	if len(results) != 1 || len(results[0].Outcomes) != 1 || results[0].Scenario.Layer == Pool {
		return errors.New("a picture shows one case of the period layer")
	}
	_, err := w.Write(results[0].Outcomes[0].Timeline.SVG())
	return err
}

// Drawings writes the timeline of each case, for a terminal of so many columns.
func (r *Result) Drawings(w io.Writer, width int) error {
	if r.Scenario.Layer == Pool {
		return errors.New(r.Scenario.File + ": the pool layer has no timeline: it counts over minutes and seeds")
	}
	for _, o := range r.Outcomes {
		if _, err := fmt.Fprintf(w, "\n%s", o.Timeline.Text(width)); err != nil {
			return err
		}
	}
	return nil
}
