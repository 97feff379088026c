// Package golden compares what tests make with files that a person has read. With -update they
// are written anew; read the difference before you commit it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/pmezard/go-difflib/difflib"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Update is true where files shall be written: for tests that make theirs in a way of their own.
func Update() bool { return *update }

// Check compares a text with a file, and shows the lines that differ.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if Update() {
		Write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if got == string(want) {
		return
	}
	diff, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(string(want)), FromFile: file, B: difflib.SplitLines(got), ToFile: "now", Context: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s differs; -update writes it anew:\n%s", file, diff)
}

// Write writes a file, and its folder if it is missing.
func Write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
