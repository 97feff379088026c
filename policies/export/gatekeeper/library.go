package gatekeeper

import (
	_ "embed" // the adapter
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"

	"github.com/headroom-dev/headroom/policies"
)

// violation answers Gatekeeper with what the policies decide.
//
//go:embed violation.rego
var violation string

// apart is what judges running containers, explains or sizes: it has nothing to say to admission.
var apart = []string{"diagnose", "explain", "size"}

// parseModules parses the policies, tests left out, in the order of their files. Comments, and the
// METADATA in them, are not parsed: a template has no use for them, and etcd keeps it.
func parseModules() ([]*ast.Module, error) {
	var all []*ast.Module
	err := fs.WalkDir(policies.Files, "rego/headroom", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains(apart, entry.Name()) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".rego") || strings.HasSuffix(file, "_test.rego") {
			return err
		}
		text, err := policies.Files.ReadFile(file)
		if err != nil {
			return err
		}
		module, err := parse(file, string(text))
		all = append(all, module)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the policies: %w", err)
	}
	return all, nil
}

func parse(file, text string) (*ast.Module, error) {
	return ast.ParseModuleWithOpts(file, text, ast.ParserOptions{RegoVersion: ast.RegoV1})
}

// adapter is violation.rego as it stands in a template.
func adapter() (string, error) {
	module, err := parse("violation.rego", violation)
	if err != nil {
		return "", err
	}
	return printed(renamed(module))
}

// asLibrary is a module of the policies as it stands in a template, where libraries have to
// be packages below lib.
func asLibrary(module *ast.Module) (string, error) {
	module = renamed(module)
	module.Package.Path = below(module.Package.Path)
	return printed(module)
}

// renamed makes every reference to data an import below data.lib, where Gatekeeper allows it.
// Gatekeeper renames packages once more. It then finds every import, but no reference inside a
// comprehension or the argument of a call (regorewriter stops at the outer term). A rule with such
// a reference would silently find nothing.
func renamed(module *ast.Module) *ast.Module {
	module = module.Copy()
	for _, i := range module.Imports {
		i.Path.Value = below(i.Path.Value.(ast.Ref))
	}
	imported := false
	for _, rule := range module.Rules {
		ast.WalkTerms(rule, func(term *ast.Term) bool {
			if ref, ok := term.Value.(ast.Ref); ok && ref.HasPrefix(ast.DefaultRootRef) && !inventory(ref) {
				term.Value = append(ast.Ref{ast.VarTerm(library)}, ref[1:]...)
				imported = true
			}
			return false
		})
	}
	if imported {
		module.Imports = append(module.Imports, libraryImport(module))
	}
	return module
}

// libraryImport is "import data.lib", for the formatter below the other imports.
func libraryImport(module *ast.Module) *ast.Import {
	at := *module.Package.Location
	if n := len(module.Imports); n > 0 {
		at = *module.Imports[n-1].Location
	}
	at.Row++
	return &ast.Import{Path: ast.NewTerm(below(ast.DefaultRootRef)).SetLocation(&at), Location: &at}
}

// inventory is where Gatekeeper itself puts what it has synced.
func inventory(ref ast.Ref) bool {
	return ref.HasPrefix(ast.MustParseRef("data.inventory"))
}

// library is the package below which Gatekeeper takes libraries.
const library = "lib"

// below makes data.lib.a of data.a.
func below(ref ast.Ref) ast.Ref {
	return append(ast.Ref{ref[0], ast.StringTerm(library)}, ref[1:]...)
}

func printed(module *ast.Module) (string, error) {
	module.Comments = nil
	text, err := format.AstWithOpts(module, format.Opts{RegoVersion: ast.RegoV1})
	if err != nil {
		return "", fmt.Errorf("format %s: %w", module.Package.Location.File, err)
	}
	return string(text), nil
}
