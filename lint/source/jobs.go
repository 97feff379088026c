package source

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/headroom-dev/headroom/internal/confined"
)

// Charts and kustomizations are programs that strangers wrote. Helm and kustomize run in a process of its own, with
// bounds of memory and time and without the variables of this one.

// renderer is where they run: in this process until Confine is called.
var renderer = &confined.Worker{Do: answer}

// RenderCommand is the argument with which the program serves renderings.
const RenderCommand = "render-confined"

// Confine makes the program render in a process of its own, which is this program with RenderCommand.
func Confine() { renderer.Arguments = []string{RenderCommand} }

// ServeRenderings is that process. It has no network.
func ServeRenderings(in io.Reader, out io.Writer) error {
	offline()
	return confined.Serve(in, out, answer)
}

// A job is a chart to render or a kustomization to build.
type job struct {
	Chart  HelmChart
	Values []valuesFile   // what the chart's files of values say
	Given  map[string]any // values in the place of the user's, if not nil
	Tell   bool           // the values are wanted back, with the templates' sources
	Schema bool           // and whether the chart's schema holds for them
	Follow bool           // links that lead out of the chart, or of the tree
	Limit  int64          // bytes of one template's text that are read

	Folder     string
	EnableHelm bool
	Over       map[string][]byte // files in the place of those on the disk, by their real path
	Memory     map[string][]byte // files in the place of a disk
}

// made is what became of a job.
type made struct {
	Templates map[string]string   // what each template of a chart rendered to
	Given     map[string]any      // the user's values
	Inputs    []ValuesInput       // see Chart.Inputs
	Seen      map[string]any      // the values that they saw
	Sources   map[string][]string // see Chart.Templates
	Held      bool                // the chart's schema holds for the values

	Text []byte // what a kustomization builds to

	Sizes map[string]int64 // of texts that are not read; a kustomization's is ""

	Failed  bool
	Problem failure
}

type failure struct {
	File    string
	Line    int
	Text    string
	Library bool // it is a library chart
}

// none stands for null, which gob does not write in a list or a map.
type none struct{}

func init() {
	for _, value := range []any{none{}, map[string]any{}, []any{}, json.Number("")} {
		gob.Register(value)
	}
}

// text is what a template rendered to.
func (m made) text(template, file string) renderedText {
	return renderedText{file, []byte(m.Templates[template]), m.Sizes[template]}
}

// run has a job done.
func run(ctx context.Context, name string, j job, opts Options) (made, *Problem) {
	var question, reply bytes.Buffer
	if j.Given == nil {
		var err error
		if j.Values, err = readValues(j.Chart.Values, opts); err != nil {
			problem := helmProblem(name, err)
			return made{}, &problem
		}
	}
	j.Given = withNone(j.Given)
	if err := gob.NewEncoder(&question).Encode(j); err != nil {
		return made{}, &Problem{File: name, Cause: fmt.Errorf("cannot be rendered: %w", err)}
	}
	text, err := renderer.Ask(ctx, question.Bytes())
	if err != nil {
		return made{}, &Problem{File: name, Cause: fmt.Errorf("is not rendered: %w", err)}
	}
	reply.Write(text)
	var m made
	if err := gob.NewDecoder(&reply).Decode(&m); err != nil {
		return made{}, &Problem{File: name, Cause: fmt.Errorf("cannot be rendered: %w", err)}
	}
	m.eachTable(func(table map[string]any) map[string]any {
		table, _ = withoutNone(table).(map[string]any)
		return table
	})
	if !m.Failed {
		return m, nil
	}
	problem := &Problem{File: m.Problem.File, Line: m.Problem.Line, Cause: errors.New(m.Problem.Text)}
	if m.Problem.Library {
		problem.Cause = fmt.Errorf("the Helm chart does not render: %w", errLibrary)
	}
	return made{}, problem
}

// eachTable changes all values that are told.
func (m *made) eachTable(by func(map[string]any) map[string]any) {
	m.Given, m.Seen = by(m.Given), by(m.Seen)
	for i := range m.Inputs {
		m.Inputs[i].Values = by(m.Inputs[i].Values)
	}
}

func answer(question []byte) []byte {
	var j job
	var m made
	if err := gob.NewDecoder(bytes.NewReader(question)).Decode(&j); err != nil {
		m.Failed, m.Problem = true, failure{Text: err.Error()}
	} else {
		j.Given, _ = withoutNone(j.Given).(map[string]any)
		m = j.do()
	}
	m.eachTable(withNone)
	var reply bytes.Buffer
	if err := gob.NewEncoder(&reply).Encode(m); err != nil {
		reply.Reset()
		_ = gob.NewEncoder(&reply).Encode(made{Failed: true, Problem: failure{Text: err.Error()}}) // nothing in it can fail
	}
	return reply.Bytes()
}

