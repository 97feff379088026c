// Package values searches for the values of a Helm chart that make it render objects as wanted. It
// renders the chart with each candidate to prove that it does this and nothing else.
package values

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/engine"
)

// What is spent on one chart, at most; what was found by then is given.
const (
	maxRenderings = 300
	maxTime       = 30 * time.Second
)

// Search looks for the values of a chart that make its objects what they should be.
type Search struct {
	chart    *source.Chart
	base     *tree.Output
	unstable tree.Unstable
	targets  []*target
	nodes    []node
	names    map[string]bool // of all containers and workloads that are to be fixed

	found    edits
	accepted []accepted
	banned   map[string]bool
	left     int // renderings
	until    time.Time
}

// accepted is a candidate that has been proved, and what it did.
type accepted struct {
	candidate candidate
	did       map[*target][]string
}

// Find searches. A search that has found nothing is no error.
func Find(ctx context.Context, from source.HelmChart, list []tree.Fixed) (*Search, error) {
	s, err := newSearch(ctx, from, list)
	if err != nil {
		return nil, err
	}
	return s, s.run(ctx)
}

// newSearch renders the chart twice: as it is, and again to see what differs each time.
func newSearch(ctx context.Context, from source.HelmChart, list []tree.Fixed) (*Search, error) {
	chart, err := source.OpenChart(ctx, from, source.Options{})
	if err != nil {
		return nil, err
	}
	s := &Search{
		chart: chart, banned: map[string]bool{}, names: map[string]bool{},
		left: maxRenderings, until: time.Now().Add(maxTime),
	}
	rendered, err := chart.Render(ctx, chart.Given)
	if err != nil {
		return nil, err
	}
	s.base = tree.NewOutput(rendered)
	again, err := chart.Render(ctx, chart.Given)
	if err != nil {
		return nil, err
	}
	s.unstable = tree.UnstableIn(s.base, tree.NewOutput(again))
	seen := map[string]bool{}
	for _, o := range list {
		t := targetOf(s.base, o)
		if t == nil {
			continue
		}
		if seen[t.id] {
			t.id = "" // of two objects of one name no value is told apart
		}
		seen[t.id] = true
		s.targets = append(s.targets, t)
	}
	for _, t := range s.targets {
		s.names[plain(engine.ResourceOf(t.before).Name)] = true
		for _, n := range t.needs {
			s.names[plain(n.container())] = true
		}
	}
	delete(s.names, "")
	return s, nil
}

// targetOf finds an object in what was rendered; nil where there is nothing to change.
func targetOf(w *tree.Output, o tree.Fixed) *target {
	id := w.Find(o.Before)
	t := newTarget(id, o.Before, o.After)
	if id != "" {
		t.subchart = w.Objects[id].Subchart
	}
	if len(t.wants) == 0 {
		return nil
	}
	return t
}

// run goes through all needs until nothing is done by halves.
func (s *Search) run(ctx context.Context) error {
	for {
		s.restart()
		for _, t := range s.targets {
			for _, n := range t.needs {
				if err := s.meet(ctx, n); err != nil {
					return err
				}
			}
		}
		if !s.banHalves() {
			return nil
		}
	}
}

func (s *Search) restart() {
	s.found, s.accepted = edits{over: map[string]any{}}, nil
	for _, t := range s.targets {
		clear(t.done)
	}
	s.look()
}

// look lists the values as they are with what has been found.
func (s *Search) look() {
	now := merged(copied(s.chart.Values), s.found.over)
	s.nodes = nodesOf(now, s.chart.Templates)
}

// meet tries candidates until values see to all of a need, or none does more.
func (s *Search) meet(ctx context.Context, n *need) error {
	if n.kind == somewhereElse || n.target.id == "" {
		return nil
	}
	for more := true; more && !n.met(); {
		more = false
		for _, c := range s.candidates(n) {
			if s.banned[c.id] {
				continue
			}
			if s.left <= 0 || time.Now().After(s.until) {
				n.why = "not all values were tried"
				return nil
			}
			did, err := s.try(ctx, n, c)
			if err != nil {
				return err
			}
			if did == nil {
				continue
			}
			if c.hides {
				n.why = dotted(c.at) + " does it, but Helm replaces lists whole, and this one has values that are not " +
					"printed here: change it by hand, or take the patch"
				continue
			}
			s.accept(c, did)
			more = true
			break
		}
	}
	return nil
}

// try renders the chart with a candidate on top of what was found. It gives what the
// candidate does, nil if it does nothing or does something that was not asked for.
func (s *Search) try(ctx context.Context, n *need, c candidate) (map[*target][]string, error) {
	s.left--
	all := s.found.with(s.chart.Values, c.edits)
	rendered, err := s.chart.Render(ctx, all.given(s.chart.Given))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil //nolint:nilerr // values that the chart does not take are not the ones
	}
	now := tree.NewOutput(rendered)
	moved, gone, came := s.base.Moved(now)
	if !s.unstable.Names(gone) || !slices.Equal(s.base.KindsOf(gone), now.KindsOf(came)) {
		return nil, nil
	}
	did, other := s.judge(moved, n.target)
	if other != "" && n.why == "" && c.rank < rankOther {
		n.why = other
	}
	if other != "" {
		return nil, nil
	}
	for _, t := range s.targets {
		for key := range t.done {
			if !slices.Contains(did[t], key) {
				return nil, nil
			}
		}
	}
	more := func(key string) bool { return !n.target.done[key] && slices.Contains(did[n.target], key) }
	if !slices.ContainsFunc(n.keys, more) {
		return nil, nil
	}
	return did, nil
}

// judge sorts what moved: into what was wanted, and the first that was not, in words.
func (s *Search) judge(moved map[string]map[string]tree.Change, of *target) (did map[*target][]string, other string) {
	did = map[*target][]string{}
	byID := map[string]*target{}
	for _, t := range s.targets {
		byID[t.id] = t
	}
	for _, id := range slices.Sorted(maps.Keys(moved)) {
		t := byID[id]
		for key, is := range moved[id] {
			if s.unstable.Places[id][key] {
				continue
			}
			if t == nil {
				return nil, "the value is shared with " + tree.Title(s.base.Objects[id].Object)
			}
			want, ok := t.wants[key]
			switch right := ok && tree.SameEnd(want, is); {
			case !right && t != of:
				return nil, "the value is shared with " + tree.Title(t.before)
			case !right:
				return nil, "the value changes more than that"
			}
			did[t] = append(did[t], key)
		}
	}
	return did, ""
}

func (s *Search) accept(c candidate, did map[*target][]string) {
	s.found = s.found.with(s.chart.Values, c.edits)
	a := accepted{c, map[*target][]string{}}
	for t, keys := range did {
		for _, key := range keys {
			if !t.done[key] {
				t.done[key] = true
				a.did[t] = append(a.did[t], key)
			}
		}
	}
	s.accepted = append(s.accepted, a)
	s.look()
}

// banHalves looks for needs that go together and of which values do but one. What did it
// is out of the question from now on.
func (s *Search) banHalves() bool {
	banned := false
	for _, t := range s.targets {
		for _, n := range t.needs {
			for _, other := range t.needs {
				if n == other || !n.tied(other) || !n.begun() || other.met() {
					continue
				}
				if n.why == "" {
					n.why = "it goes together with " + other.called() + ", which no value sets"
				}
				for _, a := range s.accepted {
					if slices.ContainsFunc(a.did[t], func(key string) bool { return slices.Contains(n.keys, key) }) {
						s.banned[a.candidate.id] = true
						banned = true
					}
				}
			}
		}
	}
	return banned
}
