package measure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

// piece is the time over which collections are added up. A few at a start, in less time than that, are no trouble.
const piece = 10 * time.Minute

// leastShare stands for a collector that was told of and took no time: 0 is not known.
const leastShare = 0.001

// current are the meanings that are taken as they are now. The least of the heap tells two JVMs in a container apart.
var current = map[string]bool{"heap_max": true, "heap_used": true, "memory_limit": true, "processors": true}

// joins finds the labels by which this Prometheus names the containers of runtimes.
func (p *prometheus) joins(ctx context.Context, known *inventory, from, now time.Time) []join {
	var anchors []string
	for _, e := range p.exporters {
		if name := e.Metrics[e.Anchor].Metric; known.has(name) {
			anchors = append(anchors, name)
		}
	}
	if len(anchors) == 0 {
		return nil
	}
	found := []join{own}
	for _, j := range passedOn {
		selector := fmt.Sprintf("{__name__=~%s,%s!=\"\"%s}", quoted(strings.Join(anchors, "|")), j.pod, p.matchers)
		if pods, _ := p.labelValues(ctx, j.pod, selector, from, now); len(pods) > 0 {
			found = append(found, j)
		}
	}
	if known.has(metricPodInfo) && known.has(metricCreated) {
		selector := fmt.Sprintf("{__name__=~%s,%s%s}", quoted(strings.Join(anchors, "|")), unnamed, p.matchers)
		if addresses, _ := p.labelValues(ctx, "instance", selector, from, now); len(addresses) > 0 {
			found = append(found, byAddress)
		}
	}
	return found
}

// answer is what an exporter told of a container, in the unit that is wanted.
func (e *exporter) answer(answers map[string]values, what string, of series) (amount float64, told bool) {
	for name, m := range e.names(plain.ReplaceAllString(what, ""), what) {
		if amount, told = answers[name][of]; told {
			return amount * cmp.Or(m.Times, 1), true
		}
	}
	return 0, false
}

// plain takes what is asked of a meaning from its name.
var plain = regexp.MustCompile("(" + smallest + "|" + rise + "|" + grown + ")$")

// answerOf names the answer that an exporter gives to a question.
func answerOf(e *exporter, what string) string { return "runtime " + e.Exporter + " " + what }

// askWho asks which containers an exporter tells of.
func (s *stage) askWho(ctx context.Context) {
	for i := range s.exporters {
		e := &s.exporters[i]
		s.askOf(ctx, e, e.Anchor)
		s.askOf(ctx, e, least)
		if !current[e.Anchor] {
			s.askOf(ctx, e, running)
		}
		if m := e.Metrics[e.Anchor]; slices.Contains(s.known.joins, byAddress) {
			s.everyone(ctx, map[string]query{answerOf(e, shared): s.shared(m)})
		}
	}
}

// least is the question for the smallest heap: it differs from the largest where two JVMs run in one container.
const (
	least    = "heap_max" + smallest
	smallest = " least"
)

// grown is the end of the question by how much a counter has grown.
const grown = " grown"

// running is the question of whom it tells now, where the anchor is a value of the whole window: Pods that have ended may
// have had another bound.
const running = "running"

// stepsOf is the question at how many steps there was a sample.
const stepsOf = "steps"

// askRuntimes asks for the rest of what is told in this namespace.
func (s *stage) askRuntimes(ctx context.Context, answers map[string]values) {
	for i := range s.exporters {
		e := &s.exporters[i]
		if len(e.of(answers)) == 0 {
			continue
		}
		for what := range e.Metrics {
			if what != e.Anchor && what != "gc_count" {
				s.askOf(ctx, e, what)
			}
		}
		s.askOf(ctx, e, stepsOf)
		s.askOf(ctx, e, "gc_seconds"+grown)
		s.askBesideHeap(ctx, e)
		s.askRises(ctx, e)
	}
}

// askOf asks one question by each of the labels.
func (s *stage) askOf(ctx context.Context, e *exporter, what string) {
	of := what
	switch what {
	case least:
		of = "heap_max"
	case "gc_seconds" + grown:
		if e.Metrics["gc_count"].Metric == "" {
			return
		}
		s.askOf(ctx, e, "gc_count")
		of = "gc_seconds"
	case stepsOf, running:
		of = e.Anchor
	}
	if _, ok := e.Metrics[of]; !ok {
		return
	}
	for answer, m := range e.names(of, what) {
		for _, j := range s.known.joins {
			s.everyone(ctx, map[string]query{answer: s.runtime(m, j, what)})
		}
	}
}

