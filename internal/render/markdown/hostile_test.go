package markdown

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

var (
	comment = regexp.MustCompile(`<!-- -->`)
	ourTags = regexp.MustCompile(`</?(details|summary|sub|br)>`)
	row     = regexp.MustCompile(`(?m)^\| .*\|$`)
)

func checkHostile(t *testing.T, out string) {
	t.Helper()
	if left := ourTags.ReplaceAllString(comment.ReplaceAllString(out, ""), ""); strings.ContainsAny(left, "<>") {
		t.Errorf("HTML from the input in\n%s", left)
	}
	if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("details left open")
	}
}

func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		golden.Check(t, "testdata/"+name+".md", sample.Written(t, Write, r))
	}
}

func TestHostile(t *testing.T) {
	for a, b := range sample.Pairs() {
		checkStrings(t, a, b)
	}
}

func FuzzHostile(f *testing.F) {
	sample.Seed(f)
	f.Add("```\n</details>", "````")
	f.Fuzz(checkStrings)
}

func checkStrings(t *testing.T, a, b string) {
	t.Helper()
	out := sample.Written(t, Write, sample.HostileReport(a, b))
	checkHostile(t, out)
	for _, line := range row.FindAllString(out, -1) {
		if n := strings.Count(line, "|"); n != 6 && n != 4 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
	checkHostile(t, sample.Written(t, Write, sample.HostileAudit(a, b)))
	checkChange(t, sample.Written(t, Write, sample.HostileChange(a, b)))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}

// checkChange holds the comment of a change to be whole.
func checkChange(t *testing.T, out string) {
	t.Helper()
	checkBlocks(t, out)
	left := strings.NewReplacer(commentMarker, "", "<br>", "", "<!-- -->", "").Replace(unfenced(out))
	if left = ourTags.ReplaceAllString(left, ""); strings.ContainsAny(left, "<>") {
		t.Errorf("HTML from the input in\n%s", left)
	}
	if !utf8.ValidString(out) {
		t.Error("not UTF-8")
	}
}
