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
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Apply applies operations (add, replace and remove) to one document of a YAML or JSON file
// and gives the file's new text. Documents count from 0 as source.Parse gives them, those
// that are empty or no Kubernetes object included. Every error but that of a patch that does
// not fit the object is an ErrUnsafe; the text given is never changed.
func Apply(text []byte, document int, ops []engine.Operation) ([]byte, error) {
	out, errs := ApplyAll(text, map[int][]engine.Operation{document: ops})
	if err := errs[document]; err != nil {
		return nil, err
	}
	return out, nil
}

// ApplyAll is Apply for several documents of a file. A document with an error stays as it is.
func ApplyAll(text []byte, patches map[int][]engine.Operation) (out []byte, errs map[int]error) {
	errs = map[int]error{}
	f, err := open(text)
	at := 0
	for _, index := range slices.Sorted(maps.Keys(patches)) {
		if err != nil {
			errs[index] = err
			continue
		}
		d, edited, err := f.apply(index, patches[index])
		if err != nil {
			errs[index] = err
			continue
		}
		out = append(append(out, text[at:d.start]...), edited...)
		at = d.end
	}
	return append(out, text[at:]...), errs
}

// Check tells which of several patches of one document cannot be applied, each by itself, as far as
// one reading of it shows. It has nil for those that can, or that only Apply can tell of. It is for
// documents with many objects, of which reading each time takes long.
func Check(text []byte, document int, patches [][]engine.Operation) []error {
	errs := make([]error, len(patches))
	f, err := open(text)
	if err == nil {
		err = f.check(document, patches, errs)
	}
	if err != nil {
		for i := range errs {
			errs[i] = err
		}
	}
	return errs
}

func (f *file) check(document int, patches [][]engine.Operation, errs []error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = bug(r)
		}
	}()
	d, err := f.document(document)
	if err != nil {
		return err
	}
	t := fold(d.raw)
	root, err := d.read(t)
	if err != nil {
		return err
	}
	for i, ops := range patches {
		if ops, err = canonical(ops); err != nil {
			return err
		}
		r := round{text: lines(t.text), root: root, json: d.json, object: d.object}
		if _, err := r.plan(ops); err != nil {
			errs[i] = d.located(t, err)
		}
	}
	return nil
}

func bug(r any) error {
	return &Error{Reason: fmt.Sprintf("a bug in headroom; please report it (%v)", r)}
}

// apply gives the new text of one document.
func (f *file) apply(index int, ops []engine.Operation) (d *doc, edited []byte, err error) {
	// A bug here must cost one edit, and never a file.
	defer func() {
		if r := recover(); r != nil {
			d, edited, err = nil, nil, bug(r)
		}
	}()
	if d, err = f.document(index); err != nil {
		return nil, nil, err
	}
	if ops, err = canonical(ops); err != nil {
		return nil, nil, err
	}
	wanted, err := patched(d.object, ops)
	if err != nil {
		return nil, nil, err
	}
	if edited, err = d.edit(ops); err != nil {
		return nil, nil, err
	}
	// What was written is read again: it is one document, it is what the patch makes of the
	// object, and its last line still ends where the next document begins.
	got, err := objectOf(edited, d.line)
	if err != nil || !reflect.DeepEqual(got, wanted) || ended(d.raw) && !ended(edited) {
		return nil, nil, &Error{Line: d.line, Reason: notWhat}
	}
	return d, edited, nil
}

func ended(text []byte) bool { return strings.HasSuffix(fold(text).text, "\n") }

// edit applies operations to the document's text, in order where the order counts.
func (d *doc) edit(ops []engine.Operation) ([]byte, error) {
	raw, object := d.raw, d.object
	for {
		t := fold(raw)
		root, err := d.read(t)
		if err != nil {
			return nil, err
		}
		r := round{text: lines(t.text), root: root, json: d.json, object: object}
		if ops, err = r.plan(ops); err != nil {
			return nil, d.located(t, err)
		}
		raw = t.apply(r.splices)
		if len(ops) == 0 {
			return raw, nil
		}
		if object, err = objectOf(raw, d.line); err != nil {
			return nil, err
		}
	}
}

// read finds the places of a document's values.
func (d *doc) read(t folded) (*node, error) {
	root, err := d.parse(t.text)
	if err == nil {
		err = untemplated(lines(t.text), root)
	}
	if err != nil {
		return nil, d.located(t, err)
	}
	return root, nil
}

func (d *doc) parse(text string) (*node, error) {
	if d.json {
		return parseJSON(text)
	}
	return parseYAML(text)
}

const notWhat = "the text is written in a way that cannot be changed: it would not read as meant"
