package scenario

import (
	"fmt"
	"strconv"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs/drawing"
)

// milliseconds of a duration, to a nanosecond.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// durationText is a time in a table: milliseconds with at most three decimals.
func durationText[D ~int64](d D) string {
	return drawing.Number(milliseconds(time.Duration(d))) + " ms"
}

// shortDuration is a time that was given: in the unit that suits it.
func shortDuration(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Millisecond && d%time.Microsecond == 0:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d >= 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
	}
	return durationText(d)
}

// percent has two decimals under 10 %, where they matter.
func percent(ratio float64) string {
	switch {
	case ratio == 0:
		return "0 %"
	case ratio < 0.1:
		return fmt.Sprintf("%.2f %%", 100*ratio)
	}
	return fmt.Sprintf("%.1f %%", 100*ratio)
}
