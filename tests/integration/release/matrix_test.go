//go:build integration

package release

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// standIn replaces the program where the files around it are looked at: compiling headroom
// itself for another platform takes five minutes of CPU.
func standIn(t *testing.T) map[string]string {
	t.Helper()
	files, err := sources()
	check(t, err)
	changes := map[string]string{}
	for name := range files {
		if path.Dir(name) == "cmd/headroom" {
			changes[name] = "package main\n"
		}
	}
	changes["cmd/headroom/main.go"] = `package main

import "os"

func main() {
	if len(os.Args) > 2 && os.Args[1] == "man" {
		_ = os.MkdirAll(os.Args[2], 0o755)
		_ = os.WriteFile(os.Args[2]+"/headroom.1", []byte("a page"), 0o644)
	}
}
`
	return changes
}

// A tagged commit for all platforms: every archive is there, and krew and Homebrew name them.
func TestMatrix(t *testing.T) {
	dir := stage(t, t.TempDir(), standIn(t))
	version := chartVersion(t)
	run(t, dir, "git", "tag", "v"+version)
	folder, said := makeRelease(t, dir, "-tagged")
	if strings.Contains(said, "not made") || !strings.Contains(said, "headroom v"+version+", commit ") {
		t.Errorf("said %s", said)
	}
	for _, archive := range []string{
		"headroom_linux_amd64.tar.gz", "headroom_linux_arm64.tar.gz", "headroom_darwin_amd64.tar.gz",
		"headroom_darwin_arm64.tar.gz", "headroom_windows_amd64.zip", "headroom_windows_arm64.zip",
	} {
		bill := strings.SplitN(archive, ".", 2)[0] + ".cdx.json"
		for _, name := range []string{archive, bill} {
			if !slices.Contains(names(t, folder), name) {
				t.Errorf("no %s", name)
			}
		}
	}
	t.Run("zip", func(t *testing.T) { checkZip(t, filepath.Join(folder, "headroom_windows_arm64.zip")) })
	t.Run("krew", func(t *testing.T) { checkKrew(t, folder, version) })
	t.Run("homebrew", func(t *testing.T) { checkHomebrew(t, folder, version) })
}

func chartVersion(t *testing.T) string {
	t.Helper()
	var chart struct{ Version string }
	check(t, yaml.Unmarshal(read(t, root, "charts/headroom/Chart.yaml"), &chart))
	return chart.Version
}

func checkZip(t *testing.T, file string) {
	reader, err := zip.OpenReader(file)
	check(t, err)
	defer reader.Close()
	var order []string
	for _, f := range reader.File {
		order = append(order, f.Name)
		if !f.Modified.Equal(commitTime) {
			t.Errorf("%s changed at %s", f.Name, f.Modified)
		}
		if program := f.Mode().Perm() == 0o755; program != (strings.HasSuffix(f.Name, ".exe") || f.Name == "completions/kubectl_complete-headroom") {
			t.Errorf("%s has mode %s", f.Name, f.Mode())
		}
	}
	if !slices.Equal(withoutManual(t, order, 6), []string{"LICENSE", "THIRD_PARTY_LICENSES", "headroom-full.exe", "headroom.exe"}) {
		t.Errorf("files %q", order)
	}
}

func checkKrew(t *testing.T, folder, version string) {
	var plugin struct {
		Spec struct {
			Version   string
			Platforms []struct {
				Selector    struct{ MatchLabels map[string]string }
				URI, SHA256 string
				Files       []struct{ From, To string }
			}
		}
	}
	check(t, yaml.Unmarshal(read(t, folder, "headroom.yaml"), &plugin))
	if plugin.Spec.Version != "v"+version || len(plugin.Spec.Platforms) != 6 {
		t.Errorf("%+v", plugin)
	}
	for _, p := range plugin.Spec.Platforms {
		checkDownload(t, folder, version, p.URI, p.SHA256)
		labels := p.Selector.MatchLabels
		if !strings.Contains(p.URI, "/headroom_"+labels["os"]+"_"+labels["arch"]+".") {
			t.Errorf("%v is at %s", labels, p.URI)
		}
		inside := filesOf(t, filepath.Join(folder, path.Base(p.URI)))
		for _, f := range p.Files {
			if !slices.Contains(inside, f.From) {
				t.Errorf("%s holds %q, and krew takes %s out of it", path.Base(p.URI), inside, f.From)
			}
		}
	}
}

