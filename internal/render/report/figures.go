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

// OtherFigures are those that the budget table does not show, as key and value.
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
			rows = append(rows, [2]string{terminal.Printable(key), text(figures[key])})
		}
	}
	return rows
}
