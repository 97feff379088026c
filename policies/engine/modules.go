package engine

import (
	"errors"
	"fmt"
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
	files, err := modulesIn(nil, bundleRoot)
	if err != nil {
		return nil, fmt.Errorf("list policy modules: %w", err)
	}
	return files, nil
}

// modulesIn adds the modules in a folder. Each start lists them: fs.WalkDir takes three times as long.
func modulesIn(files []string, dir string) ([]string, error) {
	entries, err := policies.Files.ReadDir(dir)
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case entry.IsDir():
			if inside := dir + "/" + name; inside != diagnoseRoot && inside != explainRoot && inside != sizeRoot && err == nil {
				files, err = modulesIn(files, inside)
			}
		case isModule(name):
			files = append(files, dir+"/"+name)
		}
	}
	return files, err
}

func isModule(name string) bool {
	return strings.HasSuffix(name, ".rego") && !strings.HasSuffix(name, "_test.rego")
}

// filesWithRoots lists the modules of all roots.
func filesWithRoots() ([]string, error) {
	files, err := moduleFiles()
	for _, root := range []string{diagnoseRoot, explainRoot, sizeRoot} {
		more, bad := modulesIn(files, root)
		files, err = more, errors.Join(err, bad)
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
