package suggest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// maxBuilds bounds how often a kustomization is built to find its patches.
const maxBuilds = 100

// patches are for what values do not do: on what the chart renders with the values found.
func (s *search) patches(ctx context.Context, from source.HelmChart) ([]Snippet, error) {
	rendered, err := s.chart.Render(ctx, s.found.given(s.chart.Given))
	if err != nil {
		return nil, err
	}
	now := newWorld(rendered)
	var list []patchable
	var notes []string
	for _, t := range s.targets {
		if !slices.ContainsFunc(t.needs, func(n *need) bool { return !n.met() }) {
			continue
		}
		p := t.rest(now)
		list = append(list, p)
		notes = append(notes, t.why())
		if hook := hookOf(p.from); hook != "" {
			notes = append(notes, fmt.Sprintf("%s is a hook (%s), which Helm 3 does not send through a post-renderer.",
				spoken(p.from), hook))
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	snippet, err := onTop(ctx, list)
	if err != nil {
		return nil, err
	}
	snippet.Origin = from.Path
	snippet.Where = "into a kustomization.yaml over what the chart renders, with helmCharts or with " +
		"resources: [all.yaml] for what helm template prints; or below postRenderers[].kustomize of a Flux HelmRelease"
	if len(s.accepted) > 0 {
		snippet.Where += "; beside the values"
	}
	snippet.Note = strings.TrimSpace(strings.Join(append(slices.Compact(notes), snippet.Note), " "))
	return []Snippet{snippet}, nil
}

// rest is what remains to be done to a target once values have done their part.
func (t *target) rest(now *world) patchable {
	from := t.before
	if object, ok := now.objects[t.id]; ok {
		from = object.Object
	}
	wants := map[string]change{}
	for key, want := range t.wants {
		if !t.done[key] {
			wants[key] = want
		}
	}
	return patchable{
		id: t.id, from: from, to: withDone(t.after, from, t), wants: wants, names: []string{metaOf(from, "name")},
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
func write(object map[string]any, c change) {
	var here any = object
	for i, step := range c.path {
		fields, isMap := here.(map[string]any)
		key, isKey := step.(string)
		switch {
		case isMap && isKey && i == len(c.path)-1:
			if c.to == nil {
				delete(fields, key)
			} else {
				fields[key] = c.to.raw
			}
			return
		case isMap && isKey && fields[key] == nil && !isNamed(c.path[i+1]):
			fields[key] = map[string]any{}
		case isMap && isKey && isNamed(c.path[i+1]):
			list, _ := fields[key].([]any)
			if at(list, c.path[i+1:i+2]) == nil {
				name := string(c.path[i+1].(named)) // as isNamed has seen
				fields[key] = append(slices.Clone(list), map[string]any{"name": name})
			}
		}
		here = at(here, c.path[i:i+1])
	}
}

func isNamed(step any) bool {
	_, ok := step.(named)
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
	return spoken(t.before) + ", " + strings.Join(reasons, "; ") + "."
}

// called is what a need is about.
func (n *need) called() string {
	switch {
	case n.name != "":
		return n.name
	case n.kind == atResources:
		return "resources"
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

// onTop finds patches for objects as another program prints them.
func onTop(ctx context.Context, list []patchable) (Snippet, error) {
	var objects []map[string]any
	for _, p := range list {
		objects = append(objects, p.from)
	}
	base, err := source.PatchObjects(objects, nil)
	if err != nil {
		return Snippet{}, err
	}
	p := patching{list: list, base: worldOf(base), left: maxBuilds, build: func(patches []map[string]any) (
		[]map[string]any, error,
	) {
		return source.PatchObjects(objects, patches)
	}}
	for i := range p.list {
		p.list[i].id = p.base.find(p.list[i].from)
	}
	return p.snippet(ctx)
}

// snippet writes the patches that were found.
func (p *patching) snippet(ctx context.Context) (Snippet, error) {
	chosen, undone, err := p.settle(ctx)
	if err != nil {
		return Snippet{}, err
	}
	snippet := Snippet{Kind: KindPatch, Covers: len(p.list) - len(undone)}
	for _, i := range undone {
		snippet.Note += fmt.Sprintf("Kustomize has no patch that changes %s and nothing else. ", spoken(p.list[i].from))
	}
	snippet.Note = strings.TrimSpace(snippet.Note)
	if len(chosen) > 0 {
		snippet.Text, err = patchesText(chosen)
	}
	return snippet, err
}
