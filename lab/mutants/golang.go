package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// dependents are the unit tests that judge a package besides its own.
var dependents = map[string][]string{
	"policies/engine": {"./policies/engine/...", "./lint/...", "./internal/...", "./tools/generate/..."},
	"lint/edit":       {"./lint/..."},
	"webhook":         {"./webhook/..."},
}

// withServer are the packages whose tests ask a real API server.
var withServer = []string{"webhook", "internal/certificates", "webhook/cluster", "webhook/probe"}

var goSwapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR, token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL, token.LAND: token.LOR, token.LOR: token.LAND,
}

type goSuite struct {
	dir    string // scratch
	places []place
	at     mutant
	roots  []string
}

func newGoSuite(roots []string, only string) (*goSuite, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	s := &goSuite{dir: dir, roots: roots}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if strings.Contains(path, "/internal/") || !matches(only, path) {
				return nil // helpers of tests
			}
			_, list, err := parse(path)
			if err != nil {
				return err
			}
			for n := range list {
				s.places = append(s.places, place{path, n})
			}
			return nil
		})
		if err != nil {
			s.close()
			return nil, fmt.Errorf("look for Go to change: %w", err)
		}
	}
	return s, nil
}

func (s *goSuite) close() { _ = os.RemoveAll(s.dir) }

func (s *goSuite) next(ctx context.Context, random *rand.Rand) (mutant, bool, error) {
	for len(s.places) > 0 {
		i := random.IntN(len(s.places))
		p := s.places[i]
		s.places = slices.Delete(s.places, i, i+1)
		file, list, err := parse(p.file)
		if err != nil {
			return mutant{}, false, err
		}
		e := list[p.n]
		e.make()
		if err := s.write(p.file, file); err != nil {
			return mutant{}, false, err
		}
		if s.command(ctx, "build", "./"+filepath.Dir(p.file)).Run() != nil {
			continue
		}
		s.at = mutant{file: filepath.ToSlash(p.file), line: file.set.Position(e.at).Line, within: e.within, change: e.change}
		return s.at, true, nil
	}
	return mutant{}, false, nil
}

// noticed runs the package's own tests, then those of the packages that build on it.
func (s *goSuite) noticed(ctx context.Context) (bool, error) {
	own := []string{"./" + filepath.Dir(s.at.file)}
	if slices.Contains(withServer, filepath.ToSlash(filepath.Dir(s.at.file))) {
		own = append([]string{"-tags", "integration"}, own...)
	}
	patterns := [][]string{own}
	for _, root := range s.roots {
		if s.at.file == root || strings.HasPrefix(s.at.file, root+"/") {
			patterns = append(patterns, dependents[root])
		}
	}
	for _, packages := range patterns {
		// A change that makes a test run on without end is noticed too.
		err := s.command(ctx, "test", append([]string{"-timeout", "3m"}, packages...)...).Run()
		var failed *exec.ExitError
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.As(err, &failed):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("go test: %w", err)
		}
	}
	return false, nil
}

func (s *goSuite) command(ctx context.Context, verb string, more ...string) *exec.Cmd {
	//nolint:gosec // what the tool itself wrote
	return exec.CommandContext(ctx, "go", append([]string{verb, "-overlay", filepath.Join(s.dir, "overlay.json")}, more...)...)
}

// write puts the changed file where the compiler takes it in the place of the real one.
func (s *goSuite) write(path string, f *goFile) error {
	var out bytes.Buffer
	if err := printer.Fprint(&out, f.set, f.tree); err != nil {
		return fmt.Errorf("print a change: %w", err)
	}
	changed, real := filepath.Join(s.dir, "changed.go"), path
	if abs, err := filepath.Abs(path); err == nil {
		real = abs
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{real: changed}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(changed, out.Bytes(), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "overlay.json"), overlay, 0o600)
}

type goFile struct {
	set  *token.FileSet
	tree *ast.File
}

type goEdit struct {
	at     token.Pos
	within string
	change string
	make   func()
}

// parse reads a file, and finds every change that can be made to it, always in the same order.
func parse(path string) (*goFile, []goEdit, error) {
	f := &goFile{set: token.NewFileSet()}
	var err error
	if f.tree, err = parser.ParseFile(f.set, path, nil, parser.ParseComments); err != nil {
		return nil, nil, fmt.Errorf("parse Go: %w", err)
	}
	return f, f.all(), nil
}

// all is every change that can be made to the functions of a file.
func (f *goFile) all() []goEdit {
	var all []goEdit
	for _, decl := range f.tree.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		ast.Inspect(function.Body, func(node ast.Node) bool {
			all = append(all, f.edits(node, function.Name.Name)...)
			return true
		})
	}
	return all
}

func (f *goFile) edits(node ast.Node, within string) []goEdit {
	switch n := node.(type) {
	case *ast.BinaryExpr:
		if to, ok := goSwapped[n.Op]; ok {
			return []goEdit{{n.Pos(), within, fmt.Sprintf("%s → %s in `%s`", n.Op, to, f.text(n)), func() { n.Op = to }}}
		}
	case *ast.IfStmt:
		if not, ok := n.Cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
			return []goEdit{{n.Pos(), within, "without !: `" + f.text(n.Cond) + "`", func() { n.Cond = not.X }}}
		}
	case *ast.BasicLit:
		if value, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			return []goEdit{{n.Pos(), within, fmt.Sprintf("%s → %d", n.Value, value+1), func() { n.Value = strconv.FormatInt(value+1, 10) }}}
		}
	case *ast.BlockStmt:
		var all []goEdit
		for i, statement := range n.List {
			switch s := statement.(type) {
			case *ast.ExprStmt, *ast.IncDecStmt:
			case *ast.AssignStmt:
				if s.Tok == token.DEFINE {
					continue
				}
			default:
				continue
			}
			all = append(all, goEdit{
				statement.Pos(), within, "deleted `" + f.text(statement) + "`",
				func() { n.List[i] = &ast.EmptyStmt{Implicit: true} },
			})
		}
		return all
	}
	return nil
}

func (f *goFile) text(node ast.Node) string {
	var out bytes.Buffer
	if err := printer.Fprint(&out, f.set, node); err != nil {
		return ""
	}
	runes := []rune(strings.Join(strings.Fields(out.String()), " "))
	if len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return string(runes)
}
