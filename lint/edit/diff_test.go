package edit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

func TestDiff(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh\r\ni"
	after := "a\nb\nc\nd\nE\nf\ng\nh\r\ni\nj"
	want := `--- a/x.yaml
+++ b/x.yaml
@@ -2,8 +2,9 @@
 b
 c
 d
-e
+E
 f
 g
` + " h\r\n" + `-i
\ No newline at end of file
+i
+j
\ No newline at end of file
`
	if got := edit.Diff("x.yaml", []byte(before), []byte(after)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := edit.Diff("x.yaml", []byte(before), []byte(before)); got != "" {
		t.Errorf("no change gives %q", got)
	}
	if got := edit.Diff("/x.yaml", nil, []byte("a\n")); got != "--- /x.yaml\n+++ /x.yaml\n@@ -0,0 +1 @@\n+a\n" {
		t.Errorf("an absolute name: %q", got)
	}
}

// Whatever a file's name, git finds it; patch wants a tab behind one with blanks.
func TestNamesInDiffs(t *testing.T) {
	for _, name := range []string{"a b.yaml", "new\nline.yaml", "tab\t.yaml", "q\"\\.yaml", "q\"\n\\é.yaml", "größe.yaml", "-p.yaml"} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		diff := edit.Diff(name, []byte("a\n"), []byte("b\n"))
		apply := exec.Command("git", "apply")
		apply.Dir, apply.Stdin, apply.Env = dir, strings.NewReader(diff), program.Environment()
		out, err := apply.CombinedOutput()
		if text, _ := os.ReadFile(file); string(text) != "b\n" {
			t.Errorf("%q: %v: %s", name, err, out)
		}
		if strings.Contains(name, " ") && !strings.HasPrefix(diff, "--- a/"+name+"\t\n+++ b/"+name+"\t\n") {
			t.Errorf("%q: %s", name, diff)
		}
	}
}

// Whatever the texts, git makes the second of the first with the diff.
func TestGitTakesDiffs(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal("git is needed: ", err)
	}
	dir := t.TempDir()
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "- c\n", "d\r\n", "\n", "+ e\n"}), 1, 30)
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(lines.Draw(t, "before"), "") + rapid.SampledFrom([]string{"", "z"}).Draw(t, "end")
		after := strings.Join(lines.Draw(t, "after"), "") + rapid.SampledFrom([]string{"", "z"}).Draw(t, "end")
		file := filepath.Join(dir, "x.yaml")
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		diff := edit.Diff("x.yaml", []byte(before), []byte(after))
		if diff == "" {
			return
		}
		apply := exec.Command(git, "apply", "--whitespace=nowarn", "-")
		apply.Dir, apply.Stdin, apply.Env = dir, strings.NewReader(diff), program.Environment()
		if out, err := apply.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%s", err, out, diff)
		}
		if got, _ := os.ReadFile(file); string(got) != after {
			t.Fatalf("got %q, want %q\n%s", got, after, diff)
		}
	})
}
