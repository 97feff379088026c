package scenario

import (
	"os"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// maxBytes bounds a file: the longest scenario that makes sense has a hundredth of it.
const maxBytes = 1 << 20

// Stdin is the name under which standard input is read.
const Stdin = "-"

// Bounds and defaults of the pool layer. Fewer seeds than DefaultSeeds say little: single runs differ
// from none to most of the periods.
const (
	DefaultSeeds    = 20
	DefaultDuration = time.Minute
	MaxSeeds        = 1000
	maxDuration     = time.Hour
	maxGrain        = time.Second
)

// Read reads a scenario file. The error joins one yamlfile.Problem for each mistake.
func Read(file string) (*Scenario, error) {
	read := func() ([]byte, error) { return yamlfile.Read(file, maxBytes) }
	if file == Stdin {
		file = "standard input"
		read = func() ([]byte, error) { return yamlfile.ReadFrom(os.Stdin, file, maxBytes) }
	}
	text, err := read()
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse reads the text of a scenario; file only names it.
func Parse(file string, text []byte) (*Scenario, error) {
	root, err := yamlfile.Document(file, "limit, processors and loads", text)
	if err != nil {
		return nil, err
	}
	r := &reader{yamlfile.Reader{File: file}}
	s := r.scenario(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

func (r *reader) scenario(root *yaml.Node) *Scenario {
	f, is := decode[file](r, root, "a scenario")
	if !is || r.otherKind(root, f) {
		return nil
	}
	s := &Scenario{
		File: r.File, Title: one(r, "title", f.Title, text(), ""), Note: one(r, "note", f.Note, text(), ""),
		Processors: values(r, "processors", f.Processors, numbers(1, cfs.MaxProcessors)),
		Limits:     values(r, "limit", f.Limit, limits()),
		Periods:    values(r, "period", f.Period, times(cfs.MinPeriod, cfs.MaxPeriod), cfs.DefaultPeriod),
		Bursts:     values(r, "burst", f.Burst, times(0, cfs.MaxTime), 0),
		Layer:      Period,
	}
	r.need(root, f.Limit, "limit is missing: a CPU limit as 2 or 500m, or none")
	if f.Busy.Node != nil {
		s.Layer = Pool
	}
	if s.Layer = one(r, "layer", f.Layer, layers(), s.Layer); s.Layer == Pool {
		r.pool(root, f, s)
	} else {
		r.period(root, f, s)
	}
	return s
}

// otherKind checks the keys that say what a file is. Of what is something else nothing more is told.
func (r *reader) otherKind(root *yaml.Node, f file) bool {
	before := r.Problems
	r.Problems = nil
	r.need(root, f.APIVersion, "apiVersion is missing: a scenario has apiVersion: %s", APIVersion)
	r.need(root, f.Kind, "kind is missing: a scenario has kind: %s", Kind)
	one(r, "apiVersion", f.APIVersion, exactly(APIVersion), "")
	one(r, "kind", f.Kind, exactly(Kind), "")
	if len(r.Problems) > 0 {
		return true
	}
	r.Problems = before
	return false
}

func (r *reader) period(root *yaml.Node, f file, s *Scenario) {
	if f.Busy.Node != nil {
		r.Fail(f.Busy.Node, "busy belongs to the pool layer; the period layer has loads")
	}
	r.need(root, f.Processors, "processors is missing: how many CPUs the node has")
	r.need(root, f.Loads, "loads is missing: what runs, as in loads: [{name: collection, threads: 8, work: 20ms}]")
	if f.Loads.Node == nil {
		return
	}
	if n := len(f.Loads.Content); f.Loads.Kind != yaml.SequenceNode || n == 0 || n > MaxValues {
		r.Fail(f.Loads.Node, "loads should be a list of 1 to %d loads", MaxValues)
		return
	}
	instances := 0
	lines := map[string]int{}
	for _, node := range f.Loads.Content {
		l := r.load(target(node))
		if first := lines[l.Name]; first > 0 && l.Name != "" {
			r.Fail(node, "load %s has its name from the load of line %d; results are told by name", short(l.Name), first)
		}
		lines[l.Name] = node.Line
		if instances += l.Times; instances > cfs.MaxLoads {
			r.Fail(node, "the loads come more than %d times together", cfs.MaxLoads)
			return
		}
		s.Loads = append(s.Loads, l)
	}
}

func (r *reader) load(node *yaml.Node) Load {
	f, is := decode[load](r, node, "a load")
	l := Load{
		Name: one(r, "name", f.Name, text(), ""), Start: one(r, "start", f.Start, times(0, cfs.MaxTime), 0),
		Threads: values(r, "threads", f.Threads, numbers(0, cfs.MaxThreads), 1),
		Work:    values(r, "work", f.Work, times(0, cfs.MaxTime)), Total: values(r, "total", f.Total, times(0, cfs.MaxTime)),
		Every: one(r, "every", f.Every, times(time.Microsecond, cfs.MaxTime), 0),
		Times: one(r, "times", f.Times, numbers(1, cfs.MaxLoads), 1),
	}
	if !is {
		return l
	}
	if l.Name == "" {
		r.Fail(node, "name is missing: what the load is called in results")
	}
	if (f.Work.Node == nil) == (f.Total.Node == nil) {
		r.Fail(node, "a load has work, the CPU time of each thread, or total, the CPU time of all its threads")
	}
	if (f.Every.Node == nil) != (f.Times.Node == nil) {
		r.Fail(node, "every and times go together: after how long a load comes again, and how often it comes")
	}
	if l.Every > 0 && l.Start+l.Every*time.Duration(l.Times-1) > cfs.MaxTime {
		r.Fail(node, "the load comes for longer than %s", cfs.MaxTime)
	}
	for _, n := range []int{len(l.Threads), len(l.Work), len(l.Total)} {
		if n > 1 && n != l.variants() {
			r.Fail(node, "the lists of a load go together, value by value: they need to be of one length")
		}
	}
	return l
}

func (r *reader) pool(root *yaml.Node, f file, s *Scenario) {
	if f.Loads.Node != nil {
		r.Fail(f.Loads.Node, "loads belong to the period layer; the pool layer has busy threads, which never sleep")
	}
	if f.Busy.Node == nil {
		r.Fail(root, "busy is missing: what the pool layer runs, as in busy: {threads: 3, duration: 60s}")
		return
	}
	b, is := decode[busy](r, f.Busy.Node, "busy")
	if !is {
		return
	}
	grain := times(time.Microsecond, maxGrain)
	s.Busy = Busy{
		Threads:  values(r, "threads", b.Threads, numbers(1, cfs.MaxBusy)),
		Duration: one(r, "duration", b.Duration, times(cfs.MinPeriod, maxDuration), DefaultDuration),
		Seeds:    one(r, "seeds", b.Seeds, numbers(1, MaxSeeds), DefaultSeeds),
		Slice:    values(r, "slice", b.Slice, grain, cfs.DefaultSlice),
		Tick:     values(r, "tick", b.Tick, grain, cfs.DefaultTick),
		Jitter:   values(r, "jitter", b.Jitter, times(0, maxGrain), cfs.DefaultJitter),
		Aligned:  values(r, "aligned", b.Aligned, booleans(), false),
		Rewrite:  values(r, "rewrite", b.Rewrite, rewrites(), 0),
		Remedies: values(r, "remedy", b.Remedy, remedies(), cfs.None),
	}
	r.need(f.Busy.Node, b.Threads, "threads is missing: how many threads are busy, each on a processor of its own")
	if slices.Contains(s.Limits, 0) {
		r.Fail(f.Limit.Node, "limit is none, and the pool layer is about a limit")
	}
	r.enoughProcessors(f.Processors, s)
}

// enoughProcessors lets each busy thread have a processor; where none are given, there are as many.
func (r *reader) enoughProcessors(f field, s *Scenario) {
	most := 1
	for _, n := range s.Busy.Threads {
		most = max(most, n)
	}
	if f.Node == nil {
		s.Processors = []int{most}
		return
	}
	for _, n := range s.Processors {
		if n < most {
			r.Fail(f.Node, "%d processors are too few for %d busy threads, which need one each", n, most)
		}
	}
	if len(s.Processors) > 1 {
		r.Fail(f.Node, "processors are not swept in the pool layer: those without a busy thread take no part")
	}
}
