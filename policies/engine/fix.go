package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// Fixed is an object with the fixes of its rules.
type Fixed struct {
	Before Result      // what the object was judged to be
	After  Result      // after the patch; the same as Before without a patch
	Patch  []Operation // against the manifest, nil where there is nothing to change
	// Object is the object with the patch; nil without a patch.
	Object map[string]any
	// Applied has one entry for each change, sorted by place.
	Applied []Applied
	// Dropped counts changes that were left out because the object would have got a finding
	// that it did not have. The rules see to it that there are none.
	Dropped int
}

// passes bounds how often an object is judged again: one fix can make room for another, and
// none needs a third.
const passes = 6

// Fix judges an object and works out one patch of it that has all fixes of its findings. The
// manifest itself is not changed.
func (e *Engine) Fix(ctx context.Context, r Review) (Fixed, error) { return e.FixOnly(ctx, r, nil) }

// FixOnly is Fix with the fixes of some rules, by ID; nil has those of all. A fix that does
// harm without the other rules' fixes is left out, which Dropped counts.
func (e *Engine) FixOnly(ctx context.Context, r Review, only map[string]bool) (Fixed, error) {
	if r.Around == nil {
		// As one object, whatever it looks like: the paths of fixes lead from there.
		r.Around = &Context{}
	}
	before, err := e.Evaluate(ctx, r)
	if err != nil {
		return Fixed{}, err
	}
	without := map[string]bool{}
	dropped := 0
	for {
		fixed, err := e.fix(ctx, r, before, choice{only, without})
		if err != nil {
			return Fixed{}, err
		}
		fixed.Dropped = dropped
		worse := fresh(before, fixed.After)
		if len(worse) == 0 {
			return fixed, nil
		}
		dropped += drop(fixed.Applied, worse, without)
	}
}

// drop adds to `without` the containers that got worse, or all where none of those that
// were changed did, and counts what is left out.
func drop(applied []Applied, worse, without map[string]bool) int {
	n := 0
	for _, a := range applied {
		if worse[a.Container] {
			n++
		}
	}
	if n > 0 {
		maps.Copy(without, worse)
		return n
	}
	for _, a := range applied {
		without[a.Container] = true
	}
	return len(applied)
}

// choice is which fixes are made.
type choice struct {
	only    map[string]bool // by rule; nil for all rules
	without map[string]bool // by container
}

func (c choice) has(f Finding) bool {
	return !c.without[f.Container] && (c.only == nil || c.only[f.Rule])
}

// fix applies the chosen fixes until none is left.
func (e *Engine) fix(ctx context.Context, r Review, before Result, chosen choice) (Fixed, error) {
	fixed := Fixed{Before: before, After: before}
	var object map[string]any
	original := r.Manifest
	for range passes {
		todo := wanted(fixed.After, chosen)
		if len(todo) == 0 {
			break
		}
		if object == nil {
			object, _ = DeepCopy(original).(map[string]any)
		}
		changed := false
		for _, change := range todo {
			applied, ok := apply(object, change.Change)
			if !ok {
				continue
			}
			changed = true
			applied.Rule, applied.Container = change.rule, change.container
			fixed.Applied = record(fixed.Applied, applied)
		}
		if !changed {
			break
		}
		r.Manifest = object
		after, err := e.Evaluate(ctx, r)
		if err != nil {
			return Fixed{}, err
		}
		fixed.After = after
	}
	if object != nil {
		fixed.Patch = patchOf(original, object)
	}
	if fixed.Patch != nil {
		fixed.Object = object
	}
	slices.SortStableFunc(fixed.Applied, func(a, b Applied) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule))
	})
	return fixed, nil
}

// todo is a change, and whose it is.
type todo struct {
	Change
	rule, container string
}

// wanted are the changes that a verdict asks for, each once: two rules can want the same,
// and the first of them has it. They come in the order of the findings.
func wanted(result Result, chosen choice) []todo {
	var list []todo
	seen := map[string]bool{}
	for _, f := range result.Findings {
		if !chosen.has(f) {
			continue
		}
		for _, c := range f.Changes {
			place := Pointer(c.Path) + "\x00" + c.Name
			if c.Kind == changeJVMFlags {
				place += strings.Join(c.Flags, " ")
			}
			if !seen[place] {
				seen[place] = true
				list = append(list, todo{c, f.Rule, f.Container})
			}
		}
	}
	return list
}

// record adds a change; a second one in the same place goes on from the first.
func record(list []Applied, a Applied) []Applied {
	for i, other := range list {
		if other.Path != a.Path {
			continue
		}
		if a.Added == "" {
			list[i].New = a.New
			return list
		}
		if other.Rule == a.Rule {
			list[i].Added = a.Added + " " + other.Added
			return list
		}
	}
	return append(list, a)
}

// fresh are the containers that have a finding which they did not have, or had less severe. An info is no harm: another
// collector brings those that speak of its own threads.
func fresh(before, after Result) map[string]bool {
	worst := map[[2]string]int{}
	for _, list := range [][]Finding{before.Findings, before.Exempted} {
		for _, f := range list {
			key := [2]string{f.Rule, f.Container}
			worst[key] = max(worst[key], severities[f.Severity])
		}
	}
	containers := map[string]bool{}
	for _, f := range after.Findings {
		if severities[f.Severity] > max(severities[SeverityInfo], worst[[2]string{f.Rule, f.Container}]) {
			containers[f.Container] = true
		}
	}
	return containers
}

var severities = map[string]int{SeverityInfo: 1, SeverityWarning: 2, SeverityError: 3}
