//go:build integration

package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tools/release/pack"
)

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	check(t, err)
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

// The same commit in two folders, at two times, makes the same bytes of every file.
func TestSameBytes(t *testing.T) {
	first, second := ofHost(t), other(t)
	if a, b := names(t, first), names(t, second); !slices.Equal(a, b) || len(a) < 10 {
		t.Fatalf("files %q and %q", a, b)
	}
	for _, name := range names(t, first) {
		if !bytes.Equal(read(t, first, name), read(t, second, name)) {
			t.Errorf("%s differs between two builds of the same commit", name)
		}
	}
}

// What lies in the folder and is not committed stays out, and the tool says so.
func TestOnlyWhatIsCommitted(t *testing.T) {
	dir := stage(t, t.TempDir(), standIn(t))
	clean, said := makeRelease(t, dir, "-platforms", host)
	if strings.Contains(said, "not committed") {
		t.Errorf("of a clean folder: %s", said)
	}
	before := read(t, clean, "checksums.txt")
	check(t, os.WriteFile(filepath.Join(dir, "policies/rego/main/more.rego"), []byte("package main\n"), 0o644))
	check(t, os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("changed"), 0o644))
	// Nor does it matter what somebody has told git and go about other work.
	run(t, dir, "git", "config", "core.autocrlf", "true")
	attributes, settings := filepath.Join(t.TempDir(), "attributes"), filepath.Join(t.TempDir(), "env")
	check(t, os.WriteFile(attributes, []byte("* text eol=crlf\n*.md export-ignore\n"), 0o644))
	run(t, dir, "git", "config", "core.attributesFile", attributes)
	check(t, os.WriteFile(settings, []byte("GOFLAGS=-tags=other\nGOAMD64=v3\nGOOS=plan9\nGOFIPS140=latest\n"), 0o644))
	t.Setenv("GOENV", settings)
	t.Setenv("GOFLAGS", "")
	again, said := makeRelease(t, dir, "-platforms", host)
	if !strings.Contains(said, "not committed; they are not in the release") {
		t.Errorf("of a folder with changes: %s", said)
	}
	if after := read(t, again, "checksums.txt"); !bytes.Equal(before, after) {
		t.Errorf("what is not committed changed the release:\n%s\n%s", before, after)
	}
}

func TestChecksums(t *testing.T) {
	folder := ofHost(t)
	out := run(t, folder, "sha256sum", "--strict", "--check", "checksums.txt")
	// Each file but the list itself.
	if got, wanted := strings.Count(out, ": OK"), len(names(t, folder))-1; got != wanted {
		t.Errorf("%d sums for %d files:\n%s", got, wanted, out)
	}
}

// The archive holds the program, which says the version, and the licences.
func TestArchive(t *testing.T) {
	folder := ofHost(t)
	name := "headroom_" + strings.ReplaceAll(host, "/", "_") + ".tar.gz"
	unzipped, err := gzip.NewReader(bytes.NewReader(read(t, folder, name)))
	check(t, err)
	if !unzipped.ModTime.IsZero() || unzipped.Name != "" {
		t.Errorf("gzip's header says %q of %s", unzipped.Name, unzipped.ModTime)
	}
	modes := map[string]int64{"LICENSE": 0o644, "THIRD_PARTY_LICENSES": 0o644, "headroom": 0o755, "headroom-full": 0o755}
	var order []string
	reader := tar.NewReader(unzipped)
	for {
		h, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		check(t, err)
		order = append(order, h.Name)
		mode := modes[h.Name]
		if isManual(h.Name) {
			mode = 0o644
		}
		if h.Name == "completions/kubectl_complete-headroom" {
			mode = 0o755
		}
		if h.Mode != mode || h.Uid+h.Gid != 0 || h.Uname+h.Gname != "" || !h.ModTime.Equal(commitTime) {
			t.Errorf("%+v", h)
		}
	}
	if !slices.Equal(withoutManual(t, order, 20), []string{"LICENSE", "THIRD_PARTY_LICENSES", "headroom", "headroom-full"}) {
		t.Errorf("files %q", order)
	}
	files, err := pack.UntarGz(read(t, folder, name))
	check(t, err)
	dir := t.TempDir()
	check(t, files.Write(dir))
	said := run(t, dir, "./headroom", "version")
	if version := releaseVersion(t, folder); !strings.HasPrefix(said, "headroom v"+version+" (") {
		t.Errorf("version %s says %q", version, said)
	}
	page := string(files["man/man1/headroom-lint.1"].Content)
	if version := releaseVersion(t, folder); !strings.Contains(page, `"Mar 2026" "headroom v`+version) {
		t.Errorf("the manual page is %.300s", page)
	}
	for shell, word := range map[string]string{
		"headroom.bash": "__start_headroom", "_headroom": "#compdef headroom", "headroom.fish": "complete -c headroom",
		"headroom.ps1": "Register-ArgumentCompleter", "kubectl_complete-headroom": "kubectl-headroom __complete",
	} {
		if text := string(files["completions/"+shell].Content); !strings.Contains(text, word) {
			t.Errorf("completions/%s has no %q: %.200s", shell, word, text)
		}
	}
	notices := string(files["THIRD_PARTY_LICENSES"].Content)
	for _, wanted := range []string{"github.com/open-policy-agent/opa v", "k8s.io/api v", "stdlib 1.", "The MIT License"} {
		if !strings.Contains(notices, wanted) {
			t.Errorf("the licences of others lack %q", wanted)
		}
	}
}

