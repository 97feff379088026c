//go:build !js && !lean

package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/headroom-dev/headroom/internal/regular"
)

// maxLocalCharts bounds how many charts by a path one rendering loads: each may ask for several, and those again.
const maxLocalCharts = 256

// localCharts adds to a chart those that it asks for by a path, as "helm dependency build" would, at every level.
type localCharts struct {
	within bounds
	loaded int
	above  []string // the charts that ask, the first one first
}

func (l *localCharts) add(to *chart.Chart, folder string) error {
	if slices.Contains(l.above, folder) {
		return fmt.Errorf("chart %s asks for itself: %s", to.Name(), display(folder))
	}
	l.above = append(l.above, folder)
	defer func() { l.above = l.above[:len(l.above)-1] }()
	for _, held := range to.Dependencies() {
		if at := filepath.Join(folder, "charts", held.Name()); isChart(at) {
			if err := l.add(held, at); err != nil {
				return err
			}
		}
	}
	for _, wanted := range to.Metadata.Dependencies {
		at := LocalChart(folder, wanted.Repository)
		if at == "" || holds(to, wanted.Name) {
			continue
		}
		if !isChart(at) {
			return fmt.Errorf("chart %s needs chart %s, and %s leads to no chart", to.Name(), wanted.Name, wanted.Repository)
		}
		found, err := l.load(at)
		if err != nil {
			return err
		}
		if found.Name() != wanted.Name || !chartutil.IsCompatibleRange(wanted.Version, found.Metadata.Version) {
			return fmt.Errorf("chart %s needs chart %s %s, and %s leads to chart %s %s", to.Name(), wanted.Name, wanted.Version,
				wanted.Repository, found.Name(), found.Metadata.Version)
		}
		if err := l.add(found, at); err != nil {
			return err
		}
		to.AddDependency(found)
	}
	return nil
}

func (l *localCharts) load(folder string) (*chart.Chart, error) {
	if l.loaded++; l.loaded > maxLocalCharts {
		return nil, fmt.Errorf("it asks for more than %d charts by a path", maxLocalCharts)
	}
	if err := l.within.check(folder); err != nil {
		return nil, Problem{File: display(folder), Cause: errLeavesTree}
	}
	if !l.within.Follow {
		if err := linksInside(folder); err != nil {
			return nil, err
		}
	}
	return readChart(folder)
}

func readChart(folder string) (*chart.Chart, error) {
	ignored := filepath.Join(folder, ".helmignore")
	if endless(ignored) { // the library opens it whatever it is, and any other file only where it is a regular one
		return nil, Problem{File: display(ignored), Cause: regular.ErrIrregular}
	}
	return loader.Load(folder)
}

// checkDependencies refuses a chart that lacks what Chart.yaml asks for, at every level.
func checkDependencies(of *chart.Chart) error {
	var missing []string
	for _, wanted := range of.Metadata.Dependencies {
		if !holds(of, wanted.Name) && !slices.Contains(missing, wanted.Name) { // under several aliases
			missing = append(missing, wanted.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("chart %s needs charts that its folder charts does not hold: %s; run helm dependency build",
			of.Name(), strings.Join(missing, ", "))
	}
	for _, dependency := range of.Dependencies() {
		if err := checkDependencies(dependency); err != nil {
			return err
		}
	}
	return nil
}

func holds(of *chart.Chart, name string) bool {
	return slices.ContainsFunc(of.Dependencies(), func(c *chart.Chart) bool { return c.Name() == name })
}
