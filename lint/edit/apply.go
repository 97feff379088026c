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
	raw, object := d.raw, d.object
	for {
		t := fold(raw)
		root, err := d.parse(t.text)
		if err == nil {
			err = untemplated(lines(t.text), root)
		}
		if err != nil {
			return nil, d.located(t, err)
		}
		r := round{text: lines(t.text), root: root, json: d.json, object: object}
		if err := r.plan(ops); err != nil {
			return nil, d.located(t, err)
		}
		raw, ops = t.apply(r.splices), ops[r.done:]
		if len(ops) == 0 {
			return raw, nil
		}
		if object, err = objectOf(raw, d.line); err != nil {
			return nil, err
		}
	}
}

func (d *doc) parse(text string) (*node, error) {
	if d.json {
		return parseJSON(text)
	}
	return parseYAML(text)
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
