package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// maxBytes bounds a file: the longest scenario that makes sense has a hundredth of it.
const maxBytes = 1 << 20

// Stdin is the name under which standard input is read.
const Stdin = "-"

// Read reads a scenario file. The error joins one Problem for each mistake.
func Read(file string) (*Scenario, error) {
	source, name := io.ReadCloser(os.Stdin), "standard input"
	if file != Stdin {
		opened, err := os.Open(file)
		if err != nil {
			return nil, unreadable(file, err)
		}
		source, name = opened, file
	}
	defer func() { _ = source.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(source, maxBytes+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if len(text) > maxBytes {
		return nil, Problem{File: name, Message: fmt.Sprintf("has more than %d bytes", maxBytes)}
	}
	return Parse(name, text)
}

func unreadable(file string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return Problem{File: file, Message: "cannot be read: " + err.Error()}
}

// Parse reads the text of a scenario; file only names it.
func Parse(file string, text []byte) (*Scenario, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, Problem{File: file, Line: 1, Message: "is empty; a scenario has at least limit, processors and loads"}
	case err != nil:
		return nil, syntax(file, err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, Problem{File: file, Line: second.Line, Message: "a scenario is one document, and this is a second"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntax(file, err)
	}
	r := reader{file: file}
	s := r.scenario(document.Content[0])
	if len(r.problems) > 0 {
		return nil, r.inOrder()
	}
	return s, nil
}

// syntax takes the line out of the YAML library's message.
func syntax(file string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	problem := Problem{File: file, Line: 1}
	if _, rest, found := strings.Cut(text, "line "); found {
		if digits, message, found := strings.Cut(rest, ": "); found {
			if line, err := strconv.Atoi(digits); err == nil {
				problem.Line, text = line, message
			}
		}
	}
	problem.Message = "is not valid YAML: " + text
	return problem
}

func (r *reader) scenario(root *yaml.Node) *Scenario {
	if !r.isScenario(root) {
		return nil
	}
	fields := r.fields(root, "a scenario", Keys()...)
	s := &Scenario{
		File: r.file, Title: r.text(fields["title"], "title"), Note: r.text(fields["note"], "note"),
		Processors: r.integers(fields["processors"], "processors", 1, cfs.MaxProcessors),
		Limits:     r.limits(fields["limit"]),
		Periods:    r.durations(fields["period"], "period", cfs.MinPeriod, cfs.MaxPeriod),
		Bursts:     r.durations(fields["burst"], "burst", 0, cfs.MaxTime),
	}
	if fields["burst"] == nil {
		s.Bursts = []time.Duration{0}
	}
	if fields["period"] == nil {
		s.Periods = []time.Duration{cfs.DefaultPeriod}
	}
	if fields["limit"] == nil {
		r.fail(root, "limit is missing: a CPU limit as 2 or 500m, or none")
	}
	layer := string(Period)
	if given := fields["layer"]; given != nil {
		layer = r.text(given, "layer")
	} else if fields["busy"] != nil {
		layer = string(Pool)
	}
	switch s.Layer = Layer(layer); s.Layer {
	case Period:
		r.period(root, fields, s)
	case Pool:
		r.pool(root, fields, s)
	default:
		r.fail(fields["layer"], "layer is %q, and should be period or pool", short(layer))
	}
	return s
}

// isScenario checks the keys that say what a file is. What is something else is not read further.
func (r *reader) isScenario(root *yaml.Node) bool {
	found := map[string]*yaml.Node{}
	if root.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(root.Content); i += 2 {
			found[root.Content[i].Value] = target(root.Content[i+1])
		}
	}
	for _, wanted := range []struct{ key, value string }{{"apiVersion", APIVersion}, {"kind", Kind}} {
		switch node := found[wanted.key]; {
		case node == nil:
			r.fail(root, "%s is missing: a scenario has %s: %s", wanted.key, wanted.key, wanted.value)
		case node.Value != wanted.value:
			r.fail(node, "%s is %q, and a scenario has %s", wanted.key, short(node.Value), wanted.value)
		}
	}
	return len(r.problems) == 0
}

func (r *reader) period(root *yaml.Node, fields map[string]*yaml.Node, s *Scenario) {
	if busy := fields["busy"]; busy != nil {
		r.fail(busy, "busy belongs to the pool layer; the period layer has loads")
	}
	if fields["processors"] == nil {
		r.fail(root, "processors is missing: how many CPUs the node has")
	}
	loads := fields["loads"]
	if loads == nil {
		r.fail(root, "loads is missing: what runs, as in loads: [{name: collection, threads: 8, work: 20ms}]")
		return
	}
	if loads.Kind != yaml.SequenceNode || len(loads.Content) == 0 || len(loads.Content) > MaxValues {
		r.fail(loads, "loads should be a list of 1 to %d loads", MaxValues)
		return
	}
	instances := 0
	lines := map[string]int{}
	for _, node := range loads.Content {
		load := r.load(target(node))
		if first := lines[load.Name]; first > 0 && load.Name != "" {
			r.fail(node, "load %s has its name from the load of line %d; results are told by name", short(load.Name), first)
		}
		lines[load.Name] = node.Line
		if instances += load.Times; instances > cfs.MaxLoads {
			r.fail(node, "the loads come more than %d times together", cfs.MaxLoads)
			return
		}
		s.Loads = append(s.Loads, load)
	}
}

func (r *reader) load(node *yaml.Node) Load {
	fields := r.fields(node, "a load", LoadKeys()...)
	l := Load{
		Name: r.text(fields["name"], "name"), Line: node.Line,
		Start:   r.duration(fields["start"], "start", 0, cfs.MaxTime, 0),
		Threads: r.integers(fields["threads"], "threads", 0, cfs.MaxThreads),
		Work:    r.durations(fields["work"], "work", 0, cfs.MaxTime),
		Total:   r.durations(fields["total"], "total", 0, cfs.MaxTime),
		Every:   r.duration(fields["every"], "every", time.Microsecond, cfs.MaxTime, 0),
		Times:   r.integer(fields["times"], "times", 1, cfs.MaxLoads, 1),
	}
	if l.Name == "" {
		r.fail(node, "name is missing: what the load is called in results")
	}
	if fields["threads"] == nil {
		l.Threads = []int{1}
	}
	if (fields["work"] == nil) == (fields["total"] == nil) {
		r.fail(node, "a load has work, the CPU time of each thread, or total, the CPU time of all its threads")
	}
	if (fields["every"] == nil) != (fields["times"] == nil) {
		r.fail(node, "every and times go together: after how long a load comes again, and how often it comes")
	}
	if l.Every > 0 && l.Start+l.Every*time.Duration(l.Times-1) > cfs.MaxTime {
		r.fail(node, "the load comes for longer than %s", cfs.MaxTime)
	}
	for _, n := range []int{len(l.Threads), len(l.Work), len(l.Total)} {
		if n > 1 && n != l.variants() {
			r.fail(node, "the lists of a load go together, value by value: they need to be of one length")
		}
	}
	return l
}
