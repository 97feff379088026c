package annotate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/policies/engine"
)

// A date stands beside what was measured, and gets newer with a value, or before lint tells that it is old.
func TestDates(t *testing.T) {
	const before = `apiVersion: v1
kind: Pod
metadata:
  name: a
  annotations:
    cpu-average.headroom.dev/app: 250m
    cpu-peak.headroom.dev/app: "2"
    memory-peak.headroom.dev/app: 980Mi
    measured.headroom.dev/app: DATE
spec: {containers: [{name: app}]}
`
	over := func(seen, age time.Duration) engine.Measured {
		m := well
		m.Seen, m.Age = seen, age
		return m
	}
	const all, week, day = " of=cpu-average,cpu-peak,memory-peak", 7 * 24 * time.Hour, 24 * time.Hour
	for name, c := range map[string]struct {
		there    string
		measured engine.Measured
		want     string // "" where it stays
	}{
		"of yesterday":                     {"date=2026-11-20 over=7d" + all, over(week, time.Minute), ""},
		"of four weeks ago":                {"date=2026-10-23 over=7d" + all, over(week, time.Minute), ""},
		"of longer ago":                    {"date=2026-10-22 over=7d" + all, over(week, time.Minute), "date=2026-11-21 over=7d" + all},
		"yet to come":                      {"date=2027-01-01 over=7d" + all, over(week, time.Minute), "date=2026-11-21 over=7d" + all},
		"of one value":                     {"date=2026-11-20 of=cpu-average", over(week, time.Minute), "date=2026-11-21 over=7d" + all},
		"that cannot be read":              {"lately", over(week, time.Minute), "date=2026-11-21 over=7d" + all},
		"of hours, and a day later":        {"date=2026-11-20 over=23h" + all, over(2*day, time.Minute), "date=2026-11-21 over=2d" + all},
		"of minutes":                       {"date=2026-11-21 over=90m" + all, over(3*time.Hour, time.Minute), "date=2026-11-21 over=3h" + all},
		"of a program's hours":             {"date=2026-11-20 over=7d runtime=5h" + all, over(week, time.Minute), "date=2026-11-21 over=7d" + all},
		"of hours, and as before":          {"date=2026-11-21 over=3h" + all, over(3*time.Hour, time.Minute), ""},
		"of a day":                         {"date=2026-11-20 over=24h" + all, over(2*day, time.Minute), ""},
		"hours, and samples of yesterday":  {"x", over(5*time.Hour+50*time.Minute, 13*time.Hour), "date=2026-11-20 over=5h" + all},
		"minutes":                          {"x", over(61*time.Minute, 0), "date=2026-11-21 over=61m" + all},
		"some seconds":                     {"x", over(time.Second, 0), "date=2026-11-21 over=1m" + all},
		"an hour short of two days":        {"x", over(47*time.Hour, 0), "date=2026-11-21 over=47h" + all},
		"a step short of two days":         {"x", over(2*day-5*time.Minute, 0), "date=2026-11-21 over=2d" + all},
		"a step short of a week":           {"x", over(week-5*time.Minute, 0), "date=2026-11-21 over=7d" + all},
		"a source that does not know when": {"x", over(0, -1), ""},
	} {
		manifest := strings.Replace(before, "DATE", c.there, 1)
		result := run(t, annotate.Options{Lookup: lookup(c.measured, "app")}, manifest)
		if c.want == "" {
			if len(result.Files) != 0 || result.Dates != 0 {
				t.Errorf("%s: %s", name, after(t, result))
			}
			continue
		}
		if got, want := after(t, result), strings.Replace(before, "DATE", c.want, 1); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		if result.Dates != 1 || result.Written != 0 || result.Kept != 3 {
			t.Errorf("%s: %d dates, %d written, %d kept", name, result.Dates, result.Written, result.Kept)
		}
	}
	// With a value the date changes, too, and what is not known is not dated.
	some := over(week, time.Minute)
	some.MemoryPeak, some.CPUPeak = "2Gi", ""
	got := after(t, run(t, annotate.Options{Lookup: lookup(some, "app")}, strings.Replace(before, "DATE", "date=2026-11-20"+all, 1)))
	if !strings.Contains(got, "measured.headroom.dev/app: date=2026-11-21 over=7d of=cpu-average,memory-peak\n") {
		t.Error(got)
	}
}
