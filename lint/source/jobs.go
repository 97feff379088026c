package source

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/headroom-dev/headroom/internal/confined"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Charts and kustomizations are programs that strangers wrote. Helm and kustomize run in a process of its own, with
// bounds of memory and time and without the variables of this one.

// renderer is where they run: in this process until Confine is called.
var renderer = &confined.Worker{Do: answer}

// RenderCommand is the argument with which the program serves renderings.
const RenderCommand = "render-confined"

// Confine makes the program render in a process of its own, which is this program with RenderCommand.
func Confine() { ConfineTo(nil, RenderCommand) }

// ConfineTo has another program render, with these arguments.
func ConfineTo(program func() (string, error), arguments ...string) {
	renderer.Program, renderer.Arguments = program, arguments
}

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
	var text []byte
	if err := timed(ctx, func(ctx context.Context) (err error) {
		text, err = renderer.Ask(ctx, question.Bytes())
		return err
	}); err != nil {
		return made{}, &Problem{File: name, Cause: err}
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

// withNone puts none in the place of null, and gives maps and lists of the usual types.
func withNone(values map[string]any) map[string]any {
	if values == nil {
		return nil
	}
	out, _ := engine.Mapped(plainValues(values), func(value any) any {
		if value == nil {
			return none{}
		}
		return value
	}).(map[string]any)
	return out
}

func withoutNone(value any) any {
	return engine.Mapped(value, func(value any) any {
		if _, is := value.(none); is {
			return nil
		}
		return value
	})
}

// What the user's values say is merged where charts are rendered, in the confined process: a few bytes of a --set or
// of an alias may stand for gigabytes. This process reads the bytes of the files, and no more.
