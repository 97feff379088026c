package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/version"
)

// imaged gives the image of the policies and what it was made of.
func imaged(t *testing.T) (image []byte, files []string, sources *ast.Compiler) {
	t.Helper()
	files, err := moduleFiles()
	if err != nil {
		t.Fatal(err)
	}
	modules, err := parseModules(files, false)
	if err != nil {
		t.Fatal(err)
	}
	if sources, err = compile(modules); err != nil {
		t.Fatal(err)
	}
	if image, err = Image(); err != nil {
		t.Fatal(err)
	}
	return image, files, sources
}

func TestImageHoldsTheCompiledPolicies(t *testing.T) {
	image, files, sources := imaged(t)
	read, err := fromImage(image, files)
	if err != nil {
		t.Fatal(err)
	}
	for file, module := range sources.Modules {
		rules := read.Modules[file].Rules
		if len(rules) != len(module.Rules) {
			t.Fatalf("%s: %d rules, not %d", file, len(rules), len(module.Rules))
		}
		for i, want := range module.Rules {
			if !rules[i].Equal(want) || rules[i].Loc().String() != want.Loc().String() {
				t.Errorf("%s:\n%v\nis read as\n%v", want.Loc(), want, rules[i])
			}
		}
	}
	again, err := Image()
	if err != nil || !bytes.Equal(again, image) {
		t.Errorf("two images of the same policies differ; %v", err)
	}
}

func TestImageDecidesAlike(t *testing.T) {
	image, files, sources := imaged(t)
	read, err := fromImage(image, files)
	ctx := context.Background()
	imaged, err := withCompiler(ctx, read, err, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := withCompiler(ctx, sources, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, manifest := range manifests(t, os.DirFS("../rego/headroom/rules")) {
		review := Review{Manifest: map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{manifest}}}
		want, err := compiled.Evaluate(ctx, review)
		if err != nil {
			t.Fatal(err)
		}
		got, err := imaged.Evaluate(ctx, review)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v\nnot\n%v", got, err, want)
		}
	}
}

func TestImageOfOtherSourcesIsLeftAlone(t *testing.T) {
	image, files, _ := imaged(t)
	for name, other := range map[string][]byte{
		"none": nil, "other sources": append([]byte(imageFormat+"0"), image...), "half a header": image[:len(imageFormat)+8],
	} {
		if compiler, err := fromImage(other, files); compiler != nil || err != nil {
			t.Errorf("%s: %v, %v", name, compiler, err)
		}
	}
	if compiler, err := fromImage(image, files[1:]); compiler != nil || err != nil {
		t.Errorf("one file less: %v, %v", compiler, err)
	}
}

func TestDamagedImageIsAnError(t *testing.T) {
	image, files, _ := imaged(t)
	header, err := imageHeader(files)
	if err != nil {
		t.Fatal(err)
	}
	const step = 9973 // a prime, to cut at all sorts of places
	for n := len(header); n < len(image); n += step {
		if _, err := readImage(image[len(header):n]); err == nil {
			t.Errorf("an image cut off after %d of %d bytes is read", n, len(image))
		}
	}
	if _, err := readImage(append(bytes.Clone(image[len(header):]), 0)); err == nil {
		t.Error("a byte too many is read")
	}
}

func TestCompilerOf(t *testing.T) {
	image, files, _ := imaged(t)
	for name, tc := range map[string]struct {
		image []byte
		taken bool
	}{"its image": {image, true}, "none": {nil, false}} {
		compiler, err := compilerOf(tc.image)
		if err != nil {
			t.Fatal(err)
		}
		// Only the sources have the text of a place.
		head := compiler.Modules[files[0]].Rules[0].Head.Location
		if taken := len(head.Text) == 0; taken != tc.taken || head.Row == 0 || head.Col == 0 {
			t.Errorf("%s: at %+v", name, head)
		}
	}
	if _, err := compilerOf(append(bytes.Clone(image), 0)); !errors.Is(err, errImage) {
		t.Error(err)
	}
}

func TestImageOfAnotherOPA(t *testing.T) {
	used := version.Version
	t.Cleanup(func() { version.Version = used })
	before, err := imageHeader(nil)
	if err != nil {
		t.Fatal(err)
	}
	version.Version = "another"
	if after, err := imageHeader(nil); err != nil || bytes.Equal(before, after) {
		t.Errorf("%x is the header for both; %v", after, err)
	}
	if _, err := imageHeader([]string{"none"}); err == nil {
		t.Error("no error where a file is missing")
	}
}

