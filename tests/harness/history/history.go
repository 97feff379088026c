// Package history tells a real Prometheus what containers used in days that never were. An exporter
// serves series shaped like cAdvisor's and kube-state-metrics', with the times of the samples, as
// the kubelet does. Prometheus scrapes it.
package history

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// History is what an exporter tells, once.
type History struct {
	End   time.Time     // of the last samples
	Every time.Duration // between two samples
	lines []line
}

// line is one sample as Prometheus reads it.
type line struct {
	at   int64 // milliseconds since 1970
	text string
}

// New is a history that ends now, with a sample a minute.
func New() *History {
	const ago = 10 * time.Second // no sample is of the future, whenever it is scraped
	return &History{End: time.Now().Add(-ago).Truncate(time.Second), Every: time.Minute}
}

// Labels of a series.
type Labels map[string]string

func (l Labels) String() string {
	var text []string
	for _, name := range slices.Sorted(maps.Keys(l)) {
		text = append(text, name+"="+strconv.Quote(l[name]))
	}
	return "{" + strings.Join(text, ",") + "}"
}

// With has more labels, which win.
func (l Labels) With(more Labels) Labels {
	all := maps.Clone(l)
	maps.Copy(all, more)
	return all
}

// Add writes a series from one time to another; NaN is no sample.
func (h *History) Add(metric string, labels Labels, from, to time.Time, value func(time.Time) float64) {
	name := metric + labels.String() + " "
	for at := from; !at.After(to); at = at.Add(h.Every) {
		if v := value(at); !math.IsNaN(v) {
			text := name + strconv.FormatFloat(v, 'g', -1, 64) + " " + strconv.FormatInt(at.UnixMilli(), 10) + "\n"
			h.lines = append(h.lines, line{at.UnixMilli(), text})
		}
	}
}

// Ago is a time before the end.
func (h *History) Ago(d time.Duration) time.Time { return h.End.Add(-d) }

// complete is the last thing that an exporter tells.
const complete = "history_complete"

// text is the whole history: in the order of time, as Prometheus takes nothing that is older
// than what it has by an hour.
func (h *History) text() []byte {
	slices.SortStableFunc(h.lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	for _, l := range h.lines {
		out.WriteString(l.text)
	}
	fmt.Fprintf(&out, "%s 1 %d\n", complete, h.End.UnixMilli())
	return out.Bytes()
}
