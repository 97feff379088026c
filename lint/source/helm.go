package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// HelmChart is a chart to render and what to render it with.
type HelmChart struct {
	Path        string   // a folder or a .tgz
	Values      []string // --values: files, later ones win
	Inline      []byte   // YAML over the files, as a release has it
	Set         []string // --set: key=value, after the files
	ReleaseName string   // "" is the chart's name
	Namespace   string   // "" is "default"
}

// RenderHelm renders a chart as "helm template" does, without a cluster,
// plugins or the network, and gives the items of its templates in order of
// name. An item's File is the template, its Line the line in what the template
// rendered to. Hooks are rendered too, since their pods run as well; NOTES.txt
// and the folder crds are not. The chart's values schema is not checked: it may
// point into the network, and its errors quote values.
func RenderHelm(from HelmChart, opts Options) []Item {
	return slices.Collect(renderHelm(from, opts).items(opts))
}

func renderHelm(from HelmChart, opts Options) rendering {
	name := display(from.Path)
	m, problem := run(context.Background(), name, job{Chart: from, Follow: opts.FollowLinks, Limit: opts.MaxBytes()}, opts)
	if problem != nil {
		if len(from.Values) == 0 && problem.Line > 0 {
			problem.Cause = withValues(problem.Cause, from.Path)
		}
		return rendering{problem: problem}
	}
	var texts []renderedText
	for _, template := range slices.Sorted(maps.Keys(m.Templates)) {
		if path.Base(template) != "NOTES.txt" {
			texts = append(texts, m.text(template, templateFile(name, template)))
		}
	}
	if len(texts) > 0 && !slices.ContainsFunc(texts, renderedText.holds) {
		r := rendering{problem: &Problem{File: name, Cause: withValues(errNoOutput, from.Path)}}
		if opts.AllowEmpty {
			return r.oneOfSeveral()
		}
		return r
	}
	return rendering{texts: texts}.keep(name)
}

// errNoOutput is of a chart whose templates are all switched off, or whose values no function could write.
var errNoOutput = errors.New("nothing could be judged: no template of the Helm chart renders to anything with these values " +
	"(toYaml and toJson write nothing of what they cannot write, mustToYaml tells)" + allowEmpty)

// holds says whether there is more than comments and blanks.
func (t renderedText) holds() bool { return t.large > 0 || !blank(t.text) }

// valuesFiles are files that charts keep beside values.yaml: of an environment, or for chart-testing.
var valuesFiles = []string{`values[_.\-]?*.y*ml`, `?*[_.\-]values.y*ml`, `ci/*values.y*ml`}

// withValues adds to a chart's failure the values files beside it: a chart may need one of them.
func withValues(cause error, chart string) error {
	var found []string
	for _, pattern := range valuesFiles {
		files, _ := fs.Glob(os.DirFS(chart), pattern) // no folder has none
		found = append(found, files...)
	}
	if len(found) == 0 {
		return cause
	}
	return fmt.Errorf("%w; its folder has values for it: --values %s", cause, display(filepath.Join(chart, found[0])))
}

// renderFolderChart renders a chart that was found in a folder, which may be the one that the user named. A library
// chart has nothing to show.
func renderFolderChart(from HelmChart, named bool, opts Options) rendering {
	r := renderHelm(from, opts)
	switch {
	case r.problem != nil && errors.Is(r.problem.Cause, errLibrary):
		return rendering{}
	case named:
		return r
	}
	return r.oneOfSeveral()
}

// NoOutput is of one chart among others: repositories hold charts and releases that are switched off until they get values.
const NoOutput = "renders to nothing with the values that the input has; --helm-chart with --values renders it with others"

// oneOfSeveral says of a chart that renders to nothing that it does, which is no fault of one that the user did not name.
func (r rendering) oneOfSeveral() rendering {
	if r.problem == nil || !errors.Is(r.problem.Cause, errNoOutput) {
		return r
	}
	return rendering{skipped: &Item{File: r.problem.File, Skipped: NoOutput}}
}

// templateFile gives the file behind a template: Helm names templates after
// the chart, whatever the folder is called that the chart lies in.
func templateFile(chartPath, template string) string {
	_, below, _ := strings.Cut(template, "/")
	return path.Join(chartPath, below)
}

var errLibrary = errors.New("a library chart renders nothing by itself")

func firstProblem(file string, data []byte, opts Options) *Problem {
	for item := range Items(file, data, opts) {
		if item.Problem != nil {
			return item.Problem
		}
	}
	return nil
}

var (
	templatePlace = pattern.Lazy(`^(?:[a-z ]+ at |template: )?\(?([^\s():]+):(\d+)(?::\d+)?\)?:?\s*`)
	quotedSource  = pattern.Lazy(`(cannot parse template|tpl function execution for) "(?:[^"\\]|\\.)*"`)
)

// helmProblem finds the place in Helm's error text, and drops the template
// source that the function tpl quotes, since it is a value.
func helmProblem(chartName string, err error) Problem {
	var problem Problem
	if errors.As(err, &problem) {
		return problem
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	text = quotedSource().ReplaceAllString(text, "$1 a value")
	problem.File = chartName
	if place := templatePlace().FindStringSubmatch(text); place != nil {
		problem.File = templateFile(chartName, place[1])
		problem.Line, _ = strconv.Atoi(place[2])
		text = text[len(place[0]):]
	}
	problem.Cause = fmt.Errorf("the Helm chart does not render: %s", shortened(text))
	if errors.Is(err, errLibrary) {
		problem.Cause = fmt.Errorf("the Helm chart does not render: %w", errLibrary)
	}
	return problem
}

// longestError is of a chart's or a kustomization's error, in bytes: templates that include each other name each step.
const longestError = 1000

// shortened leaves out the middle of a long error: its beginning has the place, and its end the cause.
func shortened(text string) string {
	if len(text) <= longestError {
		return text
	}
	return strings.ToValidUTF8(text[:longestError/2], "") + " … " + strings.ToValidUTF8(text[len(text)-longestError/2:], "")
}

// LocalChart is the folder of a chart that a dependency names by a path, file://../common, from the folder of the
// chart that asks for it; "" where it names another place.
func LocalChart(folder, repository string) string {
	named, err := url.Parse(strings.TrimSpace(repository))
	if err != nil || named.Scheme != "file" {
		return ""
	}
	below := filepath.FromSlash(named.Host + named.Path) // file://../common has .. for its host
	if filepath.IsAbs(below) {
		return filepath.Clean(below)
	}
	return filepath.Join(folder, below)
}
