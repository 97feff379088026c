// Package compare holds the engines' verdicts against each other, less the gaps that are known.
package compare

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Gap is a difference that is known, and why it is there.
type Gap struct {
	Engine string `json:"engine"`
	Rule   string `json:"rule"`
	Case   string `json:"case"` // where it was found, * for every case, or that of knownImages
	Reason string `json:"reason"`
}

func (g Gap) String() string { return fmt.Sprintf("%s %s %s", g.Engine, g.Rule, g.Case) }

// anyCase is the Case of a gap that is not about a certain one.
const anyCase = "*"

// knownImages is the Case of a gap that is about containers whose images' start scripts are known.
const knownImages = "known images"

// runsKnown says whether a container of an object runs one of these images (see
// docs/adding-an-image.md), or is started by one of these words.
func runsKnown(object any, container string, images map[string]bool) bool {
	switch v := object.(type) {
	case map[string]any:
		if image, ok := v["image"].(string); ok && v["name"] == container {
			repository, _, _ := strings.Cut(image, "@")
			path := strings.Split(repository, "/")
			path[len(path)-1], _, _ = strings.Cut(path[len(path)-1], ":")
			for i := range path {
				if images[strings.Join(path[i:], "/")] {
					return true
				}
			}
		}
		for _, value := range v {
			if runsKnown(value, container, images) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(value any) bool { return runsKnown(value, container, images) })
	}
	return false
}

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
