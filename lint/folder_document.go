package lint

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// openFile is a file as an editor has it.
type openFile struct {
	name      string
	text      []byte
	documents []*openDocument
	rendered  *openValues // of a chart's file of values
}

// openDocument is one document of it, and what is known of it.
type openDocument struct {
	text       []byte
	item       source.Item
	read, line int // where it began when it was read, and where it begins now
	beside     []neighbour
	namespaces []string // of its objects
	// found is what was judged of it, with what stood around each of the namespaces.
	found  *part
	around []*engine.Context
}

func (f *openFile) neighbours() []neighbour {
	var all []neighbour
	for _, d := range f.documents {
		all = append(all, d.beside...)
	}
	return all
}

func (f *Folder) document(item source.Item, text []byte, line int) *openDocument {
	d := &openDocument{text: text, item: item, read: line, line: line}
	if item.Document == nil {
		return d
	}
	for manifest := range source.Objects(item.Document) {
		known, err := f.engine.KindOf(context.Background(), manifest)
		if err == nil && known.ContextList != "" {
			d.beside = append(d.beside, neighbour{known.ContextList, manifest, item.Document.Place()})
		}
		if namespace := engine.ResourceOf(manifest).Namespace; !slices.Contains(d.namespaces, namespace) {
			d.namespaces = append(d.namespaces, namespace)
		}
	}
	return d
}

// judge judges a document unless that is known.
func (d *openDocument) judge(ctx context.Context, j *judge) error {
	around := make([]*engine.Context, len(d.namespaces))
	for i, namespace := range d.namespaces {
		around[i] = j.around.Of(namespace, d.item.Document.Place())
	}
	if d.found != nil && slices.Equal(around, d.around) {
		return nil
	}
	found := &part{counted: true}
	if err := j.visit(ctx, found, d.item); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d.found, d.around = found, around
	return nil
}

// add adds what was found, at the lines where it is now.
func (d *openDocument) add(all *part) {
	by := d.line - d.read
	moved := func(findings []engine.Finding) []engine.Finding {
		findings = slices.Clone(findings)
		for i := range findings {
			findings[i].Line += by
		}
		return findings
	}
	all.counted = true
	all.documents += d.found.documents
	all.notKubernetes += d.found.notKubernetes
	all.findings = append(all.findings, moved(d.found.findings)...)
	all.exempted = append(all.exempted, moved(d.found.exempted)...)
	all.skipped = append(all.skipped, d.found.skipped...)
	for _, p := range d.found.problems {
		if p.Line > 0 {
			p.Line += by
		}
		all.problems = append(all.problems, p)
	}
	workloads := slices.Clone(d.found.workloads)
	for i := range workloads {
		workloads[i].Line += by
	}
	all.workloads = append(all.workloads, workloads...)
}

// surrounding is what stands around, by namespace. A namespace around which nothing changed keeps its Context.
type surrounding struct {
	all      []neighbour
	gathered beside.Gathered
	contexts beside.Around
}

// become takes other neighbours, and says whether they are others.
func (s *surrounding) become(all []neighbour) (bool, error) {
	if s.contexts != nil && slices.EqualFunc(all, s.all, same) {
		return false, nil
	}
	now := beside.Gathered{}
	for _, n := range all {
		now.Add(n.list, n.manifest, n.place)
	}
	anew := beside.Gathered{}
	everywhere := now[beside.Everywhere]
	nodesAlike := alikeLists(everywhere, s.gathered[beside.Everywhere])
	for namespace, lists := range now {
		if s.contexts[namespace] == nil || !nodesAlike || !alikeLists(lists, s.gathered[namespace]) {
			anew[namespace] = lists
		}
	}
	unnamed := now.Unnamed()
	alike := nodesAlike && maps.EqualFunc(unnamed, s.gathered.Unnamed(), alikeLists)
	if !alike {
		maps.Copy(anew, unnamed)
	}
	if everywhere != nil {
		anew[beside.Everywhere] = everywhere
	}
	contexts, err := anew.Contexts()
	if err != nil {
		return false, err
	}
	if nodesAlike && s.contexts[beside.Everywhere] != nil {
		contexts[beside.Everywhere] = s.contexts[beside.Everywhere]
	}
	for namespace, context := range s.contexts {
		kept := now[namespace] != nil
		if beside.Unnamed(namespace) {
			kept = alike
		}
		if kept && contexts[namespace] == nil {
			contexts[namespace] = context
		}
	}
	s.all, s.gathered, s.contexts = all, now, contexts
	return true, nil
}

func same(a, b neighbour) bool { return a.list == b.list && sameObject(a.manifest, b.manifest) }

// sameObject says whether both are one object in memory: documents that did not change keep theirs.
func sameObject(a, b map[string]any) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}

func alikeLists(a, b map[string][]map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for name, list := range a {
		if !slices.EqualFunc(list, b[name], sameObject) {
			return false
		}
	}
	return true
}