// runtime is one question about what runtimes measure.
func (s selectors) runtime(m meaning, j join, what string) query {
	q := query{metric: m.Metric, tells: "what runtimes measure of themselves", fold: math.Max, reads: samples}
	series := s.runtimeSeries(m, j)
	by := "max by (" + j.labels() + ") "
	named := func(expression string, length time.Duration) string { return s.named(j, expression, what, length) }
	whole := func(expression string, length time.Duration) string {
		return named(by+"("+m.sum(expression)+")", length)
	}
	switch {
	case what == least:
		by = "min by (" + j.labels() + ") "
		q.fold, q.reads = math.Min, instant
		q.expression = func(length time.Duration) string { return whole(series+" > 0", length) }
	case what == running:
		q.reads = instant
		q.expression = func(length time.Duration) string { return named(by+"("+series+")", length) }
	case what == stepsOf:
		q.fold, q.reads = add, grid
		q.expression = func(length time.Duration) string {
			return named(s.grid("count_over_time", by+"("+series+")", j.within(length)), length)
		}
	case what == "gc_count" || what == "gc_seconds"+grown:
		q.fold = add
		q.expression = func(length time.Duration) string {
			return whole(fmt.Sprintf("increase(%s[%s])", series, Words(j.within(length))), length)
		}
	case what == "gc_seconds":
		q.reads = grid
		q.expression = func(length time.Duration) string {
			rate := fmt.Sprintf("rate(%s[%s])", series, Words(piece))
			return named(s.grid("max_over_time", by+"("+m.sum(rate)+")", j.within(length)), length)
		}
	case what == "floor":
		q.reads = grid
		q.expression = func(length time.Duration) string {
			return named(by+"("+m.floor(series, j.within(length))+")", length)
		}
	case m.Label != "":
		q.reads = instant
		q.expression = func(length time.Duration) string {
			told := fmt.Sprintf("max by (%s, %s) (%s)", j.labels(), m.Label, series)
			return named(fmt.Sprintf(`label_replace(%s, "uid", "$1", %q, "(.*)")`, told, m.Label), length)
		}
	case current[what]:
		q.reads = instant
		q.expression = func(length time.Duration) string { return whole(series+" > 0", length) }
	default:
		q.expression = func(length time.Duration) string {
			return whole(fmt.Sprintf("max_over_time(%s[%s])", series, Words(j.within(length))), length)
		}
	}
	return q
}

// sum adds up the series of one program: those that differ by other labels are of several, or told twice.
func (m meaning) sum(expression string) string {
	if len(m.Over) == 0 {
		return expression
	}
	return fmt.Sprintf("sum without (%s) (%s)", strings.Join(m.Over, ", "), expression)
}

// floor is the most that there was at the lowest of an hour. An hour in which the program started is left out: it has
// collected nothing yet.
func (m meaning) floor(series string, length time.Duration) string {
	const hour = "1h"
	lowest := m.sum(fmt.Sprintf("min_over_time(%s[%s]) and (%s offset %s)", series, hour, series, hour))
	return fmt.Sprintf("max_over_time((%s)[%s:%s])", lowest, Words(length), hour)
}

// runtimesOf reads what the exporters told of each container.
func runtimesOf(exporters []exporter, answers map[string]values) map[series]engine.Runtime {
	found := map[series]engine.Runtime{}
	places := containersOf(answers)
	for i := range exporters {
		e := &exporters[i]
		for of := range e.of(answers) {
			told := e.told(answers, of)
			for _, at := range places.of(of) {
				r := told
				if several := len(places[of.pod]); several > 1 && at.container != of.container {
					r = told.Without(fmt.Sprintf("its series have no container label, and the Pod has %d containers", several))
				}
				if before, ok := found[at]; ok {
					r = besides(before, r)
				}
				found[at] = r
			}
		}
		for of := range answers[answerOf(e, shared)] {
			for _, at := range places[of.pod] {
				if r := found[at]; !r.Known() {
					r.Exporter = e.Exporter
					found[at] = r.Without("its series name no Pod, and its address is one of several Pods")
				}
			}
		}
	}
	whose(found, answers["memory max"])
	for of, r := range found {
		r.Pods = alone(&r, answers["memory max"][of])
		found[of] = r
	}
	return found
}

// of are the containers that an exporter tells of now.
func (e *exporter) of(answers map[string]values) values {
	if current[e.Anchor] {
		return answers[answerOf(e, e.Anchor)]
	}
	return answers[answerOf(e, running)]
}

