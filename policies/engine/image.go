package engine

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/version"

	"github.com/headroom-dev/headroom/policies"
)

// An image is the compiled policies in bytes. Parsing and compiling them takes ten times
// as long as reading an image, and eight times the memory: for a single file it would be
// nearly all that the linter does. `make build` puts one into the binary. Where there is
// none, or it was made of other sources or by another OPA, New compiles.
//
// First come the terms, each after those that it is made of, then the rules of each
// module. Equal terms are one term, whoever uses it: nothing changes a compiled policy.

// imageFile is where the image stands in policies.Files.
const imageFile = "compiled/policies.image"

// imageFormat is changed when the bytes get another meaning.
const imageFormat = "headroom policy image 1\n"

var errImage = errors.New("the policy image is damaged: `make build` writes a new one")

// imageHeader is what an image of these files starts with.
func imageHeader(files []string) ([]byte, error) {
	sum := sha256.New()
	sum.Write([]byte("OPA " + version.Version))
	for _, file := range files {
		source, err := policies.Files.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read policy module: %w", err)
		}
		// The length keeps the end of one file from being the start of the next.
		sum.Write(text(text(nil, file), string(source)))
	}
	return sum.Sum([]byte(imageFormat)), nil
}

// Image compiles the policies and writes them down.
func Image() ([]byte, error) {
	files, err := moduleFiles()
	if err != nil {
		return nil, err
	}
	header, err := imageHeader(files)
	if err != nil {
		return nil, err
	}
	modules, err := parseModules(files, false)
	if err != nil {
		return nil, err
	}
	compiler, err := compile(modules)
	if err != nil {
		return nil, err
	}
	return writeImage(header, files, compiler.Modules)
}

// fromImage gives the compiler that has compiled the files, nil if the image is not theirs.
func fromImage(image []byte, files []string) (*ast.Compiler, error) {
	header, err := imageHeader(files)
	if err != nil || !bytes.HasPrefix(image, header) {
		return nil, err
	}
	modules, err := readImage(image[len(header):])
	if err != nil {
		return nil, err
	}
	// With nothing to compile, the stages that walk through modules have nothing to do.
	// Those that make the trees and indexes of rules follow, and see the modules.
	compiler := ast.NewCompiler().WithSkipStages(skippedStages...)
	compiler.WithStageAfterID(ast.StageInitLocalVarGen, ast.CompilerStageDefinition{
		Name: "TakeImage",
		Stage: func(c *ast.Compiler) *ast.Error {
			c.Modules = modules
			return nil
		},
	})
	compiler.Compile(nil)
	if compiler.Failed() {
		return nil, fmt.Errorf("take over the compiled policies: %w", compiler.Errors)
	}
	return compiler, nil
}
