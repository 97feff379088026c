package drawing

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

func TestMain(m *testing.M) {
	search.Rapid(100, 20261121)
	os.Exit(m.Run())
}

// drawRun is a run as rapid makes them up. Times are odd on purpose.
func drawRun(t *rapid.T) (cfs.Bandwidth, int, []cfs.Load) {
	duration := func(from, to time.Duration, name string) time.Duration {
		return time.Duration(rapid.Int64Range(int64(from), int64(to)).Draw(t, name))
	}
	period := duration(cfs.MinPeriod, 120*ms, "period")
	b := cfs.Bandwidth{Quota: duration(cfs.MinQuota, 4*period, "quota"), Period: period}
	if rapid.Bool().Draw(t, "bursts") {
		b.Burst = duration(0, b.Quota, "burst")
	}
	var loads []cfs.Load
	for range rapid.IntRange(1, 5).Draw(t, "loads") {
		loads = append(loads, cfs.Load{
			Start: duration(0, 300*ms, "start"), Threads: rapid.IntRange(0, 40).Draw(t, "threads"),
			Work: duration(0, 20*ms, "work"),
		})
	}
	return b, rapid.IntRange(1, 16).Draw(t, "processors"), loads
}

// TestDrawn: whatever runs can be drawn, and its events are in order.
func TestDrawn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b, processors, loads := drawRun(r)
		if rapid.IntRange(0, 5).Draw(r, "free") == 0 {
			b.Quota, b.Burst = 0, 0
		}
		run := timeline(t, "", b, processors, loads...)
		width := rapid.IntRange(40, 200).Draw(r, "width")
		before := ""
		for line := range strings.SplitSeq(run.Text(width), "\n") {
			drawing := strings.ContainsAny(line, "│┴") || strings.Contains(before, "└")
			before = line
			if drawing && utf8.RuneCountInString(line) > max(width, minWidth) {
				r.Fatalf("wider than %d: %s", width, line)
			}
		}
		at := Milliseconds(0)
		for _, e := range run.Events() {
			if e.At < at || e.Text == "" {
				r.Fatalf("%+v after %d", e, at)
			}
			at = e.At
		}
		checkSVG(t, "drawn", run.SVG())
		if b.Quota == 0 {
			return
		}
		next := time.Duration(0)
		for _, p := range run.panels(4) {
			if p.from != next || p.to-p.from != time.Duration(max(p.folded, 1))*b.Period {
				r.Fatalf("panel %+v after %s", p, next)
			}
			next = p.to
		}
		if next != run.end() {
			r.Fatalf("the panels end at %s, the run at %s", next, run.end())
		}
	})
}
