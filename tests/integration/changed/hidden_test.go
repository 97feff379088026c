//go:build integration

package changed

import (
	"strings"
	"testing"
)

// A mirror fetches refs/replace, too: what stands there for a commit does not count. The change is what git has.
func TestReplacedCommits(t *testing.T) {
	for _, what := range []string{"replace", "graft"} {
		r := start(t, map[string]string{"a.yaml": deployment("a")})
		r.write(map[string]string{"b.yaml": deployment("b")})
		r.commit("a change")
		if len(r.lint("--changed-since", "main", ".").Findings) == 0 {
			t.Fatal("nothing is new")
		}
		base, head := strings.TrimSpace(r.git("rev-parse", "main")), strings.TrimSpace(r.git("rev-parse", "HEAD"))
		if what == "graft" {
			// HEAD would be its own base: main a child of it.
			r.write(map[string]string{".git/info/grafts": base + " " + head + "\n" + head + "\n"})
		} else {
			r.git("replace", base, head)
		}
		if len(r.lint("--changed-since", "main", ".").Findings) == 0 {
			t.Errorf("%s: nothing is new", what)
		}
	}
}

// Attributes and lists of what git ignores, which a pull request may change, take no file out of what is compared.
func TestAttributesHideNothing(t *testing.T) {
	for name, text := range map[string]string{
		".gitattributes": "*.yaml -diff -text -merge binary export-ignore linguist-generated ident\n",
		".gitignore":     "*\n", "deploy/.gitignore": "*.yaml\n", "deploy/.helmignore": "*\n",
	} {
		r := start(t, map[string]string{"deploy/a.yaml": deployment("a")})
		r.write(map[string]string{"deploy/b.yaml": deployment("b"), name: text})
		r.git("add", "-f", "deploy/b.yaml", name)
		r.commit("a change")
		if len(r.lint("--changed-since", "main", "deploy").Findings) == 0 {
			t.Errorf("%s: nothing is new", name)
		}
	}
}
