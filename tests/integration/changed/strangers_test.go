//go:build integration

package changed

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A submodule has a configuration of its own, and so has a repository that calls a folder above it its work tree.
func TestFiltersOfOtherRepositoriesAreNotRun(t *testing.T) {
	canary := filepath.Join(t.TempDir(), "ran")
	run := "touch " + canary + "; cat"
	sub := empty(t)
	sub.write(map[string]string{"a.yaml": deployment("a"), ".gitattributes": "* filter=evil\n"})
	sub.commit("sub")
	r := start(t, map[string]string{"b.yaml": deployment("b")})
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.dir, "vendored")
	r.commit("vendored")
	r.git("branch", "-f", "main")
	r.git("-C", "vendored", "config", "filter.evil.clean", run)
	r.edit("vendored/a.yaml", "shop:1", "shop:2")
	if out := r.headroom(".", "lint", "--changed-since", "main", "."); out.code > 1 {
		t.Errorf("exit code %d: %s", out.code, out.stderr)
	}
	nothingRan(t, canary, "a filter of a submodule")

	outer := start(t, map[string]string{"b.yaml": deployment("b"), "deep/down/a.yaml": deployment("a")})
	if err := os.CopyFS(outer.path("deep/down/.git"), os.DirFS(outer.path(".git"))); err != nil {
		t.Fatal(err)
	}
	outer.git("config", "-f", "deep/down/.git/config", "core.worktree", "../../..")
	outer.git("config", "filter.evil.clean", run)
	outer.write(map[string]string{".git/info/attributes": "* filter=evil\n"})
	outer.edit("b.yaml", "shop:1", "shop:2")
	if out := outer.headroom("deep/down", "lint", "--changed-since", "main", "."); out.code > 1 {
		t.Errorf("exit code %d: %s", out.code, out.stderr)
	}
	nothingRan(t, canary, "a filter of the repository around")
}

// A clone that lacks files fetches them by programs that its configuration names. Here nothing is fetched.
func TestAPartialCloneFetchesNothing(t *testing.T) {
	canary := filepath.Join(t.TempDir(), "ran")
	from := empty(t)
	from.git("config", "uploadpack.allowFilter", "true")
	from.write(map[string]string{"a.yaml": deployment("a")})
	from.commit("main")
	for name, config := range map[string][]string{
		"a pack program":  {"remote.origin.uploadpack", "touch " + canary + "; git-upload-pack"},
		"a transport":     {"remote.origin.url", "ext::sh -c touch% " + canary},
		"a helper":        {"remote.origin.vcs", "ext"},
		"a proxy":         {"remote.origin.url", "git://127.0.0.1:1/a"},
		"nothing strange": nil,
	} {
		t.Run(name, func(t *testing.T) {
			r := repository{t: t, dir: t.TempDir()}
			r.git("-c", "protocol.file.allow=always", "clone", "-q", "--filter=blob:none", "file://"+from.dir, "clone")
			r.dir = r.path("clone")
			r.git("checkout", "-q", "-b", "change")
			r.write(map[string]string{"a.yaml": strings.Replace(deployment("a"), "shop:1", "shop:2", 1)})
			r.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qam", "more")
			// What was fetched for the checkout is gone, as with git clone --no-checkout.
			packs, err := filepath.Glob(r.path(".git/objects/pack/*"))
			if err != nil || len(packs) == 0 {
				t.Fatal(packs, err)
			}
			forget(t, r)
			r.git("config", "core.gitProxy", "touch "+canary+" #")
			r.git("config", "core.sshCommand", "touch "+canary+" #")
			r.git("config", "protocol.ext.allow", "always")
			r.git("config", "protocol.git.allow", "always")
			if config != nil {
				r.git("config", config[0], config[1])
			}
			out := r.headroom(".", "lint", "--changed-since", "main", ".")
			if out.code != 2 || !strings.Contains(out.stderr, "a partial clone lacks files") {
				t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
			}
			nothingRan(t, canary, name)
		})
	}
}

// forget drops the content of the files of main, which a partial clone may lack.
func forget(t *testing.T, r repository) {
	t.Helper()
	blob := r.git("rev-parse", "main:a.yaml")
	kept := r.git("rev-list", "--objects", "--all", "--missing=allow-any")
	var ids []string
	for line := range strings.Lines(kept) {
		if id, _, _ := strings.Cut(strings.TrimSpace(line), " "); id != blob && !strings.HasPrefix(id, "?") {
			ids = append(ids, id)
		}
	}
	pack := r.gitWith(strings.Join(ids, "\n")+"\n", "pack-objects", "-q", ".git/objects/pack/kept")
	old, err := filepath.Glob(r.path(".git/objects/pack/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range old {
		if strings.Contains(file, "kept-"+pack) {
			continue
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(r.path(".git/objects/pack/kept-"+pack+".promisor"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(r.path(".git/objects/" + blob[:2] + "/" + blob[2:])); err != nil {
		t.Fatal(err)
	}
}

// What is too large, or never ends, is passed over in bounded time and memory.
func TestFilesThatDoNotEnd(t *testing.T) {
	large := string(bytes.Repeat([]byte("a: b # filling\n"), 72<<20/15))
	r := start(t, map[string]string{"big.json": large, "b.yaml": deployment("b"), "k/kustomization.yaml": "resources: [../b.yaml]\n"})
	r.write(map[string]string{"big.json": "{}\n", "k/t.yaml": "- a\n"})
	r.commit("smaller")
	if err := os.Symlink("/dev/zero", r.path("zero.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(r.path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", r.path("pipe.yaml")); err != nil {
		t.Fatal(err)
	}
	if out := r.headroom(".", "lint", "--changed-since", "main", "."); out.code != 0 {
		t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
	}
	list := "buildMetadata: [" + strings.Repeat("a,", 8<<20) + "a]\nresources: [../b.yaml]\n"
	r.write(map[string]string{"k/kustomization.yaml": list})
	r.commit("long")
	r.git("branch", "-f", "main")
	r.write(map[string]string{"k/kustomization.yaml": "resources: [../b.yaml]\n"})
	if out := r.headroom(".", "lint", "--changed-since", "main", "--kustomize", "k"); out.code > 2 {
		t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
	}
}
