package values

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/patches"
	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Rest gives what values do not do, as objects to patch: those that the chart renders with the
// values that were found. The notes say why a patch is needed.
func (s *Search) Rest(ctx context.Context) (list []patches.Object, notes []string, err error) {
	if !slices.ContainsFunc(s.targets, (*target).open) {
		return nil, nil, nil
	}
	rendered, err := s.chart.Render(ctx, s.found.given(s.chart.Given))
	if err != nil {
		return nil, nil, err
	}
	now := tree.NewOutput(rendered)
	for _, t := range s.targets {
		if !t.open() {
			continue
		}
		p := t.rest(now)
		list = append(list, p)
		notes = append(notes, t.why())
		if hook := hookOf(p.From); hook != "" {
			notes = append(notes, fmt.Sprintf("%s is a hook (%s), which Helm 3 does not send through a post-renderer.",
				tree.Title(p.From), hook))
		}
	}
	return list, slices.Compact(notes), nil
}

// open says whether values leave something of a target to do.
func (t *target) open() bool {
	return slices.ContainsFunc(t.needs, func(n *need) bool { return !n.met() })
}

// rest is what remains to be done to a target once values have done their part.
func (t *target) rest(now *tree.Output) patches.Object {
	from := t.before
	if object, ok := now.Objects[t.id]; ok {
		from = object.Object
	}
	wants := map[string]tree.Change{}
	for key, want := range t.wants {
		if !t.done[key] {
			wants[key] = want
		}
	}
	return patches.Object{
		ID: t.id, From: from, To: withDone(t.after, from, t), Wants: wants, Names: []string{engine.ResourceOf(from).Name},
	}
}

// withDone is the object as it shall be, in the order in which values have put it.
func withDone(after, from map[string]any, t *target) map[string]any {
	if len(t.done) == 0 {
		return after
	}
	to := copied(from)
	for key, want := range t.wants {
		if !t.done[key] {
			write(to, want)
		}
	}
	return to
}

// write makes one change to an object.
func write(object map[string]any, c tree.Change) {
	var here any = object
	for i, step := range c.Path {
		fields, isMap := here.(map[string]any)
		key, isKey := step.(string)
		switch {
		case isMap && isKey && i == len(c.Path)-1:
			if c.To == nil {
				delete(fields, key)
			} else {
				fields[key] = c.To.Raw
			}
			return
		case isMap && isKey && fields[key] == nil && !isNamed(c.Path[i+1]):
			fields[key] = map[string]any{}
		case isMap && isKey && isNamed(c.Path[i+1]):
			list, _ := fields[key].([]any)
			if tree.At(list, c.Path[i+1:i+2]) == nil {
				name := string(c.Path[i+1].(tree.Named)) // as isNamed has seen
				fields[key] = append(slices.Clone(list), map[string]any{"name": name})
			}
		}
		here = tree.At(here, c.Path[i:i+1])
	}
}

func isNamed(step any) bool {
	_, ok := step.(tree.Named)
	return ok
}

// why says why values do not see to all of a target.
func (t *target) why() string {
	var reasons []string
	for _, n := range t.needs {
		if n.met() {
			continue
		}
		place := n.called()
		if c := n.container(); c != "" {
			place += " of container " + c
		}
		reason := "no value of the chart does it"
		if n.why != "" {
			reason = n.why
		}
		reasons = append(reasons, place+": "+reason)
	}
	return tree.Title(t.before) + ", " + strings.Join(reasons, "; ") + "."
}

// called is what a need is about.
func (n *need) called() string {
	switch {
	case n.name != "":
		return n.name
	case n.kind == atResources || n.kind == atCommand:
		return n.kind
	default:
		return engine.Pointer(n.owner)
	}
}

func hookOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	hook, _ := annotations["helm.sh/hook"].(string)
	return hook
}
