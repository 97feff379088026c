//go:build !js && !lean

package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"

	"github.com/headroom-dev/headroom/internal/regular"
)

func loadChart(from HelmChart, follow bool) (*chart.Chart, error) {
	loaded, err := readChart(from.Path)
	if err != nil {
		return nil, chartError(from.Path, err, Options{})
	}
	if loaded.Metadata.Type == "library" {
		return nil, errLibrary
	}
	local := localCharts{within: boundsOf(from.Path, follow)}
	if err := local.add(loaded, filepath.Clean(from.Path)); err != nil {
		return nil, err
	}
	return loaded, checkDependencies(loaded)
}

// renderChart gives the text of each template, and the values that it saw: what the user
// set over what the chart and its subcharts hold. The loaded chart can be used but once.
func renderChart(ctx context.Context, loaded *chart.Chart, from HelmChart, values map[string]any) (
	map[string]string, common.Values, error,
) {
	defer silence()()
	if err := chartutil.ProcessDependencies(loaded, values); err != nil {
		return nil, nil, err
	}
	if wants := loaded.Metadata.KubeVersion; wants != "" {
		if has := common.DefaultCapabilities.KubeVersion.String(); !chartutil.IsCompatibleRange(wants, has) {
			return nil, nil, fmt.Errorf("the chart wants Kubernetes %s, and it is rendered for %s", wants, has)
		}
	}
	release := common.ReleaseOptions{
		Name: cmp.Or(from.ReleaseName, loaded.Name()), Namespace: cmp.Or(from.Namespace, "default"), Revision: 1,
		IsInstall: true,
	}
	all, err := util.ToRenderValuesWithSchemaValidation(loaded, values, release, nil, true)
	if err != nil {
		return nil, nil, err
	}
	seen, err := all.Table("Values")
	if err != nil {
		return nil, nil, err
	}
	templates, err := engine.Engine{}.RenderWithContext(ctx, loaded, all)
	return templates, seen, err
}

// chartError names the line of a chart's own broken YAML; Helm does not.
func chartError(chartPath string, err error, opts Options) error {
	for _, name := range []string{"Chart.yaml", "values.yaml"} {
		name = filepath.Join(chartPath, name)
		data, failed := regular.Read(name, opts.MaxBytes())
		if failed != nil {
			continue
		}
		if problem := firstProblem(display(name), data, opts); problem != nil {
			return *problem
		}
	}
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("no such chart")
	}
	return err
}

// plainValues copies values into maps and lists of the usual types.
func plainValues(values map[string]any) map[string]any {
	out := make(map[string]any, len(values))
	for key, value := range values {
		out[key] = plainValue(value)
	}
	return out
}

func plainValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return plainValues(value)
	case common.Values:
		return plainValues(value)
	case []any:
		out := make([]any, len(value))
		for i, entry := range value {
			out[i] = plainValue(entry)
		}
		return out
	default:
		return value
	}
}
