package measure

import (
	"maps"
	"testing"
	"time"
)

// Two samples tell what a counter grew by only where nothing can have happened between them.
func TestSteady(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	n := &survey{selectors: selectors{step: 5 * time.Minute}, window: 7 * 24 * time.Hour, now: now}
	day := func(days float64) float64 { return float64(now.Unix()) - days*86400 }
	for _, test := range []struct {
		name            string
		created, steps  float64
		restarts        float64
		unknown, absent bool // its creation; kube-state-metrics' series of now
		want            float64
	}{
		{name: "old", created: day(30), steps: 2016, want: 7 * 86400},
		{name: "young", created: day(2), steps: 575, want: 2 * 86400},
		{name: "restarted", created: day(30), steps: 2016, restarts: 1},
		{name: "a gap in the samples", created: day(30), steps: 1800},
		{name: "another Pod of the same name before it", created: day(2), steps: 900},
		{name: "lives for a few steps only", created: day(0.02), steps: 6},
		{name: "nobody tells when it was made", steps: 2016, unknown: true},
		{name: "ended", created: day(30), steps: 2016, absent: true},
	} {
		of := series{pod: "web-0", container: "app"}
		answers := map[string]values{"cpu count": {of: test.steps}, "created now": {}, "restarts now": {}}
		if !test.unknown {
			answers["created now"][series{pod: of.pod}] = test.created
		}
		if !test.absent {
			answers["restarts now"][of] = test.restarts
		}
		if got := n.steady(answers)[of]; got != test.want {
			t.Errorf("%s: steady for %v seconds, want %v", test.name, got, test.want)
		}
	}
}

func TestGrowth(t *testing.T) {
	n := &survey{window: time.Hour}
	of := func(pod string) series { return series{pod: pod, container: "app"} }
	answers := map[string]values{
		"cpu count":    {of("old"): 99, of("young"): 99, of("reset"): 99, of("new"): 99, of("without"): 99, of("loud"): 99},
		"periods now":  {of("old"): 50, of("young"): 30, of("reset"): 5, of("new"): 5, of("loud"): 9},
		"periods then": {of("old"): 20, of("young"): 25, of("reset"): 20, of("loud"): 1},
	}
	steady := values{of("old"): 3600, of("young"): 1800, of("reset"): 3600, of("new"): 3600, of("without"): 3600}
	known, open := n.growth(answers, "periods", steady)
	// What was called young before is another Pod; new has a counter that was not there at the start of the window.
	if want := (values{of("old"): 30, of("young"): 30}); !maps.Equal(known, want) {
		t.Errorf("known are %v, want %v", known, want)
	}
	if want := (pods{"reset": true, "new": true, "loud": true}); !maps.Equal(open, want) {
		t.Errorf("open are %v, want %v", open, want)
	}
}

func TestPodsOfAQuery(t *testing.T) {
	all := pods{}
	for i := range 450 {
		all[string(rune('a'+i%26))+time.Duration(i).String()] = true
	}
	parts := all.parts()
	if len(parts) != 3 || len(parts[0]) != most || len(parts[2]) != 50 {
		t.Errorf("%d parts", len(parts))
	}
}
