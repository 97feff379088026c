package lint

import (
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

// touched are the lines of a file that the fixes of one rule change in one object.
type touched struct {
	rule  string
	lines []changed.Range
}

// touchedBy gives the lines of text that each rule whose fix was applied to an object changes: what
// the edits of that rule alone do. Tries bounds the work, since each rule takes reading the document
// anew. Without any left, and where the edits of one rule cannot be made alone, a rule has no lines.
func touchedBy(text []byte, o *FixedObject, tries *int) []touched {
	var all []touched
	for _, rule := range rulesOf(o) {
		t := touched{rule: rule}
		if *tries--; *tries >= 0 {
			alone := *o
			alone.Patch = slices.DeleteFunc(slices.Clone(o.Patch), func(op engine.Operation) bool {
				return !slices.ContainsFunc(o.Applied, func(a engine.Applied) bool {
					return a.Rule == rule && related(op.Path, a.Path)
				})
			})
			if after, err := edit.Apply(text, o.Document, alone.operations()); err == nil {
				for _, h := range changed.Hunks(text, after) {
					t.lines = append(t.lines, h.Before)
				}
			}
		}
		all = append(all, t)
	}
	return all
}

// related tells that an operation at one JSON pointer makes a change at the other, or a part of it.
func related(op, change string) bool {
	op, change = strings.TrimSuffix(op, "-"), change+"/"
	if !strings.HasSuffix(op, "/") {
		op += "/"
	}
	return strings.HasPrefix(op, change) || strings.HasPrefix(change, op)
}

// rulesAt are the rules that change lines of a range: all rules of the object where none is known to.
func rulesAt(lines changed.Range, all []touched) []string {
	var rules, every []string
	for _, t := range all {
		every = append(every, t.rule)
		if slices.ContainsFunc(t.lines, func(own changed.Range) bool { return meet(own, lines) }) {
			rules = append(rules, t.rule)
		}
	}
	if len(rules) == 0 {
		return every
	}
	return rules
}

// meet tells that two ranges of lines overlap or touch: one that is empty stands between two lines.
func meet(a, b changed.Range) bool { return a.First <= b.Last+1 && b.First <= a.Last+1 }

func rulesOf(o *FixedObject) []string {
	var rules []string
	for _, a := range o.Applied {
		rules = append(rules, a.Rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}
