package measure

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Of an error it is known what another try will not have either.
func TestLacks(t *testing.T) {
	late := errors.New("late")
	for name, c := range map[string]struct {
		err    error
		lacks  []string
		failed []error
	}{
		"nothing":  {nil, nil, nil},
		"a lack":   {Lack("a"), []string{"a"}, nil},
		"an error": {late, nil, []error{late}},
		"both":     {errors.Join(Lack("a"), late, Lack("b")), []string{"a", "b"}, []error{late}},
		"of two":   {errors.Join(errors.Join(Lack("a")), errors.Join(late)), []string{"a"}, []error{late}},
	} {
		lacks, failed := Lacks(c.err)
		if !slices.Equal(lacks, c.lacks) || !slices.Equal(failed, c.failed) {
			t.Errorf("%s: %q and %v", name, lacks, failed)
		}
	}
	// With something around it, it is an error like any other.
	if lacks, failed := Lacks(fmt.Errorf("again: %w", Lack("a"))); len(lacks) != 0 || len(failed) != 1 {
		t.Error(lacks, failed)
	}
}

// A survey tells what there is no series of from what was not answered.
func TestSurveyLacks(t *testing.T) {
	n := &survey{}
	n.lack("restarts", "no series")
	n.lack("", "no other series")
	n.miss("average CPU", "gave up")
	n.miss("peak CPU", "gave up")
	lacks, failed := Lacks(n.problems())
	if !slices.Equal(lacks, []string{"no other series", "no series (unknown: restarts)"}) ||
		len(failed) != 1 || failed[0].Error() != "gave up (unknown: average CPU, peak CPU)" {
		t.Errorf("%q and %v", lacks, failed)
	}
}
