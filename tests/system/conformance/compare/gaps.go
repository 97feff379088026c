// Package compare holds the engines' verdicts against each other, less the gaps that are known.
package compare

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

// Gap is a difference that is known, and why it is there.
type Gap struct {
	Engine string `json:"engine"`
	Rule   string `json:"rule"`
	Case   string `json:"case"` // where it was found, or * for every case
	Reason string `json:"reason"`
}

func (g Gap) String() string { return fmt.Sprintf("%s %s %s", g.Engine, g.Rule, g.Case) }

// anyCase is the Case of a gap that is not about a certain one.
const anyCase = "*"

// ReadGaps reads known_gaps.yaml.
func ReadGaps(file string) ([]Gap, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the known gaps: %w", err)
	}
	var gaps []Gap
	if err := yaml.UnmarshalStrict(text, &gaps); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	seen := map[string]bool{}
	for _, gap := range gaps {
		if gap.Engine == "" || gap.Rule == "" || gap.Case == "" || gap.Reason == "" || seen[gap.String()] {
			return nil, fmt.Errorf("%s: %q lacks a field or stands there twice", file, gap)
		}
		seen[gap.String()] = true
	}
	return gaps, nil
}
