package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/policies/settings"
)

// rulesFrom has what decides as it was at a commit: the config, the lock of images that it names, and the baseline. A
// pull request that changes them is judged by those of its base.
type rulesFrom struct {
	change *changed.Change
	tree   *changed.Tree
	dir    string
}

// openRules lays out files of the commit where HEAD left a reference.
func openRules(ctx context.Context, ref string) (r *rulesFrom, err error) {
	r = &rulesFrom{}
	if r.change, err = changed.Since(ctx, ".", ref, nil); err != nil {
		return nil, fmt.Errorf("--config-from: %w", err)
	}
	if r.dir, err = os.MkdirTemp("", "headroom-rules-"); err != nil {
		return nil, err
	}
	if r.tree, err = r.change.Tree(ctx, r.dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(r.dir))
	}
	return r, nil
}

func (r *rulesFrom) close() error {
	if r == nil {
		return nil
	}
	r.tree.Close()
	return os.RemoveAll(r.dir)
}

// file is where a file is laid out, "" where it was not there; one outside of the repository is itself.
func (r *rulesFrom) file(named string) (string, error) {
	if r == nil || !r.tree.Holds(named) {
		return named, nil
	}
	laid, err := layFile(r.tree, named)
	if err != nil {
		return "", fmt.Errorf("as it was at %s: %w", r.change.Ref, err)
	}
	return laid, nil
}

// layFile lays out a file of the commit, "" where there was none. What was a link out of the tree, a folder or another
// repository is an error: to take it for nothing would judge by no rules at all.
func layFile(tree *changed.Tree, named string) (string, error) {
	laid, err := tree.Whole(named)
	if err != nil {
		return "", err
	}
	irregular := fmt.Errorf("%s was no regular file of the repository", terminal.Printable(named))
	if laid == "" {
		if tree.NoFile(named) != "" {
			return "", irregular
		}
		return "", nil
	}
	real, err := filepath.EvalSymlinks(laid)
	if err != nil {
		return "", irregular
	}
	if _, inside := tree.Name(real); !inside {
		return "", irregular
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return "", irregular
	}
	return laid, nil
}

// plainly gives an error the names that the user knows.
func (r *rulesFrom) plainly(err error) error {
	if r == nil || err == nil || errors.Is(err, settings.ErrUntold) {
		return err
	}
	return fmt.Errorf("as it was at %s: %s", r.change.Ref, r.tree.Unlaid(err.Error()))
}

// config is that of the commit, with the name that its file has now.
func (r *rulesFrom) config(f *configFlags) (config map[string]any, named string, err error) {
	config, named, err = configAt(r.tree, f)
	return config, named, r.plainly(err)
}

// baseline is that of the commit; nil where there was none.
func (r *rulesFrom) baseline(file string) (*baseline.Baseline, error) {
	laid, err := r.file(file)
	if err != nil || laid == "" {
		return nil, err
	}
	before, err := baseline.Read(laid)
	if err != nil {
		return nil, r.plainly(err)
	}
	before.File = file
	return before, nil
}

// configAt finds the config as configFlags.find does, in the files as they were. named is "" where there was none.
func configAt(tree *changed.Tree, f *configFlags) (config map[string]any, named string, err error) {
	load := func(named string) (map[string]any, string, error) {
		config, err := settings.Load(named)
		return config, named, err
	}
	switch {
	case f.none:
		return nil, "", nil
	case f.names() && !tree.Holds(f.file):
		return load(f.file)
	case f.names():
		laid, err := layFile(tree, f.file)
		if err != nil || laid == "" {
			return nil, "", err
		}
		config, err = settings.Load(laid)
		return config, f.file, err
	}
	dir, err := filepath.Abs(f.file)
	if err != nil {
		return nil, "", err
	}
	for tree.Holds(dir) {
		named := filepath.Join(dir, settings.FileName)
		laid, err := layFile(tree, named)
		if err != nil {
			return nil, "", err
		}
		if laid != "" {
			config, err := settings.Load(laid)
			return config, named, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, "", nil
		}
		dir = parent
	}
	file, err := settings.Find(dir)
	if err != nil || file == "" {
		return nil, "", err
	}
	return load(file)
}

// differs says what a config of now lets pass that the one of the base does not, and which of the two is in force.
func differs(ref string, before, now map[string]any, inForce bool) []string {
	changes := settings.Changes(before, now)
	if len(changes) == 0 {
		return nil
	}
	which := "the one of now is in force"
	if inForce {
		which = "the one of then is in force"
	}
	return []string{fmt.Sprintf("the config is not as it was at %s, and %s: %s", ref, which, strings.Join(changes, "; "))}
}

// tellOthers says how the config of now differs from the one of the commit that is in force.
func (f *configFlags) tellOthers(inForce map[string]any) ([]string, error) {
	if f.from == nil {
		return nil, nil
	}
	now, err := f.load()
	if errors.Is(err, settings.ErrUntold) {
		return nil, err
	}
	if err != nil {
		return []string{"the config of now is not in force, and cannot be read: " + err.Error()}, nil
	}
	return differs(f.from.change.Ref, inForce, now, true), nil
}
