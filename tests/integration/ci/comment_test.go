//go:build integration

package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One comment, written when something is found, kept up to date, and never anybody else's.
func TestActionComments(t *testing.T) {
	r := newRepository(t, before)
	p := r.pullRequest(change)
	workspace := r.checkout(p.merge, "1")
	dir, file := pullComments(t,
		comment{ID: 7, Body: "<!-- headroom -->\nmine", Own: false}, comment{ID: 8, Body: "other", Own: true})
	run := func(inputs map[string]string, env ...string) ran {
		all := map[string]string{"binary": binary, "comment": "true"}
		for name, value := range inputs {
			all[name] = value
		}
		environment := map[string]string{"COMMENTS_OF_THIS_TEST": file, "GITHUB_SERVER_URL": "https://github.com"}
		for _, setting := range env {
			name, value, _ := strings.Cut(setting, "=")
			environment[name] = value
		}
		return job{t: t, workspace: workspace, github: pullEvent(p), inputs: all, path: dir, env: environment}.run()
	}

	first := run(nil)
	first.expect(t, 1, "HR202")
	comments := commentsIn(t, file)
	if len(comments) != 3 || !strings.HasPrefix(comments[2].Body, "<!-- headroom -->\n**headroom") ||
		!strings.HasSuffix(comments[2].Body, strings.TrimPrefix(first.summary, "<!-- headroom -->\n")) {
		t.Fatalf("comments %+v", comments)
	}
	run(map[string]string{"changed-since": "all"}).expect(t, 1)
	again := commentsIn(t, file)
	if len(again) != 3 || again[2].Body == comments[2].Body || !strings.Contains(again[2].Body, "old.yaml") {
		t.Errorf("comments %+v", again)
	}
	if again[0].Body != "<!-- headroom -->\nmine" || again[1].Body != "other" {
		t.Errorf("a comment of somebody's was changed: %+v", again)
	}
	run(map[string]string{"category": "shop/cart"}).expect(t, 1)
	if more := commentsIn(t, file); len(more) != 4 || !strings.HasPrefix(more[3].Body, "<!-- headroom: shop/cart -->\n") {
		t.Errorf("comments %+v", more)
	}
	// The token of a fork's pull request cannot write: said, and no reason to fail.
	run(map[string]string{"fail-on": "never"}, "READ_ONLY=1").
		expect(t, 0, "::warning title=headroom wrote no comment::", "HR202")
	run(map[string]string{"fail-on": "never", "token": "x"}).expect(t, 0, "cannot be read")
	run(map[string]string{"category": "-->x"}).expect(t, 2, "category")
	// A server of one's own gets its token, and github.com does not.
	run(map[string]string{"category": "own"}, "GITHUB_SERVER_URL=https://git.example.com").expect(t, 1)
	if more := commentsIn(t, file); len(more) != 5 {
		t.Errorf("comments %+v", more)
	}
	bare := job{t: t, workspace: workspace, github: pullEvent(p), env: map[string]string{"PATH": withoutGo(t)}}
	bare.inputs = map[string]string{"binary": binary, "comment": "true"}
	bare.run().expect(t, 1, "::warning title=headroom wrote no comment::This runner has no gh")

	// Fixed, the comment says so; where nothing was ever found, none is written.
	write(t, filepath.Join(workspace, "deploy"), map[string]string{"cart.yaml": sound})
	run(nil).expect(t, 0)
	if last := commentsIn(t, file); len(last) != 5 || strings.Contains(last[2].Body, "HR202") {
		t.Errorf("comments %+v", last)
	}
	if err := os.WriteFile(file, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(nil).expect(t, 0)
	if last := commentsIn(t, file); len(last) != 0 {
		t.Errorf("comments %+v", last)
	}
	// No pull request, no comment.
	out := job{
		t: t, workspace: workspace, github: push(), path: dir,
		inputs: map[string]string{"binary": binary, "comment": "true"},
	}.run()
	if !strings.Contains(strings.Join(out.skipped, " "), "Comment") {
		t.Errorf("skipped %v:\n%s", out.skipped, out.log)
	}
}
