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

// celPolicies are what the API server and Kyverno read.
func celPolicies() ([]generated, error) {
	ctx := context.Background()
	native, err := cel.New(ctx, nil, cel.Native)
	if err != nil {
		return nil, err
	}
	var files []generated
	for name, write := range map[string]func() ([]byte, error){
		"validating.yaml": native.Validating, "enforce.yaml": native.Denying, "mutating.yaml": native.Mutating,
	} {
		text, err := write()
		if err != nil {
			return nil, err
		}
		files = append(files, generated{filepath.Join("policies/export/cel", name), text})
	}
	set, err := cel.New(ctx, nil, kyverno.Dialect)
	if err != nil {
		return nil, err
	}
	written, err := kyverno.Files(ctx, set)
	if err != nil {
		return nil, err
	}
	for _, f := range written {
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
