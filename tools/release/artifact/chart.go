package artifact

import (
	"fmt"
	"maps"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tools/release/pack"
)

// about is what a registry is told of a chart.
type about struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Home        string            `json:"home"`
	Sources     []string          `json:"sources"`
	Annotations map[string]string `json:"annotations"`
	Maintainers []struct {
		Name string `json:"name"`
	} `json:"maintainers"`
}

// chartImage is what `helm push` makes of a chart, with the release's time as that of creation.
func chartImage(archive []byte, created time.Time) (v1.Image, error) {
	files, err := pack.UntarGz(archive)
	if err != nil {
		return nil, err
	}
	text := files["headroom/Chart.yaml"].Content
	var says about
	if err := yaml.Unmarshal(text, &says); err != nil {
		return nil, fmt.Errorf("read Chart.yaml: %w", err)
	}
	config, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("read Chart.yaml: %w", err)
	}
	return newImage("", blob{media: chartConfig, content: config}, []blob{{media: chart, content: archive}},
		says.annotations(created))
}

// annotations are those of Helm: the chart's own, and what OCI has names for.
func (a about) annotations(created time.Time) map[string]string {
	var authors []string
	for _, m := range a.Maintainers {
		authors = append(authors, m.Name)
	}
	const prefix = "org.opencontainers.image."
	out := map[string]string{
		title: a.Name, prefix + "version": a.Version, prefix + "description": a.Description, prefix + "url": a.Home,
		prefix + "created": created.UTC().Format(time.RFC3339), prefix + "authors": strings.Join(authors, ", "),
	}
	if len(a.Sources) > 0 {
		out[prefix+"source"] = a.Sources[0]
	}
	maps.Copy(out, a.Annotations)
	return out
}
