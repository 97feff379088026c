// Command mutants makes small changes to the policies and to the Go that carries them, one at a
// time, and counts how many of them the unit tests notice. Line coverage says that a test came by,
// a mutant says whether it looked.
//
// The changes are drawn by a seed: a comparison or an arithmetic operator is replaced, a number
// is one more, a `not` or `!` goes, a line is deleted. A change that does not compile is drawn
// again. A change that changes nothing is listed in equivalent.yaml with the reason.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/lab"
)

// least is the share of the changes that the tests have to notice.
const least = 0.92

// mutant is one change.
type mutant struct {
	file   string // below the repository
	line   int
	within string // the rule or function
	change string // what became what
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s", m.file, m.line, m.within, m.change)
}

// suite draws changes and tells which of them its tests notice.
type suite interface {
	// next gives the next change that compiles, and false when no change is left.
	next(ctx context.Context, random *rand.Rand) (mutant, bool, error)
	// noticed runs the tests against the change that next gave.
	noticed(ctx context.Context) (bool, error)
}

func main() {
	seed := flag.Uint64("seed", 1, "what draws the changes")
	inRego := flag.Int("rego", 200, "`NUMBER` of changes to the policies")
	inGo := flag.Int("go", 60, "`NUMBER` of changes to the Go of webhook, lint/edit and policies/engine")
	only := flag.String("only", "", "`GLOB` of the files to change")
	flag.Parse()
	lab.Main("mutants", func(ctx context.Context) error { return run(ctx, *seed, *only, *inRego, *inGo) })
}

func run(ctx context.Context, seed uint64, only string, inRego, inGo int) error {
	known, err := readEquivalent("lab/mutants/equivalent.yaml")
	if err != nil {
		return err
	}
	began := time.Now()
	sum := tally{known: known}
	if inRego > 0 {
		policies, err := newRegoSuite(ctx, "policies/rego", only)
		if err != nil {
			return err
		}
		if err := sum.draw(ctx, policies, rand.New(rand.NewPCG(seed, 1)), inRego); err != nil { //nolint:gosec // a draw that can be repeated
			return err
		}
	}
	if inGo > 0 {
		code, err := newGoSuite([]string{"webhook", "lint/edit", "policies/engine"}, only)
		if err != nil {
			return err
		}
		defer code.close()
		if err := sum.draw(ctx, code, rand.New(rand.NewPCG(seed, 2)), inGo); err != nil { //nolint:gosec // a draw that can be repeated
			return err
		}
	}
	return sum.report(time.Since(began))
}

// tally counts what was noticed.
type tally struct {
	known              equivalent
	drawn, noticed     int
	equivalent, missed []mutant
}

func (t *tally) draw(ctx context.Context, s suite, random *rand.Rand, n int) error {
	for range n {
		m, more, err := s.next(ctx, random)
		if err != nil {
			return err
		}
		if !more {
			return nil
		}
		t.drawn++
		if why := t.known.why(m); why != "" {
			t.equivalent = append(t.equivalent, m)
			fmt.Printf("  equal    %s (%s)\n", m, why)
			continue
		}
		noticed, err := s.noticed(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", m, err)
		case noticed:
			t.noticed++
			fmt.Printf("  noticed  %s\n", m)
		default:
			t.missed = append(t.missed, m)
			fmt.Printf("  MISSED   %s\n", m)
		}
	}
	return nil
}

// report prints the sum, and fails where a change was not noticed.
func (t *tally) report(took time.Duration) error {
	slices.SortFunc(t.missed, compare)
	for _, m := range t.missed {
		fmt.Printf("not noticed: %s\n", m)
	}
	share := 1.0
	if t.drawn > 0 {
		share = float64(t.noticed) / float64(t.drawn)
	}
	fmt.Printf("mutants: %d changes, %d noticed (%.1f %%), %d change nothing, %d not noticed; %s\n",
		t.drawn, t.noticed, 100*share, len(t.equivalent), len(t.missed), took.Round(time.Second))
	if share < least || len(t.missed) > 0 {
		return errors.New("the tests have to notice these changes")
	}
	return nil
}

func compare(a, b mutant) int {
	if a.file != b.file {
		if a.file < b.file {
			return -1
		}
		return 1
	}
	return a.line - b.line
}

// matches says whether a file is among those that were asked for.
func matches(glob, file string) bool {
	if glob == "" {
		return true
	}
	ok, err := filepath.Match(glob, file)
	return err == nil && ok
}
