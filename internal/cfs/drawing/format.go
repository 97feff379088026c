package drawing

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// durationText is a time for people, to a microsecond: in milliseconds up to ten seconds, then in
// seconds.
func durationText[D ~int64](given D) string {
	d := time.Duration(given).Round(time.Microsecond)
	if d >= 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
	}
	return Number(float64(d)/float64(time.Millisecond)) + " ms"
}

// Number has at most three decimals.
func Number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
}

// shown is a name or a title on one line, safe for a terminal.
func shown(text string) string { return terminal.Printable(strings.TrimSpace(text)) }

// heading says what the threads run under.
func (t Timeline) heading() string {
	where := words.Count(t.Processors, "processor")
	if t.Quota == 0 {
		return "no CPU limit, on " + where
	}
	cores := float64(t.Quota) / float64(t.Period)
	unit := " CPUs"
	if cores == 1 {
		unit = " CPU"
	}
	burst := ""
	if t.Burst > 0 {
		burst = fmt.Sprintf(", up to %s more saved for a burst", durationText(t.Burst))
	}
	return fmt.Sprintf("limit %s%s: %s of CPU time in each %s%s, on %s",
		Number(cores), unit, durationText(t.Quota), durationText(t.Period), burst, where)
}

// summary is the last line: what it came to.
func (t Timeline) summary() string {
	r := t.Result
	text := fmt.Sprintf("Done after %s, with %s of CPU time.", durationText(r.End()), durationText(r.Used))
	switch {
	case t.Quota == 0:
		return text + " Without a CPU limit nothing is frozen."
	case r.Throttled == 0:
		return text + t.burst() + fmt.Sprintf(" Never frozen: the tightest period had %s to spare.", durationText(r.Spare))
	}
	text += t.burst()
	text += fmt.Sprintf(" Throttled in %d of %s (%.0f %%); frozen for %s", r.Throttled,
		words.Count(r.Periods, "period"), 100*r.Ratio(), durationText(r.Frozen))
	if r.Throttled > 1 {
		text += fmt.Sprintf(", %s of it at once", durationText(r.Longest))
	}
	return text + "."
}

// burst says what of it was used beyond a period's quota.
func (t Timeline) burst() string {
	r := t.Result
	if r.Bursts == 0 {
		return ""
	}
	return fmt.Sprintf(" %s used more than the quota, by %s.", words.Count(r.Bursts, "period"), durationText(r.Burst))
}

// cut shortens a text.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
