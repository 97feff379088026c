// Package edit changes fields of manifests where they stand in their files. Comments, the
// order of keys, quotes, indentation, line ends and every other byte that is not meant stay
// as they are, which writing YAML anew does not do.
//
// Apply takes the JSON patches (RFC 6902) that policies/engine makes. What cannot be changed
// without touching something else, as a value that comes from an anchor, is left alone and
// said so (ErrUnsafe). Whatever is written has been read again and is what the patch makes
// of the object.
package edit

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Apply applies operations (add, replace and remove) to one document of a YAML or JSON file
// and gives the file's new text. Documents count from 0 as source.Parse gives them, those
// that are empty or no Kubernetes object included. Every error but that of a patch that does
// not fit the object is an ErrUnsafe; the text given is never changed.
func Apply(text []byte, document int, ops []engine.Operation) (out []byte, err error) {
	// A bug here must cost one edit, and never a file.
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, &Error{Reason: fmt.Sprintf("a bug in headroom; please report it (%v)", r)}
		}
	}()
	f, err := open(text)
	if err != nil {
		return nil, err
	}
	d, err := f.document(document)
	if err != nil {
		return nil, err
	}
	ops, err = canonical(ops)
	if err != nil {
		return nil, err
	}
	wanted, err := patched(d.object, ops)
	if err != nil {
		return nil, err
	}
	edited, err := d.edit(ops)
	if err != nil {
		return nil, err
	}
	out = slices.Concat(text[:d.start], edited, text[d.end:])
	if err := verify(f, out, document, wanted); err != nil {
		return nil, &Error{Line: d.line, Reason: notWhat}
	}
	return out, nil
}

// edit applies operations one after the other to the document's text.
func (d *doc) edit(ops []engine.Operation) ([]byte, error) {
	raw := d.raw
	for len(ops) > 0 {
		t := fold(raw)
		root, err := d.parse(t.text)
		if err == nil {
			err = untemplated(lines(t.text), root)
		}
		if err != nil {
			return nil, d.located(t, err)
		}
		done, splices, err := d.round(lines(t.text), root, ops)
		if err != nil {
			return nil, d.located(t, err)
		}
		raw, ops = t.apply(splices), ops[done:]
	}
	return raw, nil
}

func (d *doc) parse(text string) (*node, error) {
	if d.json {
		return parseJSON(text)
	}
	return parseYAML(text)
}

// round plans as many operations as can be made from one reading of the text: those that
// change collections of which none lies in another.
func (d *doc) round(text lines, root *node, ops []engine.Operation) (done int, splices []splice, err error) {
	var touched []string
	for _, op := range ops {
		parent := op.Path[:strings.LastIndexByte(op.Path, '/')]
		if slices.ContainsFunc(touched, func(other string) bool { return related(parent, other) }) {
			break
		}
		touched = append(touched, parent)
		p, err := locate(text, root, d.json, op.Path)
		if err != nil {
			return 0, nil, err
		}
		if op.Op == opAdd && p.found == nil && p.node().mergeKey() != nil && has(d.object, op.Path) {
			return 0, nil, absent(p.node(), p.key)
		}
		more, err := p.plan(op)
		if err != nil {
			return 0, nil, err
		}
		splices = append(splices, more...)
		done++
	}
	return done, splices, nil
}

func related(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

func (p *place) plan(op engine.Operation) ([]splice, error) {
	if op.Op == opAdd {
		return p.add(op.Value)
	}
	if p.found == nil {
		return nil, absent(p.node(), p.key)
	}
	if op.Op == opRemove {
		return p.remove()
	}
	return p.put(p.node(), p.found, op.Value)
}

// verify reads what was written: the document is what the patch makes of it, and the file has
// as many documents as before.
func verify(before *file, written []byte, document int, wanted map[string]any) error {
	after, err := open(written)
	if err != nil {
		return err
	}
	got, err := after.document(document)
	if err != nil {
		return err
	}
	if len(after.texts) != len(before.texts) || !reflect.DeepEqual(got.object, wanted) {
		return errors.New(notWhat)
	}
	return nil
}

const notWhat = "the text is written in a way that cannot be changed: it would not read as meant"
