package manifest

import (
	"maps"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tools/release/checkout"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

func clean(folder, link string) string { return path.Join(folder, link) }

// Chart is what `helm package` would put into the chart's archive, with the release's version.
func Chart(c *checkout.Commit) (pack.Files, error) {
	all := maps.Clone(c.Files)
	changed, err := SetVersion(all, c.Version)
	if err != nil {
		return nil, err
	}
	maps.Copy(all, changed)
	chart := all.Part(path.Dir(checkout.ChartFile), func(string) bool { return true })
	if strings.Contains(c.Version, "-") {
		text := string(chart["Chart.yaml"].Content)
		chart.Text("Chart.yaml", strings.Replace(text, `artifacthub.io/prerelease: "false"`,
			`artifacthub.io/prerelease: "true"`, 1))
	}
	chart.Text("README.md", string(absolute(chart["README.md"].Content, "charts/headroom", c.Hash)))
	chart["LICENSE"] = c.Files["LICENSE"]
	return chart.Below("headroom"), nil
}

// changes are those of this version, as the chart names them: one list for all packages.
func changes(chart []byte) ([]any, error) {
	var read struct {
		Annotations map[string]string `json:"annotations"`
	}
	if err := yaml.Unmarshal(chart, &read); err != nil {
		return nil, err
	}
	var list []any
	return list, yaml.Unmarshal([]byte(read.Annotations["artifacthub.io/changes"]), &list)
}
