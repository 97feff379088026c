package sentences

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Measured tells what was measured: what it is, and how much. The first says by whom: as the
// policies word it, who may hold that it does not count.
func Measured(c *report.Container) [][2]string {
	m, from := c.Measured, ""
	if c.Detail != nil {
		from = strings.TrimPrefix(c.Detail.Evidence, "measured by ")
	}
	lines := [][2]string{{"from", cmp.Or(from, measuredBy(m))}}
	for _, q := range [][2]string{
		{"average CPU", m.CPUAverage}, {"peak CPU", m.CPUPeak}, {"peak memory", m.MemoryPeak},
	} {
		if q[1] != "" {
			lines = append(lines, q)
		}
	}
	if m.Periods > 0 && m.Throttled >= 0 {
		text := fmt.Sprintf("%s of the periods (%.0f of %.0f)", words.Percent(m.Throttled, m.Periods), m.Throttled, m.Periods)
		if m.ThrottledSeconds > 0 {
			text += fmt.Sprintf(", %s in all", Span(time.Duration(m.ThrottledSeconds*float64(time.Second))))
		}
		lines = append(lines, [2]string{"throttled", text})
	}
	if m.OOMKills >= 0 {
		lines = append(lines, [2]string{"OOM kills", fmt.Sprint(m.OOMKills)})
	}
	if m.Restarts >= 0 {
		lines = append(lines, [2]string{"restarts", fmt.Sprint(m.Restarts)})
	}
	if m.Runtime.Known() {
		lines = append(lines, [2]string{"told by " + m.Runtime.Exporter, runtime(&m.Runtime)})
	}
	return lines
}

// measuredBy says who measured, how often and until when: "Prometheus: 2016 samples of 7 days,
// the newest 4 minutes old".
func measuredBy(m *engine.Measured) string {
	var parts []string
	if m.Samples >= 0 {
		parts = append(parts, words.Count(m.Samples, "sample"))
	}
	if m.Window > 0 {
		parts = append(parts, Span(m.Window))
	}
	text := strings.Join(parts, " of ")
	if m.Samples > 0 && m.Age >= 0 {
		text += ", the newest " + Span(m.Age) + " old"
	}
	return strings.TrimSuffix(m.Source+": "+text, ": ")
}

// MeasuredLine is the same on one line: "measured average CPU 310m; … (Prometheus: …)".
func MeasuredLine(c *report.Container) string {
	if c.Measured == nil {
		return ""
	}
	lines := Measured(c)
	var parts []string
	for _, line := range lines[1:] {
		parts = append(parts, line[0]+" "+line[1])
	}
	return terminal.Printable("measured " + strings.Join(parts, "; ") + " (" + lines[0][1] + ")")
}

// Span is a duration as a person says it: in its largest unit, to the half.
func Span(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if d < unit.size {
			continue
		}
		n := words.Plain(float64(d) / float64(unit.size))
		if n == "1" {
			return "1 " + unit.name
		}
		return n + " " + unit.name + "s"
	}
	return words.Plain(d.Seconds()) + " s"
}
