//go:build integration

package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	before = map[string]string{"deploy/old.yaml": named(limited, "old"), "deploy/cart.yaml": sound}
	change = map[string]string{"deploy/cart.yaml": limited}
)

// A pull request answers for what it touches, however little of the history was checked out.
func TestActionOnAPullRequest(t *testing.T) {
	meanwhile := []map[string]string{{"deploy/new.yaml": named(limited, "new")}}
	for name, c := range map[string]struct {
		depth     string
		meanwhile []map[string]string
		head      bool // checks out the branch, not the merge
	}{
		"one commit":               {depth: "1"},
		"all of it":                {depth: "0"},
		"main has gone on":         {depth: "1", meanwhile: meanwhile},
		"main has gone on, all":    {depth: "0", meanwhile: meanwhile},
		"the branch alone":         {depth: "1", head: true},
		"the branch, main gone on": {depth: "2", head: true, meanwhile: meanwhile},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, before)
			for range 3 {
				r.commit(nil) // a history to leave out
			}
			p := r.pullRequest(change, c.meanwhile...)
			commit := p.merge
			if c.head {
				commit = p.head
			}
			workspace := r.checkout(commit, c.depth)
			out := job{t: t, workspace: workspace, github: pullEvent(p), inputs: map[string]string{"binary": binary}}.run()
			out.expect(t, 1, "::error file=deploy/cart.yaml,line=13,title=HR202")
			for _, other := range []string{"deploy/old.yaml", "deploy/new.yaml"} {
				if strings.Contains(out.log+out.summary, other) {
					t.Errorf("%s is judged, which the pull request does not touch:\n%s", other, out.log)
				}
			}
			if out.outputs["errors"] != "1" || !strings.Contains(out.summary, "cart") {
				t.Errorf("outputs %v, summary %s", out.outputs, out.summary)
			}
			all := map[string]string{"binary": binary, "changed-since": "all"}
			out = job{t: t, workspace: workspace, github: pullEvent(p), inputs: all}.run()
			out.expect(t, 1, "deploy/cart.yaml", "deploy/old.yaml")
		})
	}
}

// A config that a pull request puts nearer to working-directory is not in force yet: the nearest of the base is.
func TestActionByTheRulesOfTheBase(t *testing.T) {
	r := newRepository(t, map[string]string{"headroom.yaml": milder, "services/cart/old.yaml": sound})
	p := r.pullRequest(map[string]string{
		"services/headroom.yaml": strings.Replace(milder, "warning", "error", 1), "services/cart/deploy.yaml": limited,
	})
	for _, since := range []string{"", "all"} {
		inputs := map[string]string{"binary": binary, "working-directory": "services/cart", "changed-since": since}
		out := job{t: t, workspace: r.checkout(p.merge, "1"), github: pullEvent(p), inputs: inputs}.run()
		out.expect(t, 0, "::warning file=services/cart/deploy.yaml,line=13,title=HR202")
	}
}

func TestActionOnAPullRequestThatIsSound(t *testing.T) {
	r := newRepository(t, before)
	p := r.pullRequest(map[string]string{"README.md": "x"})
	inputs := map[string]string{"binary": binary}
	out := job{t: t, workspace: r.checkout(p.merge, "1"), github: pullEvent(p), inputs: inputs}.run()
	out.expect(t, 0)
	if out.outputs["errors"] != "0" || out.summary == "" {
		t.Errorf("outputs %v, summary %q", out.outputs, out.summary)
	}
}

// pull_request_target runs with a token that writes, on what is in main already: a verdict on that would be
// no verdict on the pull request.
func TestActionOnTheBaseOfAPullRequest(t *testing.T) {
	r := newRepository(t, before)
	p := r.pullRequest(change)
	workspace := r.checkout(p.base, "1")
	event := pullEvent(p)
	event["event_name"] = "pull_request_target"
	inputs := map[string]string{"binary": binary}
	j := job{t: t, workspace: workspace, github: event, inputs: inputs}
	j.run().expect(t, 2, "is the base of the pull request", "pull_request_target")
	inputs["changed-since"] = "all"
	j.run().expect(t, 1, "deploy/old.yaml")
	// What somebody has put into the checkout is judged.
	delete(inputs, "changed-since")
	write(t, workspace, change)
	j.run().expect(t, 1, "deploy/cart.yaml")
}

// What a job has told git through the environment, such as credentials, reaches the git that fetches.
func TestActionKeepsGitsConfig(t *testing.T) {
	r := newRepository(t, before)
	p := r.pullRequest(change)
	workspace := r.checkout(p.merge, "1")
	git(t, workspace, "remote", "set-url", "origin", "https://origin.example.invalid/cart")
	env := map[string]string{
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": "https://origin.example.invalid/cart",
		"GIT_CONFIG_KEY_0": "url.file://" + filepath.ToSlash(r.origin) + ".insteadOf",
	}
	inputs := map[string]string{"binary": binary}
	job{t: t, workspace: workspace, github: pullEvent(p), inputs: inputs, env: env}.run().expect(t, 1, "deploy/cart.yaml")
}

// A commit may be named, in any event; what cannot be had is said, with what to do.
func TestActionSinceACommit(t *testing.T) {
	r := newRepository(t, before)
	first := git(t, r.dir, "rev-parse", "HEAD")
	for range 40 {
		r.commit(nil)
	}
	workspace := r.checkout(r.commit(change), "1")
	since := func(value string) ran {
		inputs := map[string]string{"binary": binary, "changed-since": value}
		return job{t: t, workspace: workspace, github: push(), inputs: inputs}.run()
	}
	if out := since(first); out.code != 1 || strings.Contains(out.log, "old.yaml") {
		t.Errorf("exit code %d:\n%s", out.code, out.log)
	}
	since("main").expect(t, 0) // a branch that is not here, and is fetched
	since("no-such").expect(t, 2, "::error title=headroom did not run::changed-since: no-such", "fetch-depth: 0")
	if err := os.RemoveAll(r.origin); err != nil {
		t.Fatal(err)
	}
	since("other").expect(t, 2, "fetch-depth: 0")
	if err := os.RemoveAll(filepath.Join(workspace, ".git")); err != nil {
		t.Fatal(err)
	}
	since("main").expect(t, 2, "did not run")
}
