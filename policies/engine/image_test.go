package engine

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
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
