package diagnose

import (
	"bytes"
	"io"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	render "github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Schema names the shape of the JSON.
const Schema = "headroom.dev/diagnosis/v1"

// Report is the diagnosis of one container.
type Report struct {
	Namespace string            `json:"namespace"`
	Pod       string            `json:"pod"`
	Container string            `json:"container"`
	Node      string            `json:"node"`
	State     string            `json:"state"` // "" where the API was not asked
	Samples   []time.Time       `json:"samples"`
	Seconds   float64           `json:"seconds"` // between the samples; 0 for one
	Checks    []engine.Check    `json:"checks"`
	Regions   []engine.Region   `json:"regions"`
	Findings  *collect.Findings `json:"lint"` // null where the manifest was not known
	Notes     []string          `json:"notes"`
	Problems  []string          `json:"problems"`
	Folder    string            `json:"folder,omitempty"` // where it was saved

	budget map[string]any
}

// Summary counts the checks of reports by status.
type Summary struct {
	Containers int `json:"containers"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Unknown    int `json:"unknown"`
	OK         int `json:"ok"`
	Problems   int `json:"problems"`
}

// Count sums up the reports.
func Count(reports []*Report) Summary {
	s := Summary{Containers: len(reports)}
	for _, r := range reports {
		s.Problems += len(r.Problems)
		for i := range r.Checks {
			switch r.Checks[i].Status {
			case engine.StatusError:
				s.Errors++
			case engine.StatusWarning:
				s.Warnings++
			case engine.StatusOK:
				s.OK++
			default:
				s.Unknown++
			}
		}
	}
	return s
}

// WriteJSON prints the reports for programs.
func WriteJSON(w io.Writer, reports []*Report) error {
	var text bytes.Buffer
	err := render.Encode(&text, struct {
		Schema     string    `json:"schema"`
		Summary    Summary   `json:"summary"`
		Containers []*Report `json:"containers"`
	}{Schema, Count(reports), reports})
	if err != nil {
		return err
	}
	_, err = w.Write(text.Bytes())
	return err
}
