package lint

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

// maxTries bounds how often a document is read anew to find which of its objects cannot be edited.
// A List can have thousands, each of which takes reading all of it.
const maxTries = 64

// write gives the file's new text, and notes at the objects what was left alone.
func (f *fixer) write(name string, text []byte, objects []FixedObject) ([]byte, error) {
	if line, words := generated(text); line > 0 && !f.options.Generated {
		for i := range objects {
			objects[i].Left = fmt.Sprintf("the file says that it is generated (%q); --generated changes it all the same", words)
			objects[i].LeftLine = line
		}
		return text, nil
	}
	if f.options.Accept != nil {
		return f.ask(name, text, objects)
	}
	documents := map[int][]*FixedObject{}
	patches := map[int][]engine.Operation{}
	for i := range objects {
		o := &objects[i]
		documents[o.Document] = append(documents[o.Document], o)
		patches[o.Document] = append(patches[o.Document], o.operations()...)
	}
	after, errs := edit.ApplyAll(text, patches)
	for _, document := range slices.Sorted(maps.Keys(errs)) {
		tries := maxTries
		after = apart(text, after, possible(text, documents[document]), &tries)
	}
	return after, nil
}

// possible leaves out the objects of a document of which one reading shows that they cannot be
// edited.
func possible(text []byte, objects []*FixedObject) []*FixedObject {
	patches := make([][]engine.Operation, len(objects))
	for i, o := range objects {
		patches[i] = o.operations()
	}
	var rest []*FixedObject
	for i, err := range edit.Check(text, objects[0].Document, patches) {
		if err != nil {
			objects[i].note(err)
		} else {
			rest = append(rest, objects[i])
		}
	}
	return rest
}

// apart edits as many of a document's objects as can be, by halves: one that cannot be edited
// must not hold up the others.
func apart(original, text []byte, objects []*FixedObject, tries *int) []byte {
	if len(objects) == 0 {
		return text
	}
	var ops []engine.Operation
	for _, o := range objects {
		ops = append(ops, o.operations()...)
	}
	if *tries--; *tries < 0 {
		for _, o := range objects {
			o.Left = "too many objects of this document cannot be edited safely"
		}
		return text
	}
	edited, err := edit.Apply(text, objects[0].Document, ops)
	if err == nil {
		return edited
	}
	if len(objects) == 1 {
		objects[0].leave(original, err)
		return text
	}
	half := len(objects) / 2
	text = apart(original, text, objects[:half], tries)
	return apart(original, text, objects[half:], tries)
}

// leave notes why an object is left alone. Lines are those of the file as the user has it.
func (o *FixedObject) leave(original []byte, err error) {
	if _, first := edit.Apply(original, o.Document, o.operations()); first != nil {
		err = first
	}
	o.note(err)
}

func (o *FixedObject) note(err error) {
	o.Left = err.Error()
	var unsafe *edit.Error
	if errors.As(err, &unsafe) {
		o.Left, o.LeftLine = unsafe.Reason, unsafe.Line
	}
}

// ask edits the objects one by one, each only if it is accepted.
func (f *fixer) ask(name string, text []byte, objects []FixedObject) ([]byte, error) {
	after := text
	for i := range objects {
		o := &objects[i]
		edited, err := edit.Apply(after, o.Document, o.operations())
		if err != nil {
			o.leave(text, err)
			continue
		}
		o.Diff = edit.Diff(name, after, edited)
		accepted, err := f.options.Accept(*o)
		if err != nil {
			for j := i; j < len(objects); j++ {
				objects[j].Declined = true
			}
			return after, err
		}
		o.Declined = !accepted
		if accepted {
			after = edited
		}
	}
	return after, nil
}

// operations are the object's patch as one of its document.
func (o *FixedObject) operations() []engine.Operation {
	if len(o.Prefix) == 0 {
		return o.Patch
	}
	ops := slices.Clone(o.Patch)
	for i := range ops {
		ops[i].Path = engine.Pointer(o.Prefix) + ops[i].Path
	}
	return ops
}
