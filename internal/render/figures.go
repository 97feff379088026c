package render

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// budget is a sum laid out: what a rule puts under "terms" of its figures, each
// {name, <unit>, source, assumed}, with total_<unit>, limit_<unit>, left_<unit>
// and wanted_left_<unit> beside it where the rule gives them.
type budget struct {
	unit   string
	rows   []budgetRow
	totals []budgetRow // total, limit and what is left
}

type budgetRow struct{ name, amount, source string }

// units are the last words of a figure's key, and how they are written.
var units = []struct{ key, written string }{
	{"mib", "MiB"}, {"bytes", "bytes"}, {"millicores", "millicores"}, {"ms", "ms"},
}

// budgetOf is false where the figures hold no sum, or one that cannot be read.
func budgetOf(figures map[string]any) (budget, bool) {
	terms, _ := figures["terms"].([]any)
	var b budget
	var sum float64
	unit := -1
	for _, t := range terms {
		term, ok := t.(map[string]any)
		if !ok {
			return budget{}, false
		}
		if unit < 0 {
			unit = slices.IndexFunc(units, func(u struct{ key, written string }) bool { return term[u.key] != nil })
		}
		if unit < 0 {
			return budget{}, false
		}
		amount, ok := number(term[units[unit].key])
		if !ok {
			return budget{}, false
		}
		sum += amount
		b.rows = append(b.rows, budgetRow{text(term["name"]), quantity(amount, unit), source(term)})
	}
	if len(b.rows) == 0 {
		return budget{}, false
	}
	b.unit = units[unit].key
	b.totals = totals(figures, unit, sum)
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

func totals(figures map[string]any, unit int, sum float64) []budgetRow {
	figure := func(name string) (float64, bool) { return number(figures[name+"_"+units[unit].key]) }
	total, ok := figure("total")
	if !ok {
		total = sum
	}
	rows := []budgetRow{{"total", quantity(total, unit), ""}}
	limit, ok := figure("limit")
	if !ok || limit <= 0 {
		return rows
	}
	rows = append(rows, budgetRow{"limit", quantity(limit, unit), ""})
	left, ok := figure("left")
	if !ok {
		left = limit - total
	}
	if left < 0 {
		return append(rows, budgetRow{"over by", quantity(-left, unit), ""})
	}
	note := percent(left, limit)
	if wanted, ok := figure("wanted_left"); ok {
		note += fmt.Sprintf(", wanted %s (%s)", quantity(wanted, unit), percent(wanted, limit))
	}
	return append(rows, budgetRow{"left", quantity(left, unit), note})
}

// percent never rounds up: 19.96 % must not be read as the 20 % it falls short of.
func percent(part, whole float64) string {
	return plain(math.Floor(part/whole*1000+1e-6)/10) + " %"
}

func quantity(n float64, unit int) string { return plain(n) + " " + units[unit].written }

// plain writes a number as a person would: at most one decimal, no exponent.
func plain(n float64) string {
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64)
}

// number reads what a policy or a decoder may give: OPA's json.Number among them.
func number(v any) (float64, bool) {
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
	if n, ok := number(v); ok {
		return strconv.FormatFloat(math.Round(n*1000)/1000, 'f', -1, 64)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return terminal.Printable(fmt.Sprint(v))
	}
	return terminal.Printable(string(data))
}

// otherFigures are those that the budget table does not show, as key and value.
func otherFigures(figures map[string]any) [][2]string {
	shown := map[string]bool{}
	if b, ok := budgetOf(figures); ok {
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
