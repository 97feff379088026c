package table

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

func checkHostile(t *testing.T, r *report.Report) {
	t.Helper()
	for _, o := range []Options{{Verbose: true}, {Color: true, Width: 140, Verbose: true}, {}, {Color: true, Width: 140, Explain: true}} {
		out := sgr.ReplaceAllString(written(t, r, o), "")
		checkLines(t, out)
	}
}

// checkLines holds text to what a terminal only shows.
func checkLines(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("not UTF-8")
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if i := strings.IndexFunc(line, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }); i >= 0 {
			t.Errorf("a terminal would obey %q", line[i:])
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("blanks at the end of %q", line)
		}
	}
}

func written(t testing.TB, r *report.Report, o Options) string {
	t.Helper()
	return sample.Written(t, func(w *bytes.Buffer, r *report.Report) error { return Write(w, r, o) }, r)
}

func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		golden.Check(t, "testdata/"+name+".txt", written(t, r, Options{Width: 100}))
	}
}

var hostile = []func(a, b string) *report.Report{sample.HostileReport, sample.HostileAudit, sample.HostileChange}

func TestHostile(t *testing.T) { sample.CheckHostile(t, checkHostile, hostile...) }

func FuzzHostile(f *testing.F) { sample.FuzzHostile(f, checkHostile, hostile...) }
