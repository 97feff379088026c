package watch

import (
	"errors"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
)

var (
	measuredCart = cluster.Key{Kind: "Deployment", Namespace: "shop", Name: "cart"}
	measuredAt   = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
)

func measuredValue() engine.Measured {
	m := measure.Unknown("Prometheus")
	m.Window, m.Samples, m.Age = 7*24*time.Hour, 2000, 40*time.Second
	m.CPUPeak, m.Periods, m.Throttled, m.OOMKills = "800m", 1000, 100, 0
	return m
}

func useOf(m engine.Measured) measure.Use { return measure.Use{measuredCart: {"app": m}} }

// TestMeasuresHold: what is nearly the same is the same, and what is another value is another version.
func TestMeasuresHold(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*engine.Measured)
		changes bool
	}{
		"the same":              {func(*engine.Measured) {}, false},
		"a little later":        {func(m *engine.Measured) { m.Age = 50 * time.Minute }, false},
		"a window further":      {func(m *engine.Measured) { m.Samples, m.Periods, m.Throttled = 2010, 1010, 104 }, false},
		"throttled more":        {func(m *engine.Measured) { m.Throttled = 110 }, true},
		"another peak":          {func(m *engine.Measured) { m.CPUPeak = "900m" }, true},
		"a kill":                {func(m *engine.Measured) { m.OOMKills = 1 }, true},
		"no peak any more":      {func(m *engine.Measured) { m.CPUPeak = "" }, true},
		"growth that is known":  {func(m *engine.Measured) { m.MemoryGrowth = 0 }, true},
		"no sample for 7 hours": {func(m *engine.Measured) { m.Age = 7 * time.Hour }, true},
		"no such age":           {func(m *engine.Measured) { m.Age = -1 }, true},
	} {
		s := newMeasures()
		if changed := s.remember("shop", answer{use: useOf(measuredValue()), asked: true}, measuredAt); len(changed) != 1 {
			t.Fatal(changed)
		}
		before, version := s.valuesOf(measuredCart)
		if before["app"].Age != time.Hour || version == 0 {
			t.Fatal(before, version)
		}
		next := measuredValue()
		c.change(&next)
		changed := s.remember("shop", answer{use: useOf(next), asked: true}, measuredAt.Add(time.Hour))
		_, after := s.valuesOf(measuredCart)
		if (len(changed) == 1) != c.changes || (after != version) != c.changes {
			t.Errorf("%s: changed %v, version %d after %d", name, changed, after, version)
		}
	}
}

// TestMeasuresDrift: many small steps are seen when they come to a large one.
func TestMeasuresDrift(t *testing.T) {
	s, m, changes := newMeasures(), measuredValue(), 0
	for range 20 {
		m.Throttled++
		changes += len(s.remember("shop", answer{use: useOf(m), asked: true}, measuredAt))
	}
	shown, _ := s.valuesOf(measuredCart)
	if throttled := shown["app"].Throttled; changes < 3 || changes > 5 || throttled < 115 {
		t.Errorf("%d changes, and %v are shown of %v", changes, throttled, m.Throttled)
	}
}

// TestMeasuresAge: while Prometheus does not answer the old values hold, get older and are dropped in the end.
func TestMeasuresAge(t *testing.T) {
	s := newMeasures()
	s.remember("shop", answer{use: useOf(measuredValue()), asked: true}, measuredAt)
	for _, c := range []struct {
		after, age time.Duration
		changes    bool
	}{
		{2 * time.Hour, time.Hour, false}, {4 * time.Hour, 6 * time.Hour, true}, {24 * time.Hour, 30 * time.Hour, true},
	} {
		changed := s.remember("shop", answer{}, measuredAt.Add(c.after))
		shown, _ := s.valuesOf(measuredCart)
		if (len(changed) == 1) != c.changes || shown["app"].Age != c.age || shown["app"].CPUPeak != "800m" {
			t.Errorf("after %v: %v, %+v", c.after, changed, shown)
		}
	}
	// It answers again.
	_, stale := s.valuesOf(measuredCart)
	s.remember("shop", answer{use: useOf(measuredValue()), asked: true}, measuredAt.Add(25*time.Hour))
	if shown, version := s.valuesOf(measuredCart); shown["app"].Age != time.Hour || version == stale {
		t.Errorf("%+v, version %d", shown, version)
	}
	if changed := s.remember("shop", answer{}, measuredAt.Add(10*24*time.Hour)); len(changed) != 1 {
		t.Error("it is never dropped")
	}
	if shown, version := s.valuesOf(measuredCart); shown != nil || version != 0 || len(s.known) != 0 {
		t.Error(shown, version, s.known)
	}
}