func isManual(name string) bool {
	return strings.HasPrefix(name, "man/man1/headroom") || strings.HasPrefix(name, "completions/")
}

// withoutManual leaves manual pages and completions out, of which there are so many at least.
func withoutManual(t *testing.T, names []string, least int) []string {
	t.Helper()
	rest := slices.DeleteFunc(slices.Clone(names), isManual)
	if len(names)-len(rest) < least {
		t.Errorf("%d manual pages and completions", len(names)-len(rest))
	}
	return rest
}

// What a linked package was taken over from may have another licence than the module around it.
func TestLicensesOfPackages(t *testing.T) {
	folder := ofHost(t)
	files, err := pack.UntarGz(read(t, folder, "headroom_"+strings.ReplaceAll(host, "/", "_")+".tar.gz"))
	check(t, err)
	notices, seen := files["THIRD_PARTY_LICENSES"].Content, map[string]bool{}
	const format = "{{with .Module}}{{if not .Main}}{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"
	for line := range strings.Lines(run(t, root, "go", "list", "-deps", "-f", format, "./cmd/headroom")) {
		module, dir, found := strings.Cut(strings.TrimSpace(line), "\t")
		for ; found && len(dir) >= len(module) && !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			for _, name := range names(t, dir) {
				if !licenseFile.MatchString(name) {
					continue
				}
				if text := bytes.TrimSpace(read(t, dir, name)); !bytes.Contains(notices, text) {
					t.Errorf("the licences lack %s", filepath.Join(dir, name))
				}
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("%d packages were looked at", len(seen))
	}
}

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.txt|\.md)?$`)

// The image holds the program that has everything, and the licences. Manual pages are left out: they are read where a shell is.
func TestImageIsTheArchive(t *testing.T) {
	folder := ofHost(t)
	files, err := pack.UntarGz(read(t, folder, "headroom_"+strings.ReplaceAll(host, "/", "_")+".tar.gz"))
	check(t, err)
	layers, err := pack.Untar(bytes.NewReader(read(t, folder, "headroom-image.tar")))
	check(t, err)
	held := pack.Files{}
	for _, blob := range layers {
		if layer, err := pack.UntarGz(blob.Content); err == nil {
			maps.Copy(held, layer)
		}
	}
	maps.DeleteFunc(files, func(name string, _ pack.File) bool { return isManual(name) })
	files["headroom"] = files["headroom-full"]
	delete(files, "headroom-full")
	if !slices.Equal(held.Names(), files.Names()) {
		t.Errorf("the image holds %q, the archive %q", held.Names(), files.Names())
	}
	for name, file := range files {
		if !bytes.Equal(held[name].Content, file.Content) || held[name].Program != file.Program {
			t.Errorf("%s in the image is not that of the archive", name)
		}
	}
}

// releaseVersion is what the chart's file name says.
func releaseVersion(t *testing.T, folder string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "headroom-*.tgz"))
	check(t, err)
	if len(found) != 1 {
		t.Fatalf("charts %q", found)
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), "headroom-"), ".tgz")
}