func TestImageWritesNothingUnknown(t *testing.T) {
	for name, broken := range map[string]func(*imageWriter){
		"write policy image: a compiled policy holds a <nil>": func(w *imageWriter) { w.add(&ast.Term{}); w.fail("later") },
		"write policy image: a compiled policy holds a int":   func(w *imageWriter) { w.body(nil, ast.Body{{Terms: 7}}) },
	} {
		w := imageWriter{known: map[string]uint64{}}
		if broken(&w); w.err == nil || w.err.Error() != name {
			t.Errorf("%v, not %s", w.err, name)
		}
	}
	for row, want := range map[int]byte{-1: 0, 0: 0, 1: 1, 127: 127} {
		if got := location(nil, &ast.Location{Row: row}); !bytes.Equal(got, []byte{want}) {
			t.Errorf("row %d: %v", row, got)
		}
	}
	for got, want := range map[string]string{
		string(location(nil, nil)): "\x00", string(flag(nil, true)): "\x01", string(flag(nil, false)): "\x00", string(text(nil, "ab")): "\x02ab",
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestImageReaderOfNumbers(t *testing.T) {
	for _, n := range []uint64{0, 1, 127, 128, 129, 16383, 16384, 1<<56 - 1} {
		r := imageReader{rest: string(binary.AppendUvarint(nil, n)) + "x"}
		if got := r.uvarint(); got != int(n) || r.damaged || r.rest != "x" {
			t.Errorf("%d is read as %d, damaged %t, rest %q", n, got, r.damaged, r.rest)
		}
	}
	r := imageReader{rest: strings.Repeat("\x80", 8) + "x"}
	if got := r.uvarint(); got != 0 || !r.damaged || r.rest != "x" {
		t.Errorf("what is too long is read as %d, damaged %t, rest %q", got, r.damaged, r.rest)
	}
}

func TestImageReaderOfWhatDoesNotFit(t *testing.T) {
	terms := []ast.Term{*ast.StringTerm("a"), *ast.StringTerm("b")}
	for _, tc := range []struct {
		name    string
		rest    string
		read    func(*imageReader) any
		want    any
		damaged bool
	}{
		{"a byte of nothing", "", func(r *imageReader) any { return r.byte() }, byte(0), true},
		{"a byte", "\x07", func(r *imageReader) any { return r.byte() }, byte(7), false},
		{"a text to the end", "\x02ab", func(r *imageReader) any { return r.text() }, "ab", false},
		{"an empty text at the end", "\x00", func(r *imageReader) any { return r.text() }, "", false},
		{"a text beyond the end", "\x03ab", func(r *imageReader) any { return r.text() }, "", true},
		{"the last term", "\x01", func(r *imageReader) any { return r.term().String() }, `"b"`, false},
		{"a term behind the last", "\x02", func(r *imageReader) any { return r.term().String() }, "null", true},
		{"no term", "\x00", func(r *imageReader) any { return r.optional() == nil }, true, false},
		{"perhaps the first term", "\x01", func(r *imageReader) any { return r.optional().String() }, `"a"`, false},
		{"perhaps a term behind the last", "\x03", func(r *imageReader) any { return r.optional().String() }, "null", true},
		{"an empty list", "\x00", func(r *imageReader) any { return r.list() == nil }, true, false},
		{"a list", "\x02\x01\x00", func(r *imageReader) any { return fmt.Sprint(r.list()) }, `["b" "a"]`, false},
		{"a value of an unknown kind", "\xff", func(r *imageReader) any { return r.value().String() }, "null", true},
		{"an object", string([]byte{kindObject, 2, 0, 1}), func(r *imageReader) any { return r.value().String() }, `{"a": "b"}`, false},
		{"no place", "\x00", func(r *imageReader) any { return r.location() == nil }, true, false},
		{"a place", "\x07", func(r *imageReader) any { l := r.location(); return fmt.Sprint(l.File, l.Row, l.Col) }, "f7 1", false},
		{"an expression of an unknown kind", "\x01\x00\x00\x00\x00\x09", func(r *imageReader) any { return len(r.body()) }, 1, true},
	} {
		r := imageReader{rest: tc.rest, terms: terms, file: "f"}
		if got := tc.read(&r); got != tc.want || r.damaged != tc.damaged {
			t.Errorf("%s: %v, damaged %t", tc.name, got, r.damaged)
		}
	}
	for _, image := range []string{"\x00\x00\x00", "\x00\x01"} {
		if _, err := readImage([]byte(image)); !errors.Is(err, errImage) {
			t.Errorf("%q: %v", image, err)
		}
	}
	if modules, err := readImage([]byte("\x00\x00")); err != nil || len(modules) != 0 {
		t.Errorf("%v, %v", modules, err)
	}
}
