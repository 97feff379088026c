package verdicts

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// Suite holds a cluster to the engine.
type Suite struct {
	Judge   *Judge
	Cases   []Case
	cluster *plane.Plane
}

// NewSuite has every case.
func NewSuite(t testing.TB, cluster *plane.Plane) *Suite {
	t.Helper()
	judge, err := New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cases, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return &Suite{judge, cases, cluster}
}

// patience is for policies that are not in effect yet.
const patience = 10 * time.Minute

// Created has each case created in a namespace with these labels and holds the answer to the
// engine's errors and its lesser findings. Policies take some seconds to be in effect: what
// does not agree is tried again, for a minute in all. Objects with findings come first, so
// that those without are not let through by policies that do not work yet.
func (s *Suite) Created(t testing.TB, check func(out plane.Output, errs, others []string) error, labels ...string) {
	t.Helper()
	rooms := NewRooms(s.cluster, labels...)
	type expected struct {
		Case
		errs, others []string
	}
	var faulty, faultless []expected
	for _, c := range s.Cases {
		e := expected{Case: rooms.Put(t, c)}
		var err error
		if e.errs, e.others, err = s.Judge.BySeverity(t.Context(), e.Object, e.Namespace()); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if len(e.errs)+len(e.others) > 0 {
			faulty = append(faulty, e)
		} else {
			faultless = append(faultless, e)
		}
	}
	until := time.Now().Add(patience)
	invalid := 0
	for _, c := range append(faulty, faultless...) {
		ask := func() error {
			out := c.Create(t, s.cluster)
			if Invalid(out) {
				invalid++
				return nil
			}
			if err := check(out, c.errs, c.others); err != nil {
				return fmt.Errorf("%s: %w; errors are %q, others %q\n%s", c.Name, err, c.errs, c.others, out.Stderr)
			}
			return nil
		}
		plane.Eventually(t, c.Name, func() error {
			err := ask()
			if err != nil && time.Now().After(until) {
				t.Error(err)
				return nil
			}
			return err
		})
	}
	t.Logf("%d objects with findings, %d without; %d were invalid", len(faulty), len(faultless), invalid)
}

// Warned checks that a developer is warned of every finding, and of nothing else.
func Warned(out plane.Output, errs, others []string) error {
	said, err := Said(out.Warnings()...)
	if err != nil {
		return err
	}
	if want := sorted(slices.Concat(errs, others)); out.Code != 0 || !slices.Equal(said, want) {
		return fmt.Errorf("exit code %d, warned of %q", out.Code, said)
	}
	return nil
}

// Within says whether all of these are among those.
func Within(these, those []string) bool {
	return !slices.ContainsFunc(these, func(one string) bool { return !slices.Contains(those, one) })
}
