package annotate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// quantity is one of the values that are measured, and its annotation.
type quantity struct {
	group    string // of the annotation; the container's name follows the slash
	measured func(engine.Measured) string
	known    func(engine.Detail) int64 // 0 where it is not
}

var quantities = []quantity{
	{
		"cpu-average.headroom.dev",
		func(m engine.Measured) string { return m.CPUAverage },
		func(d engine.Detail) int64 { return d.CPU.Average },
	},
	{
		"cpu-peak.headroom.dev",
		func(m engine.Measured) string { return m.CPUPeak },
		func(d engine.Detail) int64 { return d.CPU.Peak },
	},
	{
		"memory-peak.headroom.dev",
		func(m engine.Measured) string { return m.MemoryPeak },
		func(d engine.Detail) int64 { return d.Memory.Peak },
	},
}

// value is one annotation: to write, or one that is there and stays.
type value struct {
	key, text string
	stays     bool
}

func changed(values []value) []value {
	return slices.DeleteFunc(slices.Clone(values), func(v value) bool { return v.stays })
}

// written counts those that change. A date does not count.
func written(values []value) int {
	return len(slices.DeleteFunc(changed(values), func(v value) bool { return strings.HasPrefix(v.key, datedGroup) }))
}

// judge asks the policies: which measurements count, and what the manifest says already.
type judge struct {
	engine    *engine.Engine
	tolerance float64 // share of the measured value
	now       time.Time
	maxAge    time.Duration // after which lint tells that an annotation was measured long ago
}

func newJudge(ctx context.Context, e *engine.Engine, now time.Time) (judge, error) {
	found, err := e.Value(ctx, "data.headroom.config.settings.tolerance")
	if err != nil {
		return judge{}, err
	}
	tolerance, _ := found.(float64)
	if found, err = e.Value(ctx, "data.headroom.measured.annotation_max_age_ms"); err != nil {
		return judge{}, err
	}
	ms, _ := found.(float64)
	if now.IsZero() {
		now = time.Now()
	}
	return judge{engine: e, tolerance: tolerance, now: now, maxAge: time.Duration(ms) * time.Millisecond}, nil
}

// values are the annotations that a workload should get.
func (r *runner) values(ctx context.Context, item source.Item, w Workload) ([]value, error) {
	measured, err := r.options.Lookup(ctx, w.Resource.Kind, w.Resource.Namespace, w.Resource.Name)
	if err != nil {
		return nil, err
	}
	if len(measured) == 0 {
		r.note(item, w, "nothing was measured of it")
		return nil, nil
	}
	around := &engine.Context{Namespace: w.Resource.Namespace}
	now, err := r.judge.engine.Details(ctx, engine.Review{Manifest: w.Object, Around: around})
	if err != nil {
		return nil, fmt.Errorf("judge %s %s: %w", w.Resource.Kind, w.Resource.Name, err)
	}
	then, err := r.judge.engine.Details(ctx, engine.Review{
		Manifest: w.without(), Around: around, Measured: measured,
	})
	if err != nil {
		return nil, fmt.Errorf("judge %s %s by its use: %w", w.Resource.Kind, w.Resource.Name, err)
	}
	if len(now) != len(then) {
		return nil, fmt.Errorf("judge %s %s by its use: other containers than without", w.Resource.Kind, w.Resource.Name)
	}
	var values []value
	for i := range then {
		m, ok := measured[then[i].Container]
		if !ok {
			continue
		}
		values = append(values, r.container(item, w, m, now[i], then[i])...)
	}
	r.result.Written += written(values)
	return values, nil
}

func (r *runner) container(item source.Item, w Workload, m engine.Measured, now, then engine.Detail) []value {
	var values []value
	var of []string
	doubted := false
	for _, q := range quantities {
		text, key := q.measured(m), q.key(w, then.Container, now)
		count := q.known(then)
		if text != "" && count > 0 {
			of = append(of, strings.TrimSuffix(q.group, ".headroom.dev"))
		}
		switch {
		case text == "":
		case count == 0:
			doubted = true
			if there, ok := w.annotation(key); ok {
				values = append(values, value{key, there, true})
			}
		case r.judge.close(q.known(now), count):
			r.result.Kept++
			if there, ok := w.annotation(key); ok {
				values = append(values, value{key, there, true})
			}
		default:
			values = append(values, value{key, text, false})
		}
	}
	told, words := r.runtime(item, w, m, now, then)
	values = append(values, told...)
	values = append(values, r.dated(w, m, then.Container, values, append(of, words...))...)
	if doubted {
		why := then.Evidence
		if why == "" {
			why = "what was measured does not count"
		}
		r.note(item, w, fmt.Sprintf("container %s not annotated: %s", then.Container, why))
	}
	return values
}

// ofMain are the short forms of annotations, which speak for the main container.
var ofMain = map[string]string{"cpu-average.headroom.dev": "headroom.dev/cpu-average"}

// key is the annotation that declares a quantity of a container: the short form where that is what is known of it now.
// Another one beside it would leave a figure that is out of date.
func (q quantity) key(w Workload, container string, now engine.Detail) string {
	key, short := q.group+"/"+container, ofMain[q.group]
	_, declared := w.annotation(key)
	if _, there := w.annotation(short); there && !declared && q.known(now) > 0 {
		return short
	}
	return key
}

// close says whether a value may stay although a slightly different one was measured.
func (j judge) close(now, measured int64) bool {
	return now > 0 && math.Abs(float64(now-measured)) <= j.tolerance*float64(measured)
}
