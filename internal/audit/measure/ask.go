package measure

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// parallel is how many queries run at once: a tenth of what Prometheus runs at most by default.
const parallel = 2

// pause is for how long a Prometheus that cannot be reached, or does not let us in, is left alone.
// An audit of 200 namespaces has waited once, and a watch tries again.
const pause = time.Minute

// asker asks one Prometheus, a few queries at a time.
type asker struct {
	api     v1.API
	shown   string // the address, for messages
	timeout time.Duration
	slots   chan struct{}

	mutex sync.Mutex
	down  *failure // why nothing is asked until retry
	retry time.Time
}

func newAsker(api v1.API, shown string, timeout time.Duration) *asker {
	return &asker{api: api, shown: shown, timeout: timeout, slots: make(chan struct{}, parallel)}
}

// patience is how often a request is repeated after "too many requests" (429). breath is the first
// pause; each further one is twice as long.
const (
	patience = 3
	breath   = time.Second
)

// do runs one request, again where the server is busy.
func (a *asker) do(ctx context.Context, request func(context.Context) (v1.Warnings, error)) *failure {
	for wait, tries := breath, 0; ; wait, tries = 2*wait, tries+1 {
		failed := a.once(ctx, request)
		if failed == nil || failed.kind != busy {
			return failed
		}
		if tries == patience {
			failed.kind = unreachable
			return a.leave(failed)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// once runs the request when there is room for it, and bounds its time.
func (a *asker) once(ctx context.Context, request func(context.Context) (v1.Warnings, error)) *failure {
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-ctx.Done():
		return &failure{kind: otherwise, text: "the audit ended", cause: ctx.Err()}
	}
	if down := a.isDown(); down != nil {
		return down
	}
	bounded, cancel := context.WithTimeout(ctx, a.timeout+grace)
	defer cancel()
	warnings, err := request(bounded)
	if err == nil {
		return partial(warnings)
	}
	if ctx.Err() != nil {
		return &failure{kind: otherwise, text: "the audit ended", cause: ctx.Err()}
	}
	failed := a.explain(err)
	if failed.kind == unreachable {
		return a.leave(failed)
	}
	return failed
}

// leave leaves the server alone for a while.
func (a *asker) leave(failed *failure) *failure {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.down, a.retry = failed, time.Now().Add(pause)
	return failed
}

func (a *asker) isDown() *failure {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.down != nil && time.Now().After(a.retry) {
		a.down = nil
	}
	return a.down
}

// series says which container a value belongs to; it has the Pod's UID if the query asks for it.
type series struct{ pod, container, uid string }

// values are the answer to a query that gives one value for each container, or Pod.
type values map[series]float64

// vector asks for values at one point in time. With a failure of the kind partialData the
// values are there.
func (a *asker) vector(ctx context.Context, query string, at time.Time) (model.Vector, *failure) {
	var answer model.Value
	failed := a.do(ctx, func(ctx context.Context) (warnings v1.Warnings, err error) {
		answer, warnings, _, err = a.api.Query(ctx, query, at, v1.WithTimeout(a.timeout))
		return warnings, err
	})
	vector, _ := answer.(model.Vector)
	return vector, failed
}

// labelValues are the values that a label has in the series of a selector.
func (a *asker) labelValues(ctx context.Context, label, selector string, from, to time.Time) ([]string, *failure) {
	var found []string
	failed := a.do(ctx, func(ctx context.Context) (v1.Warnings, error) {
		answer, warnings, _, err := a.api.LabelValues(ctx, label, []string{selector}, from, to)
		for _, value := range answer {
			found = append(found, string(value))
		}
		return warnings, err
	})
	slices.Sort(found)
	return found, failed
}

// mostMeasured is more than any value that is asked for: bytes, seconds, counts. Whole numbers beyond it are not exact.
const mostMeasured = 1 << 53

func valuesOf(vector model.Vector) values {
	found := make(values, len(vector))
	for _, sample := range vector {
		value := float64(sample.Value)
		if math.IsNaN(value) || math.Abs(value) > mostMeasured {
			continue
		}
		of := sample.Metric
		found[series{string(of["pod"]), string(of["container"]), string(of["uid"])}] = value
	}
	return found
}
