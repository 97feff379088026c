// Package search says how long a test looks for what breaks a program at random, and where it begins.
//
// The unit layer, which has to end within a minute, looks at one in two hundred, and at the same every time: a change is
// judged by what it changed. The integration layer looks at a twentieth, another one every day, and `make search`
// (HEADROOM_SEARCH=all) at all of it. HEADROOM_SEED=20261126 repeats the search of that day.
package search

import (
	"flag"
	"os"
	"strconv"
	"testing"
	"time"
)

const (
	all         = "HEADROOM_SEARCH"
	seed        = "HEADROOM_SEED"
	fewest      = 10 // rounds
	moreOfRapid = 50 // times as many checks in `make search`
)

// Rounds is the number of rounds of a search that takes n in `make search`.
func Rounds(n int) int {
	if Whole() {
		return n
	}
	return max(min(n, fewest), n/share)
}

// Whole says whether the whole search was asked for, as `make search` does.
func Whole() bool { return os.Getenv(all) == "all" }

// Seed is where a search begins: the number of the day as in 20261126, and usual in the unit layer. It is printed with
// -v, and where the test fails.
func Seed(t testing.TB, usual uint64) uint64 {
	t.Helper()
	n := number(usual, daily)
	t.Logf("%s=%d", seed, n)
	return n
}

// Rapid is for a TestMain: n checks of each property of rapid, which prints its seed where one fails. They are the same
// in every layer, from the usual seed, and fifty times as many from that of the day in `make search`.
func Rapid(n int, usual uint64) {
	if Whole() {
		n *= moreOfRapid
	}
	for name, value := range map[string]string{
		"seed": strconv.FormatUint(number(usual, false), 10), "checks": strconv.Itoa(n), "nofailfile": "true",
	} {
		if err := flag.Set("rapid."+name, value); err != nil {
			panic(err) // rapid has renamed its flag
		}
	}
}

func number(usual uint64, daily bool) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(seed), 10, 64); err == nil {
		return n
	}
	if !daily && os.Getenv(all) == "" {
		return usual
	}
	year, month, day := time.Now().UTC().Date()
	return uint64(year*10000 + int(month)*100 + day) //nolint:gosec // a date is no negative number
}
