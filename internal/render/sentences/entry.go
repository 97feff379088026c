package sentences

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Places and advice that an entry lists at most.
const (
	maxAlso = 8
	maxOwn  = 60 // columns of the advice for one more container
)

// Subject is what a finding of an entry is about: namespace/workload, and /container where that has a
// name of its own. The kind is added if objects of two kinds share the name. Of a cluster, and of
// what is no container, it is the object as kubectl names it.
func Subject(e *report.Entry, f *engine.Finding) string {
	object := f.Resource
	switch {
	case f.Container == "":
		return Title(object)
	case f.File == "":
		return Title(object) + ", " + terminal.Printable(f.Container)
	case object.Name == "":
		return terminal.Printable(f.Container)
	}
	if !e.NeedsKind(f) {
		object.Kind = ""
	}
	if f.Container == f.Resource.Name {
		return Title(object)
	}
	return Title(object) + "/" + terminal.Printable(f.Container)
}

// Wanted is what would be right, for the first container of an entry; of classes that are missing, the
// way to set them all.
func Wanted(e *report.Entry) string {
	if e.Rule != report.ClassMissing || e.Workloads() < 2 {
		return terminal.Printable(e.Expected) + inAll(e)
	}
	const wanted = "annotation headroom.dev/workload-class, or classes in headroom.yaml"
	count, example := map[string]int{}, ""
	seen := map[report.GroupKey]bool{}
	for _, f := range e.Places {
		key := report.GroupKey{File: f.File, Resource: f.Resource}
		class, _ := f.Figures["suggested_class"].(string)
		if class == "" || seen[key] {
			continue
		}
		seen[key] = true
		count[class]++
		if evidence, _ := f.Figures["evidence"].(string); example == "" {
			example = fmt.Sprintf("%s: %s", Subject(e, f), terminal.Printable(evidence))
		}
	}
	if len(count) == 0 {
		return wanted
	}
	var suggested []string
	for _, class := range slices.Sorted(maps.Keys(count)) {
		suggested = append(suggested, fmt.Sprintf("%s for %d", terminal.Printable(class), count[class]))
	}
	return fmt.Sprintf("%s: `headroom init` suggests %s (%s)", wanted, strings.Join(suggested, ", "), example)
}

// inAll is what the fixes of several workloads cost together, where the rule says what each costs.
func inAll(e *report.Entry) string {
	bytes, seen := 0.0, map[report.GroupKey]bool{}
	for _, f := range e.Places {
		key := report.GroupKey{File: f.File, Resource: f.Resource}
		if more, ok := report.Number(f.Figures["more_bytes"]); ok && !seen[key] {
			bytes += more
		}
		seen[key] = true
	}
	if len(seen) < 2 || bytes <= 0 {
		return ""
	}
	const gib = 1 << 30
	amount := words.Plain(bytes / gib)
	return fmt.Sprintf("; in all %s GiB more reserved for %s; lower limits reserve less", amount, words.Count(len(seen), "workload"))
}

// Price is what an entry gives up by what is wanted; nothing where it is not the same everywhere, as
// --verbose has it for each.
func Price(e *report.Entry) string {
	for _, f := range e.Places {
		if f.Price != e.Price {
			return ""
		}
	}
	return terminal.Printable(e.Price)
}

// Prices are the prices of findings, each once: "price of HR202: …".
func Prices(lists ...[]engine.Finding) []string {
	var prices []string
	for _, f := range slices.Concat(lists...) {
		text := terminal.Printable("price of " + f.Rule + ": " + f.Price)
		if f.Price != "" && !slices.Contains(prices, text) {
			prices = append(prices, text)
		}
	}
	return prices
}

// Also lists the further containers of an entry, each with its line and with what is wanted of it
// where that differs: "worker:58 (requests.memory: 768Mi), shipper:91". fits says how much of the
// text there is room for; more stands behind the number of the rest, and says how to see it.
func Also(e *report.Entry, more string, fits func(string) bool) string {
	var list []string
	before := e.Places[0]
	for _, f := range e.Places[1:] {
		text := Subject(e, f)
		switch {
		case f.File == before.File && f.Line > 0:
			text += fmt.Sprintf(":%d", f.Line)
		case path.Dir(f.File) == path.Dir(e.File) && f.File != "":
			text += " " + Place(path.Base(f.File), f.Line)
		case f.File != "":
			text += " " + Place(f.File, f.Line)
		}
		if wanted := terminal.Printable(f.Expected); e.Rule != report.ClassMissing && wanted != "" &&
			strings.ReplaceAll(f.Expected, f.Container, "") != strings.ReplaceAll(e.Expected, e.Container, "") {
			if terminal.Width(wanted) > maxOwn {
				wanted = "other advice"
			}
			text += " (" + wanted + ")"
		}
		list, before = append(list, text), f
	}
	for n := min(len(list), maxAlso); n >= 0; n-- {
		text := strings.Join(list[:n], ", ")
		if rest := len(list) - n; rest > 0 {
			text = strings.TrimPrefix(fmt.Sprintf("%s and %d more%s", text, rest, more), " and ")
		}
		if n == 0 || fits(text) {
			return text
		}
	}
	return ""
}

// EntryNotes stand behind the head of an entry: "auto-fixable", "with HR403, HR404".
func EntryNotes(e *report.Entry) string {
	var parts []string
	if e.Mark.New {
		parts = append(parts, "new")
	}
	if e.Fixable {
		parts = append(parts, "auto-fixable")
	}
	if len(e.With) > 0 {
		parts = append(parts, "with "+terminal.Printable(strings.Join(e.With, ", ")))
	}
	return strings.Join(parts, ", ")
}

// Where is the first container of an entry and its place: "cart  shop.yaml:31".
func Where(e *report.Entry, between string) string {
	return strings.TrimSuffix(Subject(e, &e.Finding)+between+Place(e.File, e.Line), between)
}
