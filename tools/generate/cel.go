package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/policies/export/cel"
	"github.com/headroom-dev/headroom/policies/export/kyverno"
)

// kyvernoPolicies are Kyverno's without their tests: people apply them from the repository. `headroom policies`
// writes the rest.
func kyvernoPolicies() ([]generated, error) {
	ctx := context.Background()
	set, err := cel.New(ctx, nil, kyverno.Dialect)
	if err != nil {
		return nil, err
	}
	policies, err := kyverno.Policies(set)
	if err != nil {
		return nil, err
	}
	files := make([]generated, 0, len(policies))
	for _, f := range policies {
		files = append(files, generated{filepath.Join("policies/export/kyverno", filepath.FromSlash(f.Path)), f.Text})
	}
	return files, nil
}

// leftOver removes what an earlier set had below policies/export/kyverno, where Go's own files alone
// are not generated; with check it names it.
func leftOver(files []generated, check bool) (stale []error, err error) {
	const dir = "policies/export/kyverno"
	known := map[string]bool{}
	for _, f := range files {
		known[f.file] = true
	}
	var old []string
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" || known[path] {
			return err
		}
		old = append(old, path)
		return nil
	})
	for _, file := range old {
		if check {
			stale = append(stale, fmt.Errorf("%s is left over: `make generate` removes it", file))
		} else {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return stale, err
}
