//go:build integration

package release

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Error           *struct{ Err string }
}

// The program is compiled for the machine that runs the tests alone, as each other platform takes minutes. For the
// other systems its packages are there, and fit together: all types are checked, and what headroom's own functions
// do. The processors of one system differ in assembler only.
func TestTypesOfOtherSystems(t *testing.T) {
	for _, target := range []string{"darwin/arm64", "windows/amd64"} {
		t.Run(target, func(t *testing.T) {
			system, arch, _ := strings.Cut(target, "/")
			own := 0
			checked := map[string]*types.Package{"unsafe": types.Unsafe}
			for _, p := range dependencies(t, system, arch) {
				if p.Error != nil {
					t.Fatalf("%s: %s", p.ImportPath, p.Error.Err)
				}
				if p.ImportPath == "unsafe" {
					continue
				}
				if strings.HasPrefix(p.ImportPath, module+"/") {
					own++
				}
				checked[p.ImportPath] = typesOf(t, p, arch, checked)
				if t.Failed() {
					return // what imports it has more to say, and nothing new
				}
			}
			if own < 30 || len(checked) < 500 {
				t.Errorf("%d packages were looked at, %d of them headroom's", len(checked), own)
			}
		})
	}
}

// dependencies are the packages of the program, each after those that it imports.
func dependencies(t *testing.T, system, arch string) []listed {
	t.Helper()
	t.Setenv("GOOS", system)
	t.Setenv("GOARCH", arch)
	out := json.NewDecoder(strings.NewReader(run(t, root, "go", "list", "-e", "-deps",
		"-json=ImportPath,Dir,GoFiles,ImportMap,Error", "./cmd/headroom")))
	var all []listed
	for {
		var p listed
		err := out.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		check(t, err)
		all = append(all, p)
	}
}

func typesOf(t *testing.T, p listed, arch string, checked map[string]*types.Package) *types.Package {
	t.Helper()
	positions := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(positions, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		check(t, err)
		files = append(files, file)
	}
	config := types.Config{
		IgnoreFuncBodies: !strings.HasPrefix(p.ImportPath, module+"/"),
		Sizes:            types.SizesFor("gc", arch),
		Importer:         imports{p.ImportMap, checked},
		Error:            func(err error) { t.Error(err) },
	}
	made, _ := config.Check(p.ImportPath, positions, files, nil) // Error has them all
	return made
}

// imports gives packages that were checked before.
type imports struct {
	names   map[string]string // of the standard library's own copies
	checked map[string]*types.Package
}

func (i imports) Import(path string) (*types.Package, error) {
	if name, other := i.names[path]; other {
		path = name
	}
	if p := i.checked[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("no package " + path)
}
