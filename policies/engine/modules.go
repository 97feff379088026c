package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies"
)

// bundleRoot is the OPA bundle root inside policies.Files.
const bundleRoot = "rego/headroom"

// Policies that judge no manifest have roots of their own: those that judge running containers (see
// Diagnose), explain verdicts (see Explain) and size containers (see Size).
const (
	diagnoseRoot = bundleRoot + "/diagnose"
	explainRoot  = bundleRoot + "/explain"
	sizeRoot     = bundleRoot + "/size"
)

// moduleFiles lists the policy modules, tests left out.
func moduleFiles() ([]string, error) {
	var files []string
	err := fs.WalkDir(policies.Files, bundleRoot, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (path == diagnoseRoot || path == explainRoot || path == sizeRoot) {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(path, ".rego") && !strings.HasSuffix(path, "_test.rego") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list policy modules: %w", err)
	}
	return files, nil
}

// filesWithRoots lists the modules of all roots.
func filesWithRoots() ([]string, error) {
	files, err := moduleFiles()
	for _, root := range []string{diagnoseRoot, explainRoot, sizeRoot} {
		more, bad := fs.Glob(policies.Files, root+"/*.rego")
		err = errors.Join(err, bad)
		for _, file := range more {
			if !strings.HasSuffix(file, "_test.rego") {
				files = append(files, file)
			}
		}
	}
	return files, err
}

// parseModules parses the policy modules side by side. Annotations cost 60 % more and are read only for
// the docs.
func parseModules(files []string, annotations bool) (map[string]*ast.Module, error) {
	parsed := make([]*ast.Module, len(files))
	failed := make([]error, len(files))
	options := ast.ParserOptions{ProcessAnnotation: annotations, RegoVersion: ast.RegoV1}

	var work sync.WaitGroup
	next := make(chan int, len(files))
	for i := range files {
		next <- i
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for i := range next {
				source, err := policies.Files.ReadFile(files[i])
				if err == nil {
					parsed[i], err = ast.ParseModuleWithOpts(files[i], string(source), options)
				}
				failed[i] = err
			}
		})
	}
	work.Wait()

	modules := make(map[string]*ast.Module, len(files))
	for i, file := range files {
		if failed[i] != nil {
			return nil, fmt.Errorf("parse policy module %s: %w", file, failed[i])
		}
		modules[file] = parsed[i]
	}
	return modules, nil
}
