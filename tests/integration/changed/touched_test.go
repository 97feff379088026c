//go:build integration

package changed

import (
	"os"
	"strings"
	"testing"
)

func TestTouched(t *testing.T) {
	r := start(t, map[string]string{
		"deploy/cart.yaml": deployment("cart"), "deploy/search.yaml": deployment("search"),
		"deploy/two.yaml": deployment("one") + "---\n" + deployment("two"),
		"docs/readme.md":  "read me\n",
	})
	got := r.lint("deploy")
	want(t, "nothing changed", got.counted())
	if got.code != 0 || got.Changed.Elsewhere.Errors != 0 || got.Changed.Unjudged != 3 {
		t.Errorf("exit code %d, %d errors elsewhere, %d files not judged", got.code, got.Changed.Elsewhere.Errors, got.Changed.Unjudged)
	}

	r.edit("docs/readme.md", "read", "reread")
	r.edit("deploy/cart.yaml", "image: shop:1", "image: shop:2")
	r.edit("deploy/two.yaml", "metadata: {name: two}", "metadata: {name: two} # the second")
	got = r.lint("deploy")
	want(t, "touched", got.counted(), "HR202 cart", "HR202 two")
	want(t, "states", got.states(), "cart touched", "two touched")
	// It was there before: what is touched is shown, and fails only for what it brings.
	if got.code != 0 || got.Changed.Elsewhere.Errors != 1 || got.Changed.Unjudged != 1 || got.Summary.Workloads != 2 {
		t.Errorf("exit code %d, %+v", got.code, got)
	}
	r.edit("deploy/two.yaml", "metadata: {name: two} # the second", "metadata: {name: third}")
	if got = r.lint("deploy"); got.code != 1 {
		t.Errorf("exit code %d with a workload that is new", got.code)
	}
	r.edit("deploy/two.yaml", "metadata: {name: third}", "metadata: {name: two}")

	r.edit("deploy/cart.yaml", `cpu: "2"`, `cpu: "3"`)
	for _, f := range r.lint("deploy").Findings {
		if f.Change.OnChangedLine != (f.Resource.Name == "cart") {
			t.Errorf("%s: on a changed line: %v", f.Resource.Name, f.Change.OnChangedLine)
		}
	}
	// A lower limit under the same rule is worse than what was there, a higher one is not.
	if got = r.lint("deploy"); got.code != 0 {
		t.Errorf("exit code %d with a higher limit", got.code)
	}
	r.edit("deploy/cart.yaml", `cpu: "3"`, `cpu: "1500m"`)
	got = r.lint("deploy")
	if got.code != 1 || len(got.Findings) == 0 || !strings.HasPrefix(got.Findings[0].Message, "Got worse: 500 → 666.7 ms ") || !got.Findings[0].Change.New {
		t.Errorf("exit code %d, %+v", got.code, got.Findings)
	}
	r.write(map[string]string{"deploy/cart.yaml": sound("cart")})
	got = r.lint("deploy/cart.yaml")
	want(t, "fixed", got.counted())
	if got.code != 0 || got.Changed.Fixed.Errors != 1 || got.Changed.Workloads[0].Before.Errors != 1 {
		t.Errorf("exit code %d, %+v", got.code, got.Changed)
	}
}

// TestNamedFiles is what a hook does: it names files, of which some did not change.
func TestNamedFiles(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a"), "b.yaml": deployment("b")})
	got := r.lint("a.yaml")
	want(t, "nothing changed", got.states())
	if got.Changed.Fixed.Errors != 0 || got.Changed.Unjudged != 1 {
		t.Errorf("%+v", got.Changed)
	}
	r.edit("b.yaml", "shop:1", "shop:2")
	got = r.lint("a.yaml", "b.yaml")
	want(t, "one changed", got.counted(), "HR202 b")
	want(t, "states", got.states(), "b touched")
	if got.Changed.Fixed.Errors != 0 {
		t.Errorf("%+v", got.Changed)
	}
}

// TestStagesOfAChange sees a change wherever it is: committed, staged, in the work tree, or not in
// git yet.
func TestStagesOfAChange(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": sound("a"), "b.yaml": sound("b"), "c.yaml": sound("c")})
	r.write(map[string]string{"a.yaml": deployment("a")})
	r.commit("a")
	r.write(map[string]string{"b.yaml": deployment("b")})
	r.git("add", "b.yaml")
	r.write(map[string]string{"c.yaml": deployment("c"), "d.yaml": deployment("d")})
	got := r.lint(".")
	want(t, "findings", got.counted(), "HR202 a new", "HR202 b new", "HR202 c new", "HR202 d new")
	want(t, "states", got.states(), "a touched", "b touched", "c touched", "d added")
}

// TestMergeBase compares with where the branch began, not with what main has become.
func TestMergeBase(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a"), "b.yaml": sound("b")})
	r.git("checkout", "-q", "main")
	r.write(map[string]string{"a.yaml": sound("a"), "b.yaml": deployment("b")})
	r.commit("main goes on")
	r.git("checkout", "-q", "change")
	r.write(map[string]string{"c.yaml": deployment("c")})
	r.commit("c")
	want(t, "findings", r.lint(".").counted(), "HR202 c new")
	if got := r.lint("."); got.Changed.Base != r.git("rev-parse", "change^") {
		t.Errorf("compared with %s", got.Changed.Base)
	}
}

