package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Sum is a sum laid out: what a rule puts under "terms" of its figures, each {name, <unit>, source,
// assumed}. Beside it stand total_<unit>, limit_<unit>, left_<unit> and wanted_left_<unit>, if the
// rule gives them.
type Sum struct {
	unit   string
	Rows   []SumRow
	Totals []SumRow // total, limit and what is left
}

// SumRow is one line of a sum: what it is, how much, and where that is from.
type SumRow struct{ Name, Amount, Source string }

// units are the last words of a figure's key, and how they are written.
var units = []struct{ key, written string }{
	{"mib", "MiB"}, {"bytes", "bytes"}, {"millicores", "millicores"}, {"ms", "ms"},
}

// SumOf is false where the figures hold no sum, or one that cannot be read.
func SumOf(figures map[string]any) (Sum, bool) {
	terms, _ := figures["terms"].([]any)
	var b Sum
	var sum float64
	unit := -1
	for _, t := range terms {
		term, ok := t.(map[string]any)
		if !ok {
			return Sum{}, false
		}
		if unit < 0 {
			unit = slices.IndexFunc(units, func(u struct{ key, written string }) bool { return term[u.key] != nil })
		}
		if unit < 0 {
			return Sum{}, false
		}
		amount, ok := Number(term[units[unit].key])
		if !ok {
			return Sum{}, false
		}
		sum += amount
		b.Rows = append(b.Rows, SumRow{text(term["name"]), quantity(amount, unit), source(term)})
	}
	if len(b.Rows) == 0 {
		return Sum{}, false
	}
	b.unit = units[unit].key
	b.Totals = totals(figures, unit, sum)
	return b, true
}

func source(term map[string]any) string {
	s := text(term["source"])
	if assumed, _ := term["assumed"].(bool); !assumed || guessed(s) {
		return s
	}
	return strings.TrimPrefix(s+", assumed", ", ")
}

// guessed tells that a source says itself that the amount is assumed.
func guessed(source string) bool { return strings.Contains(source, "assumed") }

func totals(figures map[string]any, unit int, sum float64) []SumRow {
	figure := func(name string) (float64, bool) { return Number(figures[name+"_"+units[unit].key]) }
	total, ok := figure("total")
	if !ok {
		total = sum
	}
	rows := []SumRow{{"total", quantity(total, unit), ""}}
	limit, ok := figure("limit")
	if !ok || limit <= 0 {
		return rows
	}
	rows = append(rows, SumRow{"limit", quantity(limit, unit), ""})
	left, ok := figure("left")
	if !ok {
		left = limit - total
	}
	if left < 0 {
		return append(rows, SumRow{"over by", quantity(-left, unit), ""})
	}
	note := words.Percent(left, limit)
	if wanted, ok := figure("wanted_left"); ok {
		note += fmt.Sprintf(", wanted %s (%s)", quantity(wanted, unit), words.Percent(wanted, limit))
	}
	return append(rows, SumRow{"left", quantity(left, unit), note})
}

func quantity(n float64, unit int) string { return words.Plain(n) + " " + units[unit].written }

// Number reads what a policy or a decoder may give: OPA's json.Number among them.
func Number(v any) (float64, bool) {
	switch n := v.(type) {
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	}
	return 0, false
}

// text shows a figure on one line.
func text(v any) string {
	switch t := v.(type) {
	case nil:
		return ""
	case string:
		return terminal.Printable(t)
	case bool:
		return strconv.FormatBool(t)
	}
	if n, ok := Number(v); ok {
		return strconv.FormatFloat(math.Round(n*1000)/1000, 'f', -1, 64)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return terminal.Printable(fmt.Sprint(v))
	}
	return terminal.Printable(string(data))
}

// OtherFigures are those that the budget table does not show, as a name in words and a value with its unit.
func OtherFigures(figures map[string]any) [][2]string {
	shown := map[string]bool{}
	if b, ok := SumOf(figures); ok {
		shown["terms"] = true
		for _, name := range []string{"total_", "limit_", "left_", "wanted_left_"} {
			shown[name+b.unit] = true
		}
	}
	var rows [][2]string
	for _, key := range slices.Sorted(maps.Keys(figures)) {
		if !shown[key] {
			name, value := inWords(key, figures[key])
			rows = append(rows, [2]string{name, value})
		}
	}
	return rows
}

// named are figures whose keys say less than they could.
var named = map[string]string{
	"least_mib": "low end", "least_bytes": "plausible from", "bound_mib": "at most, by flags and defaults", "headroom_percent": "left of the limit",
	"grade":             "how well known",
	"passing_limit_mib": "limit that would pass", "passing_heap_mib": "heap that would pass",
	"passing_max_ram_percentage": "MaxRAMPercentage that would pass", "own_ms": "average use in a period", "used_ms": "CPU time needed",
	"quota_ms": "quota of a period", "stall_ms": "longest stop", "throttle_ms": "throttled for", "bytes": "amount", "count": "number",
	"gc_threads": "GC threads", "parallel_gc_threads": "parallel GC threads", "conc_gc_threads": "concurrent GC threads",
	"pause_ms": "GC pause", "most_permille": "at most", "gomemlimit_bytes": "GOMEMLIMIT", "wanted_gomaxprocs": "wanted GOMAXPROCS",
}

// endings are the units that a key ends with, and how a value is written with them.
var endings = []struct {
	unit  string
	write func(float64) string
}{
	{"mib", func(n float64) string { return words.Plain(n) + " MiB" }},
	{"bytes", bytesInWords},
	{"millicores", func(n float64) string { return coresInWords(n / 1000) }},
	{"cores", coresInWords},
	{"ms", func(n float64) string { return words.Plain(n) + " ms" }},
	{"seconds", func(n float64) string { return words.Plain(n) + " s" }},
	{"percent", func(n float64) string { return words.Plain(n) + " %" }},
	{"permille", func(n float64) string { return words.Plain(n/10) + " %" }},
}

// bytesInWords is an amount in the largest unit that writes it with few digits: 4294967296 is 4 GiB.
func bytesInWords(n float64) string {
	if n == 1 {
		return "1 byte"
	}
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	at := 0
	for ; at < len(units)-1 && math.Abs(n) >= 1024; at++ {
		n /= 1024
	}
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) + " " + units[at]
}

func coresInWords(n float64) string {
	if n == 1 {
		return "1 core"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + " cores"
}

// absent is what 0 stands for in the policies' figures of some names; "" where it is a number.
func absent(name string) string {
	switch last := name[strings.LastIndexByte(name, '_')+1:]; {
	case strings.HasPrefix(name, "passing_"):
		return "none"
	case strings.HasPrefix(name, "wanted_") || slices.Contains([]string{"average", "peak", "cores", "allocation"}, last):
		return "not known"
	case last == "limit" || last == "request":
		return "not set"
	}
	return ""
}

// inWords is a figure as a person reads it: limit_millicores 2000 is "limit", "2 cores".
func inWords(key string, value any) (name, written string) {
	written = text(value)
	name = key
	if n, ok := Number(value); ok {
		for _, e := range endings {
			rest, found := strings.CutSuffix(key, "_"+e.unit)
			if key == e.unit {
				rest, found = key, true
			}
			if found {
				name, written = rest, e.write(n)
				if missing := absent(rest); n == 0 && missing != "" {
					written = missing
				}
				break
			}
		}
	}
	if known := named[key]; known != "" {
		name = known
	}
	return terminal.Printable(strings.ReplaceAll(name, "_", " ")), written
}
