package lint

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// errNoObject is what is said of a line on which there is no object.
var errNoObject = errors.New("no object is on this line")

// Fix gives an open file's text with the fixes of some rules, by ID, or of all where no rule is named. It changes the
// object of a line, or all objects where the line is 0. Where it cannot, the error is the reason.
func (f *Folder) Fix(ctx context.Context, name string, line int, rules ...string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := f.open[name]
	if open == nil || !f.judged(name) {
		return nil, errNoObject
	}
	fixes := &fixer{engine: f.engine, options: FixOptions{Source: f.source}, around: f.around.contexts}
	for _, rule := range rules {
		if fixes.only == nil {
			fixes.only = map[string]bool{}
		}
		fixes.only[rule] = true
	}
	var objects []FixedObject
	for i, d := range open.documents {
		if line > 0 && !d.has(line) {
			continue
		}
		found, err := fixes.item(ctx, &fixedPart{}, d.item, i)
		if err != nil {
			return nil, err
		}
		if o := d.object(line); line > 0 && o != nil {
			found = slices.DeleteFunc(found, func(fixed FixedObject) bool { return !slices.Equal(fixed.Prefix, o.prefix) })
		}
		objects = append(objects, found...)
	}
	after, err := fixes.write(name, open.text, objects)
	if err != nil {
		return nil, err
	}
	for i := range objects {
		if objects[i].Left != "" && len(objects) == 1 {
			return nil, errors.New(objects[i].Left)
		}
	}
	return after, nil
}

// Exempt gives an open file's text with an annotation that exempts the object of a line from a rule. The reason is
// the annotation's value: an empty one exempts nothing until it is filled in.
func (f *Folder) Exempt(name string, line int, rule, reason string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := f.open[name]
	if open == nil {
		return nil, errNoObject
	}
	for i, d := range open.documents {
		if o := d.object(line); o != nil {
			return edit.Apply(open.text, i, exemption(o, rule, reason))
		}
	}
	return nil, errNoObject
}

// exemption adds the annotation, and the maps that it needs.
func exemption(o *object, rule, reason string) []engine.Operation {
	value := any(reason)
	path := "/metadata"
	key := "ignore.headroom.dev/" + rule
	meta, hasMetadata := o.manifest["metadata"].(map[string]any)
	annotations, hasAnnotations := meta["annotations"].(map[string]any)
	op := "add"
	switch {
	case hasAnnotations && len(annotations) > 0:
		path += "/annotations/" + strings.ReplaceAll(key, "/", "~1")
		if _, there := annotations[key]; there {
			op = "replace"
		}
	case hasMetadata:
		path, value = path+"/annotations", map[string]any{key: reason}
	default:
		value = map[string]any{"annotations": map[string]any{key: reason}}
	}
	return []engine.Operation{{Op: op, Path: engine.Pointer(o.prefix) + path, Value: value}}
}

// Object is the object of an open file that a line belongs to.
type Object struct {
	Resource engine.Resource
	review   engine.Review
	document *openDocument
}

// Line is the line of the file, from 1, that a JSON pointer leads to: one from the document, as findings have it.
func (o *Object) Line(pointer string) int {
	return o.document.item.Document.LineOfPointer(pointer) + o.document.line - o.document.read
}

// Pointer leads from the document to the object.
func (o *Object) Pointer() string { return engine.Pointer(o.review.Prefix) }

// Manifest is the object itself.
func (o *Object) Manifest() map[string]any { return o.review.Manifest }

// Object finds the object that a line belongs to; nil without one.
func (f *Folder) Object(name string, line int) *Object {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := f.open[name]
	if open == nil || !f.judged(name) {
		return nil
	}
	for _, d := range open.documents {
		o := d.object(line)
		if o == nil {
			continue
		}
		resource := engine.ResourceOf(o.manifest)
		return &Object{
			Resource: resource,
			review: engine.Review{
				Manifest: o.manifest, Prefix: o.prefix, Around: f.around.contexts.Of(resource.Namespace, d.item.Document.Place()),
				Place: d.item.Document.Place(), Comments: d.item.Document.CommentsOn(o.prefix, false),
			},
			document: d,
		}
	}
	return nil
}

// Explain says what is known of the object's containers; nothing where it is no workload.
func (f *Folder) Explain(ctx context.Context, o *Object) ([]engine.Explanation, error) {
	result, err := f.engine.Evaluate(ctx, o.review)
	if err != nil {
		return nil, err
	}
	for _, judged := range result.Objects {
		if judged.Judged {
			return f.engine.Explain(ctx, o.review, engine.ExplainOptions{})
		}
	}
	return nil, nil
}

// has says whether a line is one of the document's.
func (d *openDocument) has(line int) bool {
	if d.item.Document == nil || d.item.Skipped != "" || line < d.line {
		return false
	}
	if d.text == nil { // JSON, whose documents have no text of their own
		return true
	}
	return line < d.line+len(source.Lines(d.text))
}

// object is the object of the document that a line belongs to: of a List the last one that begins there or above.
func (d *openDocument) object(line int) *object {
	if !d.has(line) {
		return nil
	}
	var found *object
	for _, o := range objectsOf(d.item.Document) {
		if found == nil || d.item.Document.LineOf(o.prefix)+d.line-d.read <= line {
			found = &o
		}
	}
	return found
}

// Within says whether a line, from 1, is one of those that a JSON pointer's field takes. One that is not there takes
// none.
func (o *Object) Within(pointer string, line int) bool {
	first, next := o.document.item.Document.LinesOf(pointer)
	line -= o.document.line - o.document.read
	return first > 0 && line >= first && (next == 0 || line < next)
}