func TestRemoved(t *testing.T) {
	r := start(t, map[string]string{
		"deploy/a.yaml": deployment("a"), "deploy/b.yaml": deployment("b") + "---\n" + deployment("c"), "old/d.yaml": deployment("d"),
	})
	if err := os.Remove(r.path("deploy/a.yaml")); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"deploy/b.yaml": deployment("b")})
	r.git("rm", "-q", "-r", "old")
	// What is deleted may be named: git diff --name-only does.
	got := r.lint("deploy", "deploy/a.yaml", "old")
	want(t, "findings", got.counted())
	want(t, "states", got.states(), "a removed", "c removed", "d removed")
	if got.code != 0 {
		t.Errorf("exit code %d, %+v", got.code, got.Problems)
	}
	if out := r.headroom(".", "lint", "--changed-since", "main", "never-there"); out.code != 2 {
		t.Errorf("exit code %d for a path that never was: %s", out.code, out.stdout)
	}
}

func TestRenamed(t *testing.T) {
	r := start(t, map[string]string{
		"deploy/a.yaml": deployment("a"), "outside/b.yaml": deployment("b"),
		"deploy/many.yaml": deployment("c") + "---\n" + deployment("d"),
	})
	r.git("mv", "deploy/a.yaml", "deploy/z z.yaml")
	r.git("mv", "outside/b.yaml", "deploy/b.yaml")
	// A file taken apart: every line is in a new file, and no object changed.
	r.write(map[string]string{"deploy/c.yaml": deployment("c"), "deploy/d.yaml": deployment("d")})
	r.git("rm", "-q", "deploy/many.yaml")
	r.git("add", "-A")
	got := r.lint("deploy")
	want(t, "moved", got.counted())
	want(t, "states", got.states())
	r.edit("deploy/z z.yaml", "shop:1", "shop:2")
	want(t, "moved and edited", r.lint("deploy").counted(), "HR202 a")
}

func TestNames(t *testing.T) {
	odd := []string{"with blank.yaml", "größe-日本.yaml", "quote'\"s.yaml", "-o.yaml", "a[b]*?.yaml", ":(top)x.yaml", "new\nline.yaml"}
	files := map[string]string{}
	for i, name := range odd {
		files["deploy/"+name] = deployment(strings.Repeat("x", i+1))
	}
	r := start(t, files)
	want(t, "unchanged", r.lint("deploy").counted())
	var wanted []string
	for i, name := range odd {
		r.edit("deploy/"+name, "shop:1", "shop:2")
		wanted = append(wanted, "HR202 "+strings.Repeat("x", i+1))
	}
	want(t, "changed", r.lint("deploy").counted(), wanted...)
	want(t, "from below", r.lintIn("deploy", ".").counted(), wanted...)
	want(t, "by name", r.lint("deploy/with blank.yaml", "./deploy/a[b]*?.yaml").counted(), wanted[0], wanted[4])
}

func TestLineEnds(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a"), "b.yaml": deployment("b")})
	crlf := strings.ReplaceAll(deployment("a"), "\n", "\r\n")
	r.write(map[string]string{"a.yaml": crlf})
	want(t, "other line ends", r.lint(".").counted())
	r.commit("line ends")
	r.edit("a.yaml", "shop:1", "shop:2")
	want(t, "and an edit", r.lint(".").counted(), "HR202 a")

	r.commit("and an edit")
	r.git("config", "core.autocrlf", "true")
	r.git("checkout", "-q", "main")
	r.git("rm", "-q", "--cached", "-r", ".")
	r.git("reset", "-q", "--hard")
	want(t, "autocrlf", r.lint(".").counted())
}

// TestLastLinesTakenAway touches what they were the last lines of, and not what comes next.
func TestLastLinesTakenAway(t *testing.T) {
	with := strings.Replace(deployment("a"), "              memory: 1Gi\n              cpu: \"2\"\n",
		"              cpu: \"2\"\n              memory: 1Gi\n", 1)
	r := start(t, map[string]string{"a.yaml": with + "---\n" + deployment("b")})
	r.edit("a.yaml", "              memory: 1Gi\n---", "---")
	got := r.lint(".")
	want(t, "findings", got.counted(), "HR202 a", "HR301 a new")
}

func TestList(t *testing.T) {
	item := func(name string) string {
		return "- " + strings.ReplaceAll(strings.TrimSuffix(deployment(name), "\n"), "\n", "\n  ") + "\n"
	}
	r := start(t, map[string]string{"l.yaml": "apiVersion: v1\nkind: List\nitems:\n" + item("a") + item("b") + item("c")})
	text, err := os.ReadFile(r.path("l.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), "name: b")
	changed := string(text[:at]) + strings.Replace(string(text[at:]), "shop:1", "shop:2", 1)
	r.write(map[string]string{"l.yaml": changed})
	want(t, "an item", r.lint(".").counted(), "HR202 b")
}
