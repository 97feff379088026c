package drawing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// Event is something that happens in a run, in words.
type Event struct {
	At   Milliseconds `json:"at_ms"`
	Text string       `json:"text"`
}

// Milliseconds is a time that is a number of milliseconds in JSON, to a nanosecond.
type Milliseconds time.Duration

// MarshalJSON writes the number.
func (m Milliseconds) MarshalJSON() ([]byte, error) {
	return json.Marshal(float64(m) / float64(time.Millisecond))
}

// maxEvents bounds the list: longer ones are not read.
const maxEvents = 24

// Events tells the run in order. Periods in which the same happens again are one event, and of very
// many events the first and the last are told.
func (t Timeline) Events() []Event {
	if t.Quota == 0 {
		return shorten(t.happenings(0, t.end()+1))
	}
	var events []Event
	for _, r := range t.runs() {
		from := time.Duration(r.first) * t.Period
		to := from + time.Duration(r.cycle)*t.Period
		events = append(events, t.happenings(from, to)...)
		if r.times > 1 && !r.quiet {
			events = append(events, t.repeated(r, to))
		}
	}
	events = append(events, t.happenings(t.end(), t.end()+1)...) // what ends as the last period does
	return shorten(events)
}

func shorten(events []Event) []Event {
	const tail = 6
	over := len(events) - maxEvents
	if over <= 0 {
		return events
	}
	from := maxEvents - tail - 1
	gap := Event{At: events[from].At, Text: fmt.Sprintf("… %d more events …", over+1)}
	return slices.Concat(events[:from], []Event{gap}, events[len(events)-tail:])
}

func (t Timeline) repeated(r run, from time.Duration) Event {
	again := r.times - 1
	until := durationText(from + time.Duration(again*r.cycle)*t.Period)
	switch {
	case again == 1:
		return Event{At: Milliseconds(from), Text: "the same again, until " + until}
	case r.cycle == 1:
		return Event{At: Milliseconds(from), Text: fmt.Sprintf("the same again in each of %d periods, until %s", again, until)}
	}
	return Event{At: Milliseconds(from), Text: fmt.Sprintf("the same %d times more, until %s", again, until)}
}

// happenings from a time on, and before another.
func (t Timeline) happenings(from, to time.Duration) []Event {
	var events []Event
	segments := t.between(from, to)
	wasFrozen := false
	if before := t.between(max(from-1, 0), from); len(before) > 0 {
		wasFrozen = before[len(before)-1].Frozen
	}
	for _, at := range t.moments(from, to, segments) {
		var texts []string
		now := slices.IndexFunc(segments, func(s cfs.Segment) bool { return s.From == at })
		if now >= 0 && wasFrozen && !segments[now].Frozen {
			texts = append(texts, "a new period: "+t.runOn(segments[now]))
		}
		texts = append(texts, t.endings(at)...)
		texts = append(texts, t.beginnings(at)...)
		if now >= 0 && segments[now].Frozen && !wasFrozen {
			texts = append(texts, t.usedUp(segments[now:]))
		}
		if now >= 0 {
			wasFrozen = segments[now].Frozen
		}
		if len(texts) > 0 {
			events = append(events, Event{At: Milliseconds(at), Text: strings.Join(texts, "; ")})
		}
	}
	return events
}

// moments are the times at which something may happen.
func (t Timeline) moments(from, to time.Duration, segments []cfs.Segment) []time.Duration {
	var at []time.Duration
	for _, s := range segments {
		at = append(at, s.From)
	}
	for i, l := range t.Loads {
		at = append(at, l.Start, t.Result.Finished[i])
	}
	at = slices.DeleteFunc(at, func(d time.Duration) bool { return d < from || d >= to })
	slices.Sort(at)
	return slices.Compact(at)
}

func (t Timeline) usedUp(frozen []cfs.Segment) string {
	until := frozen[0].To
	for _, s := range frozen {
		if s.Frozen && s.From == until {
			until = s.To
		}
	}
	quota := fmt.Sprintf("the quota of %s is", durationText(t.Quota))
	if t.Burst > 0 {
		quota = fmt.Sprintf("the quota of %s and what was saved for a burst are", durationText(t.Quota))
	}
	return fmt.Sprintf("%s used up: all threads are frozen for %s", quota, durationText(until-frozen[0].From))
}

func (t Timeline) runOn(s cfs.Segment) string {
	threads := 0
	for _, n := range s.Running {
		threads += n
	}
	if threads == 1 {
		return "1 thread runs on"
	}
	return fmt.Sprintf("%d threads run on", threads)
}

func (t Timeline) beginnings(at time.Duration) []string {
	var texts []string
	for i, l := range t.Loads {
		if l.Start != at || l.Threads == 0 || l.Work == 0 {
			continue
		}
		threads, each := "1 thread begins", ""
		if l.Threads > 1 {
			threads, each = fmt.Sprintf("%d threads begin", l.Threads), " each"
		}
		texts = append(texts, fmt.Sprintf("%s: %s, with %s of work%s", t.name(i), threads, durationText(l.Work), each))
	}
	return fewer(texts)
}

// endings tells what is done. Loads of one name that are done together are one text.
func (t Timeline) endings(at time.Duration) []string {
	byName := map[string][]int{}
	var names []string
	for i, l := range t.Loads {
		if t.Result.Finished[i] != at || l.Threads == 0 || l.Work == 0 {
			continue
		}
		name := t.name(i)
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], i)
	}
	texts := make([]string, 0, len(names))
	for _, name := range names {
		loads := byName[name]
		shortest, longest := t.took(loads[0]), t.took(loads[0])
		for _, i := range loads {
			shortest, longest = min(shortest, t.took(i)), max(longest, t.took(i))
		}
		switch {
		case shortest != longest:
			texts = append(texts, fmt.Sprintf("%s: %d of them done, after %s to %s", name, len(loads),
				durationText(shortest), durationText(longest)))
		case len(loads) > 1:
			texts = append(texts, fmt.Sprintf("%s: %d of them done after %s", name, len(loads), durationText(longest)))
		default:
			text := fmt.Sprintf("%s: done after %s", name, durationText(longest))
			if stalled := t.Result.Stalled[loads[0]]; stalled > 0 {
				text += fmt.Sprintf(", %s of it frozen", durationText(stalled))
			}
			texts = append(texts, text)
		}
	}
	return fewer(texts)
}

// took is the wall time from the beginning of a load to its end.
func (t Timeline) took(load int) time.Duration { return t.Result.Finished[load] - t.Loads[load].Start }

// fewer shortens what happens at one time.
func fewer(texts []string) []string {
	const most = 4
	if len(texts) <= most {
		return texts
	}
	return append(texts[:most-1:most-1], fmt.Sprintf("and so on for %d more loads", len(texts)-most+1))
}

func (t Timeline) name(load int) string {
	if name := shown(t.Loads[load].Name); name != "" {
		return cut(name, 60)
	}
	return fmt.Sprintf("load %d", load+1)
}
