package explain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/cfs/drawing"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Timeline is the period layer for a container's own figures.
type Timeline struct {
	drawing.Timeline
	// Missing says why nothing can be drawn; "" where something is.
	Missing string
	Says    []string // what it shows, in words
	Assumed []string // values that no manifest or annotation states, in words
}

const (
	usualThreads = 8 // of the application, where the number is not declared (T3): the policies' cpu.usual_threads
	usualPauseMS = 20
	maxPauseMS   = 3_600_000
)

func (r *runner) timelines(w *Workload) {
	if !r.options.Timeline {
		return
	}
	for i := range w.Containers {
		c := &w.Containers[i]
		then := &runner{engine: r.engine, options: r.changed(&c.Explanation)}
		c.Timeline = r.timeline(w.Resource, &c.Explanation)
		if c.WhatIf != nil && c.WhatIf.Then != nil {
			c.WhatIf.Timeline = then.timeline(w.Resource, c.WhatIf.Then)
		}
	}
}

func (r *runner) timeline(of engine.Resource, e *engine.Explanation) *Timeline {
	t := &Timeline{}
	if e.Skipped != "" {
		t.Missing = "it is not judged: " + e.Skipped
		return t
	}
	period := r.options.Period
	if period <= 0 {
		period = cfs.DefaultPeriod
	}
	t.Title = terminal.Printable(sentences.Title(of) + ", " + e.Container)
	t.Bandwidth = cfs.Bandwidth{Period: period}
	if e.CPU.Limit > 0 {
		t.Bandwidth = cfs.ForLimit(e.CPU.Limit, period)
	}
	loads, missing := r.loads(t, e)
	if missing != "" {
		t.Missing = missing
		return t
	}
	for _, l := range loads {
		t.Processors = max(t.Processors, l.Threads) // they run one after the other
	}
	t.Loads = loads
	var err error
	if t.Result, err = cfs.Run(t.Bandwidth, t.Processors, t.Loads); err != nil {
		t.Missing = err.Error()
		return t
	}
	t.Assumed = append(t.Assumed, fmt.Sprintf("a node with %s free for them", words.Count(t.Processors, "processor")))
	t.Says = t.says()
	return t
}

// loads are the threads of the application, and the collection that begins when they are done.
func (r *runner) loads(t *Timeline, e *engine.Explanation) (loads []cfs.Load, missing string) {
	if e.JVM == nil {
		return r.pool(t, e)
	}
	collectors, missing := collectorThreads(e)
	if missing != "" {
		return nil, missing
	}
	pause := r.pause(t, e)
	application := r.application(t, e)
	if application.Work == 0 {
		return []cfs.Load{{Name: "GC", Threads: collectors, Work: pause}}, ""
	}
	alone, err := cfs.Run(t.Bandwidth, application.Threads, []cfs.Load{application})
	if err != nil {
		return nil, err.Error()
	}
	collection := cfs.Load{
		Name: "GC", Start: alone.Finished[0],
		Threads: collectors, Work: pause,
	}
	return []cfs.Load{application, collection}, ""
}

// collectorThreads are those that collect garbage at once; of the serial collector it is the one that asks
// for memory.
func collectorThreads(e *engine.Explanation) (threads int, missing string) {
	switch e.JVM.Collector.Value {
	case "Serial":
		return 1, ""
	case "Epsilon":
		return 0, "the Epsilon collector collects nothing"
	}
	threads, err := strconv.Atoi(e.JVM.ParallelGCThreads.Value)
	if err != nil || threads < 1 {
		return 0, "how many threads collect garbage is not known"
	}
	if threads > cfs.MaxThreads {
		return 0, fmt.Sprintf("%d threads that collect garbage are more than the %d that are drawn", threads, cfs.MaxThreads)
	}
	return threads, ""
}

// maxThreads bounds what is drawn.
const maxThreads = 100_000

func (r *runner) pause(t *Timeline, e *engine.Explanation) time.Duration {
	pause, err := strconv.ParseFloat(e.JVM.Pause.Value, 64)
	if err != nil || pause <= 0 || pause > maxPauseMS {
		pause = usualPauseMS
	}
	if from := e.JVM.Pause.Source; from == "" || strings.Contains(from, "assumed") {
		t.Assumed = append(t.Assumed, fmt.Sprintf("a pause of %s ms (--gc-pause says another)", words.Plain(pause)))
	}
	return time.Duration(pause * float64(time.Millisecond))
}

// application is what runs before a collection, as the burst counts it; none where no use is known.
func (r *runner) application(t *Timeline, e *engine.Explanation) cfs.Load {
	// More than any node has would not fit into a Duration.
	work := time.Duration(min(e.CPU.Average, cfs.MaxProcessors*1000)) * t.Period / 1000
	if e.Burst != nil {
		work = time.Duration(min(e.Burst.OwnMS, cfs.MaxProcessors*milliseconds(t.Period)) * float64(time.Millisecond))
	}
	if work <= 0 {
		t.Assumed = append(t.Assumed, "that nothing runs beside it")
		return cfs.Load{}
	}
	threads := int(min(r.options.Workers, maxThreads))
	if threads <= 0 {
		threads = usualThreads
		t.Assumed = append(t.Assumed, fmt.Sprintf("%d application threads (--workers says another number)", threads))
	}
	return cfs.Load{Name: "application", Threads: threads, Work: work / time.Duration(threads)}
}

// pool is a pool of workers that are all busy with one request (T12).
func (r *runner) pool(t *Timeline, e *engine.Explanation) (loads []cfs.Load, missing string) {
	threads, each := int(min(r.options.Workers, maxThreads)), 1.0
	if e.Pool != nil {
		threads, each = int(min(e.Pool.Workers, maxThreads)), min(e.Pool.CoresEach, cfs.MaxProcessors)
	}
	if threads <= 0 {
		return nil, "it is no JVM and nothing says how many threads run at once; --workers N draws so many"
	}
	t.Assumed = append(t.Assumed, fmt.Sprintf("that all %s begin at once, each with %s ms of work",
		words.Count(threads, "worker"), words.Plain(each*milliseconds(t.Period))))
	return []cfs.Load{{Name: "workers", Threads: threads, Work: time.Duration(each * float64(t.Period))}}, ""
}

// says is what the drawing means for a request.
func (t *Timeline) says() []string {
	last := len(t.Loads) - 1
	if t.Quota == 0 || t.Result.Frozen == 0 {
		return nil
	}
	l, what := t.Loads[last], "A collection"
	if last == 0 {
		what = "Work"
	}
	return []string{fmt.Sprintf("%s of %s ms takes %s ms, and a request that comes as it begins waits for all of it.",
		what, words.Plain(milliseconds(l.Work)), words.Plain(milliseconds(t.Result.Finished[last]-l.Start)))}
}