// told is what one exporter told of one container.
func (e *exporter) told(answers map[string]values, of series) engine.Runtime {
	value := func(what string) float64 {
		v, _ := e.answer(answers, what, of)
		if v < 0 || v > maxBytes {
			return 0
		}
		return v
	}
	r := engine.Runtime{
		Exporter: e.Exporter, Kind: e.Runtime, Version: e.version(answers, of),
		HeapMax: value("heap_max"), Live: value("live"), Floor: value("floor"), MemoryLimit: value("memory_limit"),
		Metaspace: value("metaspace"), CodeCache: value("code_cache"), Direct: value("direct"), Threads: math.Round(value("threads")),
		Classes: math.Round(value("classes")), Processors: math.Round(value("processors")),
		ClassSpace: value("class_space"), BesideHeap: value(besideHeap), Samples: int(value(stepsOf)),
	}
	share, told := e.answer(answers, "gc_seconds", of)
	if told {
		r.GCShare = math.Min(1, math.Max(leastShare, share))
	}
	if count := value("gc_count"); count >= 1 {
		r.GCPause = pauseOf(value("gc_seconds"+grown) / count)
	}
	r.Rises = engine.Rises{
		Live: value("live" + rise), Floor: value("floor" + rise), Metaspace: value("metaspace" + rise),
		Direct: value("direct" + rise), Threads: value("threads" + rise),
	}
	if why := doubtful(&r, value(least), value("heap_used"), share); why != "" {
		return r.Without(why)
	}
	return r
}

// pauseOf is the length of a collection in milliseconds: in whole ones, under 10 ms in hundredths. The least, a
// hundredth, stands for one that was told of and took no time: 0 is not known.
func pauseOf(seconds float64) float64 {
	const milliseconds, short, parts = 1000, 10, 100
	ms := milliseconds * seconds
	if ms >= short {
		return math.Round(ms)
	}
	return math.Max(1, math.Round(parts*ms)) / parts
}

// version is the release of a runtime that tells it by a label; "" where several run in the container.
func (e *exporter) version(answers map[string]values, of series) string {
	found := ""
	for told := range answers[answerOf(e, "version")] {
		switch {
		case told.pod != of.pod || told.container != of.container:
		case found != "" && found != told.uid:
			return ""
		default:
			found = told.uid
		}
	}
	return found
}

// besides is what two exporters told of one container: where they agree on the runtime and its heap, the second fills
// what the first left open. A JVM is what a container is for, whatever runs beside it.
func besides(a, b engine.Runtime) engine.Runtime {
	switch {
	case a.Doubt != "":
		return b
	case b.Doubt != "":
		return a
	case a.HeapMax > 0 && b.HeapMax > 0 && math.Abs(a.HeapMax-b.HeapMax) > 0.1*a.HeapMax:
		return a.Without(a.Exporter + " and " + b.Exporter + " tell of different heaps")
	case a.Kind == b.Kind:
	case a.Kind == "jvm":
		return a
	case b.Kind == "jvm":
		return b
	default:
		return a.Without(a.Exporter + " and " + b.Exporter + " tell of different runtimes")
	}
	more := together(b, a)
	others := more.Amounts()
	for i, amount := range a.Amounts() {
		*amount = cmp.Or(*amount, *others[i])
	}
	a.Version = cmp.Or(a.Version, b.Version)
	return a
}

// together is what the Pods of a workload told: the most of each.
func together(a, b engine.Runtime) engine.Runtime {
	switch {
	case !a.Known():
		return b
	case a.Doubt != "":
		return a
	case b.Doubt != "":
		return b
	case a.Kind != b.Kind:
		return a.Without("its Pods tell of different runtimes")
	}
	takeFirst(&a, &b)
	others := b.Amounts()
	for i, amount := range a.Amounts() {
		*amount = math.Max(*amount, *others[i])
	}
	if a.Version != b.Version {
		a.Version = "" // it is being rolled out
	}
	return a
}

// containers are those that the Pods have, as cAdvisor tells.
type containers map[string][]series

func containersOf(answers map[string]values) containers {
	found := containers{}
	for of := range merged(answers["cpu count"], answers["memory max"]) {
		found[of.pod] = append(found[of.pod], of)
	}
	return found
}

// of is the container that a series names, or all of its Pod where it names none.
func (c containers) of(named series) []series {
	if named.container != "" {
		return []series{named}
	}
	return c[named.pod]
}
