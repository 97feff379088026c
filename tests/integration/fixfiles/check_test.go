//go:build integration

package fixfiles_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

// tally counts what a check has seen, so that a test knows it saw something.
type tally struct {
	files, objects, left, pods, fixedPods int
	why                                   map[string]int
}

// check puts the files below a folder right and holds the outcome to every promise. The
// folder holds the fixed files afterwards.
func (s *setup) check(t tester, folder string) tally {
	t.Helper()
	options := lint.FixOptions{Paths: []string{folder}, Generated: true, Workers: 1}
	result, err := lint.Fix(context.Background(), s.engine, options)
	if err != nil {
		t.Fatal(err)
	}
	if result.Dropped > 0 {
		t.Errorf("%d fixes were dropped", result.Dropped)
	}
	around := surroundings(t, folder)
	sum := tally{why: map[string]int{}}
	for i := range result.Files {
		s.file(t, &result.Files[i], around, &sum)
	}
	for _, file := range result.Files {
		if err := os.WriteFile(filepath.FromSlash(file.Name), file.After, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.again(t, options, result)
	return sum
}

// file holds one file to the promises.
func (s *setup) file(t tester, file *lint.FixedFile, around map[string]lists, sum *tally) {
	t.Helper()
	before, after := documents(t, file.Before), documents(t, file.After)
	if len(before) != len(after) {
		t.Fatalf("%s: %d documents became %d", file.Name, len(before), len(after))
	}
	if file.Changed() {
		sum.files++
	}
	ops := map[int][]engine.Operation{}
	for i := range file.Objects {
		o := &file.Objects[i]
		if o.Left != "" {
			sum.left++
			sum.why[o.Left]++
			continue
		}
		sum.objects++
		ops[o.Document] = append(ops[o.Document], below(o.Prefix, o.Patch)...)
		was, is := object(before[o.Document], o.Prefix...), object(after[o.Document], o.Prefix...)
		if !s.quick {
			s.asWebhook(t, file.Name, was, is, o.Prefix, around, sum)
		}
	}
	for i := range before {
		if len(ops[i]) == 0 {
			if !reflect.DeepEqual(before[i], after[i]) {
				t.Errorf("%s, document %d: nothing was to change\n%s", file.Name, i, file.After)
			}
			continue
		}
		patch, err := json.Marshal(ops[i])
		if err != nil {
			t.Fatal(err)
		}
		if want := patched(t, before[i], patch); !reflect.DeepEqual(want, after[i]) {
			t.Errorf("%s, document %d: reads\n%s\nnot\n%s", file.Name, i, encode(after[i]), encode(want))
		}
	}
	if problem := onlyMeant(file.Before, file.After, ops); problem != "" {
		t.Errorf("%s: %s\n%s%s", file.Name, problem, edit.Diff("x", file.Before, file.After), encode(ops))
	}
}

// again: a second time nothing changes, and the linter finds nothing to fix but what was left.
func (s *setup) again(t tester, options lint.FixOptions, first *lint.FixResult) {
	t.Helper()
	second, err := lint.Fix(context.Background(), s.engine, options)
	if err != nil {
		t.Fatal(err)
	}
	type key struct {
		file      string
		namespace string
		name      string
	}
	left := map[key]bool{}
	for _, file := range first.Files {
		for _, o := range file.Objects {
			left[key{file.Name, o.Resource.Namespace, o.Resource.Name}] = o.Left != ""
		}
	}
	for _, file := range second.Files {
		if file.Changed() {
			t.Errorf("%s changes a second time:\n%s\n%s", file.Name, file.Before, file.After)
		}
		for _, o := range file.Objects {
			if o.Left == "" {
				t.Errorf("%s: %v is fixed a second time", file.Name, o.Resource)
			}
		}
	}
	report, err := lint.Run(context.Background(), s.engine, lint.Options{Paths: options.Paths, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Fixable && !left[key{f.File, f.Resource.Namespace, f.Resource.Name}] {
			t.Errorf("%s:%d: %s of %q is still fixable: %s", f.File, f.Line, f.Rule, f.Container, f.Message)
		}
	}
}
