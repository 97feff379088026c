//go:build integration

// Package converge_test follows advice to the letter: what a finding wants makes it go away, and
// brings no finding of the same or a higher severity.
package converge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/random"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

func TestMain(m *testing.M) {
	search.Rapid(100, 20261123)
	os.Exit(m.Run())
}

func newEngine(tb testing.TB) *engine.Engine {
	tb.Helper()
	e, err := engine.New(context.Background(), engine.Options{Now: 1795219200e9})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// A subject is one object, with what stands beside it.
type subject struct {
	name   string
	object map[string]any
	around map[string][]map[string]any
}

func (s subject) review(object map[string]any) (engine.Review, error) {
	if s.around == nil {
		return engine.Review{Manifest: object}, nil
	}
	around, err := engine.NewContext("shop", s.around)
	return engine.Review{Manifest: object, Around: around}, err
}

func (s subject) judge(e *engine.Engine, object map[string]any) (engine.Result, error) {
	review, err := s.review(object)
	if err != nil {
		return engine.Result{}, err
	}
	return e.Evaluate(context.Background(), review)
}

// A tally counts what was followed, by rule.
type tally struct{ followed, unknown map[string]int }

func newTally() *tally { return &tally{followed: map[string]int{}, unknown: map[string]int{}} }

func (t *tally) String() string {
	var out strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(ways)) {
		fmt.Fprintf(&out, "\n%s: %d ways were followed, %d times nobody knows the number", rule, t.followed[rule], t.unknown[rule])
	}
	return out.String()
}

// follow takes each way that each finding of the rules in the table offers, one at a time.
func (s subject) follow(e *engine.Engine, t *tally) error {
	before, err := s.judge(e, s.object)
	if err != nil {
		return err
	}
	for i := range before.Findings {
		f := &before.Findings[i]
		way, there := ways[f.Rule]
		if !there {
			continue
		}
		if worded[f.Rule] != "" && has(before.Findings, worded[f.Rule], f.Container) {
			continue
		}
		known := 0
		for _, text := range strings.Split(f.Expected, ", or ") {
			if openEnded.MatchString(text) {
				continue
			}
			object := copied(s.object)
			done, err := way(place{object, f}, text)
			if err != nil {
				return fmt.Errorf("%s of %q wants %q: %w", f.Rule, f.Container, text, err)
			}
			if !done {
				continue
			}
			known++
			t.followed[f.Rule]++
			after, err := s.judge(e, object)
			if err != nil {
				return err
			}
			if err := converges(f, before, after); err != nil {
				left, _ := json.Marshal(object)
				return fmt.Errorf("%s of %q (%s) wants %q: %w\n%s", f.Rule, f.Container, f.Message, text, err, left)
			}
		}
		if known == 0 {
			if !openEnded.MatchString(f.Expected) && !strings.Contains(f.Path, "/envFrom/") {
				return fmt.Errorf("nobody can follow what %s of %q wants: %q", f.Rule, f.Container, f.Expected)
			}
			t.unknown[f.Rule]++
		}
	}
	return nil
}

// worded are rules whose advice is another's, word for word, where that one speaks too.
var worded = map[string]string{"HR405": "HR402"}

func has(findings []engine.Finding, rule, container string) bool {
	return slices.ContainsFunc(findings, func(f engine.Finding) bool { return f.Rule == rule && f.Container == container })
}

var weights = map[string]int{engine.SeverityInfo: 1, engine.SeverityWarning: 2, engine.SeverityError: 3}

// converges says what is left of a finding, or has come of following it.
func converges(f *engine.Finding, before, after engine.Result) error {
	worst, conditional := map[string]int{}, map[string]bool{}
	for _, was := range append(before.Findings, before.Exempted...) {
		worst[key(&was)] = max(worst[key(&was)], weights[was.Severity])
		conditional[key(&was)] = conditional[key(&was)] || strings.Contains(was.Message, "This does not apply if ")
	}
	for i := range after.Findings {
		now := &after.Findings[i]
		if key(now) == key(f) && now.Path == f.Path && now.Severity == f.Severity {
			return fmt.Errorf("it is still there: %s => %s", now.Message, now.Expected)
		}
		if (ways[now.Rule] == nil || now.Severity == engine.SeverityInfo) && guessed(before, now.Container) {
			continue // a JVM that shows itself by its flags is told more, and all of it was true before
		}
		if conditional[key(now)] {
			continue // it was said before, unless a Secret sets what stands in plain text now
		}
		if weights[now.Severity] >= weights[f.Severity] && weights[now.Severity] > worst[key(now)] {
			return fmt.Errorf("then %s of %q, %s, says: %s", now.Rule, now.Container, now.Severity, now.Message)
		}
	}
	return nil
}

// guessed says that what runs in a container was a guess.
func guessed(r engine.Result, container string) bool {
	if has(r.Findings, "HR412", container) {
		return true
	}
	for _, o := range r.Objects {
		for _, c := range o.Containers {
			if c.Name == container && strings.HasSuffix(c.Runtime, "?") {
				return true
			}
		}
	}
	return false
}

func key(f *engine.Finding) string { return f.Rule + " of " + f.Container }

func copied(object map[string]any) map[string]any {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // it was read from JSON
	}
	var out map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func TestManifests(t *testing.T) {
	e, counts := newEngine(t), newTally()
	for _, s := range manifests(t) {
		if err := s.follow(e, counts); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	t.Log(counts)
	for rule := range ways {
		if counts.followed[rule] == 0 && !seldom[rule] {
			t.Errorf("no manifest has a finding of %s whose advice can be followed", rule)
		}
	}
}

func TestGenerated(t *testing.T) {
	e, counts := newEngine(t), newTally()
	rapid.Check(t, func(t *rapid.T) {
		made := random.New(t)
		// What a namespace puts on top of a manifest, or refuses, is no advice on the manifest.
		delete(made.Around, "limit_ranges")
		delete(made.Around, "resource_quotas")
		// What the Pod has as a whole, its containers share as its owner says.
		if template, err := (place{object: made.Object}).template(); err == nil {
			delete(template["spec"].(map[string]any), "resources")
		}
		s := subject{object: made.Object, around: made.Around}
		if err := s.follow(e, counts); err != nil {
			around, _ := json.Marshal(s.around)
			t.Fatalf("%v\nbeside %s", err, around)
		}
	})
	t.Log(counts)
}

// TestPools draws pools of workers and JVMs under limits of all sizes, which manifests at large seldom have.
func TestPools(t *testing.T) {
	e, counts := newEngine(t), newTally()
	rapid.Check(t, func(t *rapid.T) {
		s := subject{object: pod(t)}
		if err := s.follow(e, counts); err != nil {
			t.Fatal(err)
		}
	})
	t.Log(counts)
}
