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

// The keys of a file, of a load and of busy.
var (
	Keys = []string{
		"apiVersion", "kind", "title", "note", "layer", "processors", "limit", "period", "burst", "loads", "busy",
	}
	LoadKeys = []string{"name", "start", "threads", "work", "total", "every", "times"}
	BusyKeys = []string{"threads", "duration", "seeds", "slice", "tick", "jitter", "aligned", "rewrite", "remedy"}
)

// fields are values of an object, or lists of values, by their keys.
type fields map[string]*yaml.Node

// reader collects what is wrong, so that a file is corrected in one go.
type reader struct{ yamlfile.Reader }

// need reports a field that is missing from an object.
func (r *reader) need(object *yaml.Node, f fields, key, format string, arguments ...any) {
	if f[key] == nil {
		r.Fail(object, key+" is missing: "+format, arguments...)
	}
}

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
	f, is := r.Fields(root, "a scenario", Keys)
	if !is || r.otherKind(root, f) {
		return nil
	}
	s := &Scenario{
		File: r.File, Title: one(r, f, "title", text(), ""), Note: one(r, f, "note", text(), ""),
		Processors: values(r, f, "processors", numbers(1, cfs.MaxProcessors)),
		Limits:     values(r, f, "limit", limits()),
		Periods:    values(r, f, "period", times(cfs.MinPeriod, cfs.MaxPeriod), cfs.DefaultPeriod),
		Bursts:     values(r, f, "burst", times(0, cfs.MaxTime), 0),
		Layer:      Period,
	}
	r.need(root, f, "limit", "a CPU limit as 2 or 500m, or none")
	if f["busy"] != nil {
		s.Layer = Pool
	}
	if s.Layer = one(r, f, "layer", layers(), s.Layer); s.Layer == Pool {
		r.pool(root, f, s)
	} else {
		r.period(root, f, s)
	}
	return s
}

// otherKind checks the keys that say what a file is. Of what is something else nothing more is told.
func (r *reader) otherKind(root *yaml.Node, f fields) bool {
	before := r.Problems
	r.Problems = nil
	r.need(root, f, "apiVersion", "a scenario has apiVersion: %s", APIVersion)
	r.need(root, f, "kind", "a scenario has kind: %s", Kind)
	one(r, f, "apiVersion", exactly(APIVersion), "")
	one(r, f, "kind", exactly(Kind), "")
	if len(r.Problems) > 0 {
		return true
	}
	r.Problems = before
	return false
}

func (r *reader) period(root *yaml.Node, f fields, s *Scenario) {
	if f["busy"] != nil {
		r.Fail(f["busy"], "busy belongs to the pool layer; the period layer has loads")
	}
	r.need(root, f, "processors", "how many CPUs the node has")
	r.need(root, f, "loads", "what runs, as in loads: [{name: collection, threads: 8, work: 20ms}]")
	if f["loads"] == nil {
		return
	}
	if n := len(f["loads"].Content); f["loads"].Kind != yaml.SequenceNode || n == 0 || n > MaxValues {
		r.Fail(f["loads"], "loads should be a list of 1 to %d loads", MaxValues)
		return
	}
	instances := 0
	lines := map[string]int{}
	for _, node := range f["loads"].Content {
		l := r.load(yamlfile.Target(node))
		if first := lines[l.Name]; first > 0 && l.Name != "" {
			r.Fail(node, "load %s has its name from the load of line %d; results are told by name", yamlfile.Short(l.Name), first)
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
	f, is := r.Fields(node, "a load", LoadKeys)
	l := Load{
		Name: one(r, f, "name", text(), ""), Start: one(r, f, "start", times(0, cfs.MaxTime), 0),
		Threads: values(r, f, "threads", numbers(0, cfs.MaxThreads), 1),
		Work:    values(r, f, "work", times(0, cfs.MaxTime)), Total: values(r, f, "total", times(0, cfs.MaxTime)),
		Every: one(r, f, "every", times(time.Microsecond, cfs.MaxTime), 0),
		Times: one(r, f, "times", numbers(1, cfs.MaxLoads), 1),
	}
	if !is {
		return l
	}
	if l.Name == "" {
		r.Fail(node, "name is missing: what the load is called in results")
	}
	if (f["work"] == nil) == (f["total"] == nil) {
		r.Fail(node, "a load has work, the CPU time of each thread, or total, the CPU time of all its threads")
	}
	if (f["every"] == nil) != (f["times"] == nil) {
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

func (r *reader) pool(root *yaml.Node, f fields, s *Scenario) {
	if f["loads"] != nil {
		r.Fail(f["loads"], "loads belong to the period layer; the pool layer has busy threads, which never sleep")
	}
	if f["busy"] == nil {
		r.Fail(root, "busy is missing: what the pool layer runs, as in busy: {threads: 3, duration: 60s}")
		return
	}
	b, is := r.Fields(f["busy"], "busy", BusyKeys)
	if !is {
		return
	}
	grain := times(time.Microsecond, maxGrain)
	s.Busy = Busy{
		Threads:  values(r, b, "threads", numbers(1, cfs.MaxBusy)),
		Duration: one(r, b, "duration", times(cfs.MinPeriod, maxDuration), DefaultDuration),
		Seeds:    one(r, b, "seeds", numbers(1, MaxSeeds), DefaultSeeds),
		Slice:    values(r, b, "slice", grain, cfs.DefaultSlice),
		Tick:     values(r, b, "tick", grain, cfs.DefaultTick),
		Jitter:   values(r, b, "jitter", times(0, maxGrain), cfs.DefaultJitter),
		Aligned:  values(r, b, "aligned", booleans(), false),
		Rewrite:  values(r, b, "rewrite", rewrites(), 0),
		Remedies: values(r, b, "remedy", remedies(), cfs.None),
	}
	r.need(f["busy"], b, "threads", "how many threads are busy, each on a processor of its own")
	if slices.Contains(s.Limits, 0) {
		r.Fail(f["limit"], "the pool layer needs a CPU limit; none has no quota to hand out")
	}
	r.enoughProcessors(f["processors"], s)
}

// enoughProcessors lets each busy thread have a processor; where none are given, there are as many.
func (r *reader) enoughProcessors(given *yaml.Node, s *Scenario) {
	most := 1
	for _, n := range s.Busy.Threads {
		most = max(most, n)
	}
	if given == nil {
		s.Processors = []int{most}
		return
	}
	for _, n := range s.Processors {
		if n < most {
			r.Fail(given, "%d processors are too few for %d busy threads, which need one each", n, most)
		}
	}
	if len(s.Processors) > 1 {
		r.Fail(given, "processors are not swept in the pool layer: those without a busy thread take no part")
	}
}