// TestMeasuresPartial: an answer that lacks a value counts when it lacks it for long, or when no question was left open.
func TestMeasuresPartial(t *testing.T) {
	less := measuredValue()
	less.Throttled = -1
	for name, c := range map[string]struct {
		answer answer
		after  time.Duration
		keeps  bool
	}{
		"in between":   {answer{use: useOf(less), asked: true, partial: true}, time.Hour, true},
		"for long":     {answer{use: useOf(less), asked: true, partial: true}, 4 * time.Hour, false},
		"it is so":     {answer{use: useOf(less), asked: true}, time.Hour, false},
		"no container": {answer{use: measure.Use{measuredCart: {}}, asked: true, partial: true}, time.Hour, true},
	} {
		s := newMeasures()
		s.remember("shop", answer{use: useOf(measuredValue()), asked: true}, measuredAt)
		s.remember("shop", c.answer, measuredAt.Add(c.after))
		if shown, _ := s.valuesOf(measuredCart); (shown["app"].Throttled == 100) != c.keeps {
			t.Errorf("%s: %+v", name, shown)
		}
	}
	// One that lacks nothing that was known before counts at once.
	s := newMeasures()
	s.remember("shop", answer{use: useOf(less), asked: true}, measuredAt)
	more := less
	more.CPUPeak = "900m"
	if s.remember("shop", answer{use: useOf(more), asked: true, partial: true}, measuredAt) == nil {
		t.Error("a partial answer with another value is not taken")
	}
}

// TestMeasuresEnds: the Pods' status tells of kills where nothing else does, and each source is forgotten by itself.
func TestMeasuresEnds(t *testing.T) {
	killed := measure.Unknown("the Pods' status")
	killed.OOMKills, killed.Age, killed.Samples = 1, -1, -1
	uncounted := measuredValue()
	uncounted.OOMKills = -1
	s := newMeasures()
	kills := func() int {
		shown, _ := s.valuesOf(measuredCart)
		if m, ok := shown["app"]; ok {
			return m.OOMKills
		}
		return -2 // nothing is known
	}
	for i, step := range []struct {
		answer answer
		kills  int
	}{
		{answer{ends: useOf(killed), listed: true, asked: true}, 1},
		{answer{ends: useOf(killed), listed: true, asked: true, use: useOf(uncounted)}, 1},
		{answer{ends: useOf(killed), listed: true, asked: true, use: useOf(measuredValue())}, 0}, // it counts them itself
		{answer{listed: false, asked: true}, 1},
		{answer{listed: true, asked: true}, -2},
	} {
		s.remember("shop", step.answer, measuredAt)
		if got := kills(); got != step.kills {
			t.Errorf("step %d: %d kills, want %d", i, got, step.kills)
		}
	}
	s.remember("shop", answer{ends: useOf(killed), listed: true}, measuredAt)
	s.remember("other", answer{listed: true, asked: true}, measuredAt)
	if kills() != 1 {
		t.Error("another namespace's answer counts")
	}
	s.keep(map[string]bool{"other": true})
	if kills() != -2 {
		t.Error("a namespace that is gone is remembered")
	}
}

// TestProblems: a log line says each thing once, and not everything.
func TestProblems(t *testing.T) {
	p := &problems{}
	p.add(nil)
	if p.all() != nil {
		t.Error(p.all())
	}
	for _, text := range []string{"a", "a", "b", "c", "d", "e", "f", "g"} {
		p.add(errors.New(text))
	}
	if got := p.all().Error(); got != "a\nb\nc\nd\ne\nand 2 more" {
		t.Errorf("%q", got)
	}
}
