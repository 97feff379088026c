package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// survey asks all that is to be known of one namespace, at one point in time.
type survey struct {
	*asker
	selectors
	window time.Duration
	now    time.Time
	scrape time.Duration // the time between two samples; 0 is not known
	leaks  bool          // whether memory grows is asked, too
	// exporters are those of runtimes.
	exporters []exporter

	mutex   sync.Mutex
	parts   [instant + 1]int    // into how many the window has to be cut, by what a question reads
	missing map[string][]string // what is unknown, by why
	lacking map[string]bool     // whether why is a Lack
	order   []string
}

// maxParts is into how many parts a window is cut at most: 7 days into less than 3 hours each.
// One that took too long is cut into maxSlowParts, as each attempt takes that long again.
const (
	maxParts     = 64
	maxSlowParts = 4
)

// maxPoints is how many points one query may make Prometheus hold at a time: some 16 MB, and as much garbage. Its own
// limit is 50 million samples, and other people ask it as well.
const maxPoints = 1_000_000

// size cuts the window for a namespace of many containers from the start.
func (n *survey) size(ctx context.Context, metric string) {
	vector, failed := n.vector(ctx, "count("+n.of(metric)+")", n.now)
	if failed != nil || len(vector) != 1 {
		return // the questions themselves will tell
	}
	points, parts := float64(vector[0].Value)*float64(n.window/n.step), 1
	for points > maxPoints*float64(parts) && parts < maxParts && n.divides(parts*2) {
		parts *= 2
	}
	n.cut(grid, parts)
}

// divides says whether so many parts have at least two steps each.
func (n *survey) divides(parts int) bool { return n.window/time.Duration(parts) >= 2*n.step }

// over asks one question about the window: at once, or in parts if the server refuses so much.
// Parts without an answer are noted.
func (n *survey) over(ctx context.Context, q query) values {
	for parts := n.cut(q.reads, 1); ; parts *= 2 {
		found, failed := n.ask(ctx, q, parts)
		if failed != nil && q.reads != instant && n.divides(parts*2) &&
			(failed.kind == tooMuch && parts < maxParts || failed.kind == tooLong && parts < maxSlowParts) {
			continue
		}
		n.cut(q.reads, parts)
		switch {
		case failed == nil:
		case failed.kind == tooMuch || failed.kind == tooLong:
			n.miss(q.tells, failed.text+"; a longer --prometheus-step or a shorter --prometheus-window asks for less")
		case failed.kind == partialData:
			n.miss("", failed.text)
		default:
			n.miss(q.tells, failed.text)
		}
		return found
	}
}

// cut remembers into how many parts the window has to be cut: the next question starts there.
func (n *survey) cut(r reads, parts int) int {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.parts[r] = max(n.parts[r], parts, 1)
	return n.parts[r]
}

// ask asks for each part of the window. The cuts are between the steps, so that none counts
// twice: the ends of a range are both part of it before Prometheus 3.
func (n *survey) ask(ctx context.Context, q query, parts int) (values, *failure) {
	found, end, times := values{}, n.now, map[series]int{}
	var incomplete *failure
	for part := range parts {
		start := n.now.Add(-n.window)
		if part < parts-1 {
			start = n.now.Add(-n.window / time.Duration(parts) * time.Duration(part+1))
			start = n.between(start)
		}
		vector, failed := n.vector(ctx, q.expression(end.Sub(start)), end)
		switch {
		case failed != nil && failed.kind == partialData:
			incomplete = failed
		case failed != nil:
			return nil, failed
		}
		for of, value := range valuesOf(vector) {
			if before, ok := found[of]; ok {
				value = q.fold(before, value)
			}
			found[of] = value
			times[of]++
		}
		end = start
	}
	if q.reads == allSamples {
		maps.DeleteFunc(found, func(of series, _ float64) bool { return times[of] < parts })
	}
	return found, incomplete
}

// between is the middle between two steps near a time. Steps are multiples since 1970, which
// time.Truncate does not count from.
func (n *survey) between(at time.Time) time.Time {
	return at.Add(-time.Duration(at.UnixNano() % int64(n.step))).Add(n.step / 2)
}

// miss notes what is unknown, and why.
func (n *survey) miss(what, why string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.missing == nil {
		n.missing = map[string][]string{}
	}
	if _, known := n.missing[why]; !known {
		n.missing[why] = nil
		n.order = append(n.order, why)
	}
	if what != "" && !slices.Contains(n.missing[why], what) {
		n.missing[why] = append(n.missing[why], what)
	}
}

// lack notes what is unknown because Prometheus lacks the series.
func (n *survey) lack(what, why string) {
	n.miss(what, why)
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.lacking == nil {
		n.lacking = map[string]bool{}
	}
	n.lacking[why] = true
}

// problems are what miss and lack noted, one error for each cause.
func (n *survey) problems() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	var all []error
	slices.Sort(n.order)
	for _, why := range n.order {
		text := why
		if what := n.missing[why]; len(what) > 0 {
			slices.Sort(what)
			text = fmt.Sprintf("%s (unknown: %s)", why, strings.Join(what, ", "))
		}
		if n.lacking[why] {
			all = append(all, Lack(text))
		} else {
			all = append(all, errors.New(text))
		}
	}
	return errors.Join(all...)
}
