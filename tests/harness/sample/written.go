package sample

import (
	"bytes"
	"iter"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
)

// All are the reports that every format has golden files of, by the name of the file.
func All() map[string]*report.Report {
	return map[string]*report.Report{
		"sample": Report(), "sound": Sound(), "empty": {Version: "v0.1.0"}, "audit": Audit(), "changed": Changed(),
	}
}

// Written is a report in a format.
func Written(t testing.TB, write func(*bytes.Buffer, *report.Report) error, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	// A terminal, a web page or a log would obey them, whatever the format.
	if at := strings.IndexFunc(b.String(), func(r rune) bool {
		return r != '\n' && r != '\t' && r != '\x1b' && r != utf8.RuneError && terminal.Unsafe(r)
	}); at >= 0 {
		t.Errorf("a raw control: %q", b.String()[max(0, at-40):min(b.Len(), at+40)])
	}
	return b.String()
}

// Pairs are all pairs of Hostile.
func Pairs() iter.Seq2[string, string] {
	return func(yield func(a, b string) bool) {
		for _, a := range Hostile {
			for _, b := range Hostile {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// Seed gives Hostile to a fuzz test.
func Seed(f *testing.F) {
	for i, a := range Hostile {
		f.Add(a, Hostile[(i+1)%len(Hostile)])
	}
}

// CheckHostile shows a check kinds of reports with Pairs.
func CheckHostile(t *testing.T, check func(*testing.T, *report.Report), kinds ...func(a, b string) *report.Report) {
	t.Helper()
	for a, b := range Pairs() {
		shown(t, a, b, check, kinds)
	}
}

// FuzzHostile shows it what a fuzzer makes of them.
func FuzzHostile(f *testing.F, check func(*testing.T, *report.Report), kinds ...func(a, b string) *report.Report) {
	f.Helper()
	Seed(f)
	f.Fuzz(func(t *testing.T, a, b string) { shown(t, a, b, check, kinds) })
}

func shown(t *testing.T, a, b string, check func(*testing.T, *report.Report), kinds []func(a, b string) *report.Report) {
	t.Helper()
	for _, kind := range kinds {
		check(t, kind(a, b))
	}
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}