func (j job) do() made {
	var m made
	var err error
	if j.Chart.Path != "" {
		if err = j.render(&m); err != nil {
			problem := helmProblem(display(j.Chart.Path), err)
			return made{Failed: true, Problem: failure{problem.File, problem.Line, problem.Cause.Error(), errors.Is(err, errLibrary)}}
		}
		return m
	}
	within := boundsOf(j.Folder, j.Follow)
	if err = within.say(); err == nil {
		m.Text, err = buildWith(j.files(within), j.Folder, j.EnableHelm)
	}
	if err == nil {
		err = m.bound(j.Limit)
	}
	if err != nil {
		return made{Failed: true, Problem: failure{File: display(j.Folder), Text: kustomizeError(err).Error()}}
	}
	return m
}

func (j job) render(m *made) error {
	if !j.Follow {
		if err := keepsInside(j.Chart.Path); err != nil {
			return err
		}
	}
	loaded, err := loadChart(j.Chart, Options{})
	if err != nil {
		return err
	}
	given := plainValues(j.Given)
	if j.Given == nil {
		if given, err = j.merged(); err != nil {
			return err
		}
	}
	if j.Tell {
		if err := m.tell(j, loaded, given); err != nil {
			return err
		}
	}
	templates, seen, err := renderChart(context.Background(), loaded, j.Chart, given)
	if err != nil {
		return err
	}
	m.Templates, m.Held = templates, j.Schema && bySchema(loaded, seen)
	if j.Tell {
		if m.Seen = plainValues(seen); told(m.Seen) > maxTold {
			return errManyValues
		}
	}
	return m.bound(j.Limit)
}

// tell notes the user's values, and the templates, before anything is rendered with them.
func (m *made) tell(j job, loaded *chart.Chart, given map[string]any) (err error) {
	if told(given) > maxTold {
		return errManyValues
	}
	m.Sources = map[string][]string{}
	noteTemplates(m.Sources, "", loaded)
	m.Given = plainValues(given)
	m.Inputs, err = j.inputs()
	return err
}

// maxRenderedBytes bounds the texts of one chart, which are all kept.
const maxRenderedBytes = 32 << 20

// bound leaves out texts that are too large to be read.
func (m *made) bound(limit int64) error {
	m.Sizes = map[string]int64{}
	total := int64(len(m.Text))
	if total > limit {
		m.Sizes[""], m.Text, total = total, nil, 0
	}
	for name, text := range m.Templates {
		if size := int64(len(text)); size > limit {
			m.Sizes[name], m.Templates[name] = size, ""
		} else {
			total += size
		}
	}
	if total > maxRenderedBytes {
		return fmt.Errorf("it renders to more than %d MiB", maxRenderedBytes>>20)
	}
	return nil
}

func noteTemplates(sources map[string][]string, key string, of *chart.Chart) {
	for _, template := range of.Templates {
		sources[key] = append(sources[key], string(template.Data))
	}
	for _, sub := range of.Dependencies() {
		below := sub.Name()
		if key != "" {
			below = key + "." + below
		}
		noteTemplates(sources, below, sub)
	}
}

func (j job) files(within bounds) filesys.FileSystem {
	if j.Memory != nil {
		memory := filesys.MakeFsInMemory()
		for name, text := range j.Memory {
			_ = memory.WriteFile(name, text) // nothing in memory fails
		}
		return memory
	}
	var files filesys.FileSystem = guarded{filesys.MakeFsOnDisk(), within}
	for name, text := range j.Over {
		files = overlaid{FileSystem: files, file: name, text: text}
	}
	return files
}

// withNone puts none in the place of null, and gives maps and lists of the usual types.
func withNone(values map[string]any) map[string]any {
	if values == nil {
		return nil
	}
	out, _ := replaced(plainValues(values), func(value any) any {
		if value == nil {
			return none{}
		}
		return value
	}).(map[string]any)
	return out
}

func withoutNone(value any) any {
	return replaced(value, func(value any) any {
		if _, is := value.(none); is {
			return nil
		}
		return value
	})
}

func replaced(value any, by func(any) any) any {
	switch value := value.(type) {
	case map[string]any:
		if value == nil {
			return value
		}
		out := make(map[string]any, len(value))
		for key, entry := range value {
			out[key] = replaced(entry, by)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, entry := range value {
			out[i] = replaced(entry, by)
		}
		return out
	}
	return by(value)
}
