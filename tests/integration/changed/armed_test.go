//go:build integration

package changed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// armed is a git configuration that names a program wherever one can be named.
func armed(canary string) string {
	run := fmt.Sprintf("touch %s", canary)
	lines := []string{
		"[core]", "\tfsmonitor = " + run, "\tpager = " + run, "\tsshCommand = " + run, "\tgitProxy = " + run, "\taskPass = " + run,
		"\teditor = " + run, "\thooksPath = hooks", "\talternateRefsCommand = " + run, "\tattributesFile = attributes", "\trepositoryformatversion = 0",
		"[diff]", "\texternal = " + run, `[diff "a=b"]`, "\tcommand = " + run, "\ttextconv = " + run,
		`[filter "a=b"]`, "\tclean = " + run + "; cat", "\tsmudge = " + run + "; cat", "\trequired = true",
		`[filter "p"]`, "\tprocess = " + run, "[alias]", "\tdiff = !" + run, "\trev-parse = !" + run, "[credential]", "\thelper = !" + run,
		"[uploadpack]", "\tpackObjectsHook = " + run, "[gpg]", "\tprogram = " + run, "[log]", "\tshowSignature = true",
		"[trace2]", "\teventTarget = " + canary + "-trace", "[merge \"a=b\"]", "\tdriver = " + run,
	}
	return strings.Join(lines, "\n") + "\n"
}

// H4: whatever a tree says of git, and whatever a repository inside it does, nothing of it is run.
func TestNothingOfAStrangersTreeIsRun(t *testing.T) {
	r := start(t, map[string]string{"web.yaml": "a: b\n", "deploy/web.yaml": "a: b\n"})
	canary := filepath.Join(t.TempDir(), "ran")
	config := armed(canary)
	hook := "#!/bin/sh\ntouch " + canary + "\n"
	bare := map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": config + "[core]\n\tbare = false\n\tworktree = ..\n", "objects/.keep": "", "refs/.keep": "",
		"hooks/post-index-change": hook, "hooks/fsmonitor-watchman": hook, "attributes": "* filter=a=b diff=a=b\n",
	}
	files := map[string]string{
		".gitattributes": "*.yaml filter=a=b diff=a=b merge=a=b\ndeploy/*.yaml filter=p\n", "deploy/web.yaml": "a: c\n", "web.yaml": "a: c\n",
		".gitmodules": "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% " + canary + "\n\tupdate = !touch " + canary + "\n",
	}
	for name, text := range bare {
		files["embedded/"+name] = text
		files["deploy/"+name] = text
	}
	files["embedded/deployment.yaml"] = "a: b\n"
	r.write(files)
	if err := os.WriteFile(r.path("link.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.commit("a stranger's")
	for _, hooks := range []string{"embedded/hooks", "deploy/hooks"} {
		for _, name := range []string{"post-index-change", "fsmonitor-watchman"} {
			if err := os.Chmod(r.path(hooks+"/"+name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, folder := range []string{".", "embedded", "deploy", "embedded/hooks", "deploy/objects"} {
		out := r.headroom(folder, "lint", "--changed-since", "main", ".")
		if out.code != 0 && !strings.Contains(out.stderr, "bare") {
			t.Errorf("in %s: exit code %d: %s", folder, out.code, out.stderr)
		}
		nothingRan(t, canary, "a repository inside the tree, in "+folder)
	}

	// A folder that came with a configuration of its own: filters and the rest are not run on what is compared.
	own := r.path(".git/config")
	text, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, append(text, []byte(strings.ReplaceAll(config, "hooksPath = hooks", "hooksPath = ../embedded/hooks"))...), 0o600); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"web.yaml": "a: d\n", "deploy/web.yaml": "a: d\n", ".git/info/attributes": "* filter=a=b\n"})
	out := r.headroom(".", "lint", "--changed-since", "main", "web.yaml", "deploy/web.yaml")
	if out.code != 0 {
		t.Errorf("exit code %d: %s", out.code, out.stderr)
	}
	nothingRan(t, canary, "the repository's own configuration")
}

func nothingRan(t *testing.T, canary, what string) {
	t.Helper()
	if _, err := os.Stat(canary); err == nil {
		t.Errorf("%s: a program was run", what)
		_ = os.Remove(canary)
	}
}
