package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// TestErrorsHoldForWhatIsAssumed: a region of which nothing is declared may be anything in its range, and an error of
// HR303 stays one. Threads, classes and native memory are declared anew, direct memory and compiled code are
// capped anew, each by a value of the range that the budget gave.
func TestErrorsHoldForWhatIsAssumed(t *testing.T) {
	e, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(search.Seed(t, 31), 0))
	errors, tried := 0, search.Rounds(20_000)
	for range tried {
		s := someServer(random)
		b, said := budgetOf(t, e, s, s.Limit)
		if said != "error" {
			continue
		}
		errors++
		if left := leastOf(random, b); left > allowedOf(s.Limit) {
			continue
		}
		t.Errorf("%+v: an error, and it may take no more than %v MiB of them", s, allowedOf(s.Limit))
	}
	t.Logf("%d budgets, %d errors, none false", tried, errors)
}

// leastOf is what a budget comes to with each assumed region at a value of its range, and no more than that.
func leastOf(random *rand.Rand, b *Budget) float64 {
	sum := 0.0
	for _, term := range b.Terms {
		at := term.MiB
		if term.Grade == "assumed" {
			at = term.LeastMiB + float64(random.IntN(8))/7*(term.BoundMiB-term.LeastMiB)
		} else {
			at = min(at, term.LeastMiB)
		}
		sum += at
	}
	return sum
}

// allowedOf is what may be taken of a limit, in MiB: all but a fifth, and all but 1 GiB.
func allowedOf(limitMiB int) float64 { return max(0.8*float64(limitMiB), float64(limitMiB-1024)) }

// someServer has a heap near its limit, and any of the flags and annotations that a budget looks at.
func someServer(random *rand.Rand) realServer {
	s := realServer{Name: "random", Java: []int{8, 11, 17, 21, 25}[random.IntN(5)], Limit: 64 << random.IntN(9)}
	s.Limit += random.IntN(s.Limit)
	s.Flags = append(s.Flags, fmt.Sprintf("-Xmx%dm", max(2, s.Limit*(40+random.IntN(58))/100)))
	for _, flag := range []string{
		"-XX:MaxMetaspaceSize=%dm", "-XX:ReservedCodeCacheSize=%dm", "-XX:MaxDirectMemorySize=%dm",
	} {
		if random.IntN(2) == 0 {
			s.Flags = append(s.Flags, fmt.Sprintf(flag, 32+random.IntN(256)))
		}
	}
	s.Flags = append(s.Flags, []string{"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC"}[random.IntN(4)])
	if random.IntN(4) == 0 {
		s.Env = map[string]string{"SPRING_PROFILES_ACTIVE": "prod"}
	}
	return s
}