func filesOf(t *testing.T, archive string) []string {
	t.Helper()
	if strings.HasSuffix(archive, ".zip") {
		reader, err := zip.OpenReader(archive)
		check(t, err)
		defer reader.Close()
		var inside []string
		for _, f := range reader.File {
			inside = append(inside, f.Name)
		}
		return inside
	}
	return strings.Fields(run(t, ".", "tar", "-tzf", archive))
}

var formulaLine = regexp.MustCompile(`(?m)^ +url "([^"]+)"\n +sha256 "([0-9a-f]+)"$`)

func checkHomebrew(t *testing.T, folder, version string) {
	text := read(t, folder, "headroom.rb")
	found := formulaLine.FindAllSubmatch(text, -1)
	if len(found) != 4 || !bytes.Contains(text, []byte(`version "`+version+`"`)) || bytes.Contains(text, []byte("{{")) {
		t.Errorf("%d downloads in\n%s", len(found), text)
	}
	var platforms []string
	for _, match := range found {
		checkDownload(t, folder, version, string(match[1]), string(match[2]))
		platforms = append(platforms, strings.TrimPrefix(path.Base(string(match[1])), "headroom_"))
	}
	wanted := []string{"darwin_arm64.tar.gz", "darwin_amd64.tar.gz", "linux_arm64.tar.gz", "linux_amd64.tar.gz"}
	if !slices.Equal(platforms, wanted) {
		t.Errorf("downloads %q", platforms)
	}
	// Few machines have Ruby; where one does, it reads the formula.
	if ruby, err := exec.LookPath("ruby"); err == nil {
		run(t, folder, ruby, "-c", "headroom.rb")
	}
}

func checkDownload(t *testing.T, folder, version, url, sum string) {
	t.Helper()
	name, found := strings.CutPrefix(url, "https://github.com/headroom-dev/headroom/releases/download/v"+version+"/")
	content, err := os.ReadFile(filepath.Join(folder, name))
	if !found || err != nil {
		t.Errorf("%s: %v", url, err)
		return
	}
	if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != sum {
		t.Errorf("%s has the sum %x, not %s", name, got, sum)
	}
}

// A release is refused where it would be another than its name says.
func TestRefusals(t *testing.T) {
	release := compiled(t, module+"/tools/release")
	dir := stage(t, t.TempDir(), standIn(t))
	for _, test := range []struct {
		name, wanted string
		before       func()
		arguments    []string
	}{
		{"no tag", "is no release: it has no tag v" + chartVersion(t), func() {}, []string{"-tagged"}},
		{"platform", `platform "linux": wanted OS/ARCHITECTURE`, func() {}, []string{"-platforms", "linux"}},
		{"unknown platform", "build headroom for plan10/amd64", func() {}, []string{"-platforms", "plan10/amd64"}},
		{"another folder", "holds something else than a release", func() {}, []string{"-platforms", host, "-o", "docs"}},
		{"no tag of what comes", "has no tag v7.8.9-rc.1,", func() {
			run(t, dir, compiled(t, module+"/tools/release/version"), "7.8.9-rc.1")
			run(t, dir, "git", "commit", "-q", "-a", "-m", "version")
		}, []string{"-tagged"}},
		{"another tag", "make version VERSION=9.9.9", func() { run(t, dir, "git", "tag", "v9.9.9") }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.before()
			out := fails(t, dir, release, append([]string{"-sbom", program.Tool(t, "sbom")}, test.arguments...)...)
			if !strings.Contains(out, test.wanted) {
				t.Errorf("said %s", out)
			}
			if _, err := os.Stat(filepath.Join(dir, "dist/release")); !os.IsNotExist(err) {
				t.Errorf("something was made: %v", err)
			}
		})
	}
}
