//go:build integration

package ci

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	taggedCommit = "1111111111111111111111111111111111111111"
	otherCommit  = "2222222222222222222222222222222222222222"
)

// releases serves what GitHub has of this project: a release's files, and the tags that git asks
// for. Only v1.2.3 and v1.3.0 exist; v1 stands on the commit of v1.2.3, which is an annotated tag.
func releases(t *testing.T, platform string, spoil func(files map[string][]byte)) *httptest.Server {
	t.Helper()
	name, archive := "headroom_"+platform+".tar.gz", packed(t, "tar.gz")
	if strings.HasPrefix(platform, "windows") {
		name, archive = "headroom_"+platform+".zip", packed(t, "zip")
	}
	files := map[string][]byte{name: archive}
	files["checksums.txt"] = fmt.Appendf(nil, "%064d  headroom_other_amd64.tar.gz\n%x  %s\n",
		0, sha256.Sum256(archive), name)
	if spoil != nil {
		spoil(files)
	}
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.PathValue("file")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}
	for _, release := range []string{"download/v1.2.3", "download/v1.3.0", "latest/download"} {
		mux.HandleFunc("GET /headroom/releases/"+release+"/{file}", serve)
	}
	mux.HandleFunc("GET /headroom/info/refs", func(w http.ResponseWriter, _ *http.Request) {
		for _, line := range []string{
			otherCommit + "\trefs/heads/main", taggedCommit + "\trefs/tags/v1", otherCommit[:39] + "3\trefs/tags/v1.2.3",
			taggedCommit + "\trefs/tags/v1.2.3^{}", otherCommit[:39] + "4\trefs/tags/v1.3.0",
		} {
			_, _ = fmt.Fprintln(w, line)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// packed is an archive of a release, as tools/release packs it, but not compressed. There is one
// of each kind, since every one holds the whole program.
func packed(t *testing.T, kind string) []byte {
	t.Helper()
	if archive := archives[kind]; archive != nil {
		return archive
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if kind == "zip" {
		w := zip.NewWriter(&out)
		header := &zip.FileHeader{Name: "headroom.exe", Method: zip.Store}
		header.SetMode(0o755)
		entry, err := w.CreateHeader(header)
		check(err)
		_, err = entry.Write(program)
		check(err)
		_, err = w.Create("headroom-full.exe")
		check(err)
		check(w.Close())
	} else {
		compressed, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
		check(err)
		w := tar.NewWriter(compressed)
		check(w.WriteHeader(&tar.Header{Name: "LICENSE", Mode: 0o644, Size: 1}))
		_, err = w.Write([]byte("x"))
		check(err)
		check(w.WriteHeader(&tar.Header{Name: "headroom", Mode: 0o755, Size: int64(len(program))}))
		_, err = w.Write(program)
		check(err)
		check(w.WriteHeader(&tar.Header{Name: "headroom-full", Mode: 0o755}))
		check(w.Close())
		check(compressed.Close())
	}
	archives[kind] = out.Bytes()
	return archives[kind]
}

var archives = map[string][]byte{}

// install runs the action on a sound folder with what stands on the server.
func install(t *testing.T, server *httptest.Server, ref string, inputs, env map[string]string) ran {
	t.Helper()
	all := map[string]string{"download-url": server.URL + "/headroom/"}
	for name, value := range inputs {
		all[name] = value
	}
	github := push()
	github["action_ref"] = ref
	workspace := t.TempDir()
	write(t, workspace, map[string]string{"cart.yaml": sound})
	return job{t: t, workspace: workspace, inputs: all, github: github, env: env}.run()
}

func TestActionInstallsARelease(t *testing.T) {
	server := releases(t, "linux_amd64", nil)
	for name, c := range map[string]struct {
		ref     string
		version string
	}{
		"the action's own": {ref: "v1.2.3"},
		"of a moving tag":  {ref: "v1"},
		"of a commit":      {ref: taggedCommit},
		"another":          {ref: otherCommit, version: "v1.3.0"},
		"without its v":    {ref: "main", version: "1.3.0"},
		"the newest":       {version: "latest"},
	} {
		t.Run(name, func(t *testing.T) {
			r := install(t, server, c.ref, map[string]string{"version": c.version}, nil)
			r.expect(t, 0)
			if filepath.Dir(r.outputs["binary"]) != r.binaryPath || !strings.HasPrefix(r.log, "headroom ") {
				t.Errorf("binary %q, path %q, log %s", r.outputs["binary"], r.binaryPath, r.log)
			}
			if _, err := os.Stat(filepath.Join(r.binaryPath, "headroom-full")); err != nil {
				t.Error(err)
			}
		})
	}
	install(t, server, "", map[string]string{"version": "v9.9.9"}, nil).expect(t, 2, "v9.9.9", "could not be downloaded")
	install(t, server, "", map[string]string{"version": "main"}, nil).expect(t, 2, "version is not")
	install(t, server, "", map[string]string{"binary": "/no/such"}, nil).expect(t, 2, "there is no /no/such")
	for _, url := range []string{
		"http://example.com/x", "http://127.0.0.1:80@example.com/x", "--upload-pack=x", "ext::x",
	} {
		for _, version := range []string{"v1.2.3", ""} {
			inputs := map[string]string{"version": version, "download-url": url}
			install(t, server, otherCommit, inputs, nil).expect(t, 2, "not https")
		}
	}
}

func TestActionInstallsForThePlatform(t *testing.T) {
	for platform, runner := range map[string][2]string{
		"darwin_arm64": {"macOS", "ARM64"}, "windows_amd64": {"Windows", "X64"}, "linux_arm64": {"Linux", "ARM64"},
	} {
		executable := "headroom"
		if runner[0] == "Windows" {
			executable = "headroom.exe"
		}
		server := releases(t, platform, nil)
		env := map[string]string{"RUNNER_OS": runner[0], "RUNNER_ARCH": runner[1]}
		r := install(t, server, "v1.2.3", nil, env)
		if _, err := exec.LookPath("unzip"); err != nil && runner[0] == "Windows" {
			// Git bash brings unzip; this machine has none, so it shall be what is missing.
			r.expect(t, 127)
			continue
		}
		r.expect(t, 0)
		if filepath.Base(r.outputs["binary"]) != executable {
			t.Errorf("on %s, %s", platform, r.outputs["binary"])
		}
	}
	env := map[string]string{"RUNNER_ARCH": "ARM"}
	install(t, releases(t, "linux_amd64", nil), "v1.2.3", nil, env).expect(t, 2, "no release for ARM")
}

func TestActionRefusesWhatWasNotReleased(t *testing.T) {
	for name, spoil := range map[string]func(map[string][]byte){
		"is not what checksums.txt says": func(files map[string][]byte) {
			archive := slices.Clone(files["headroom_linux_amd64.tar.gz"])
			archive[len(archive)/2] ^= 1
			files["headroom_linux_amd64.tar.gz"] = archive
		},
		"does not name headroom_linux_amd64.tar.gz": func(files map[string][]byte) {
			files["checksums.txt"] = []byte("0  headroom_linux_amd64.tar.gz.sbom.json\n")
		},
		"could not be downloaded": func(files map[string][]byte) { delete(files, "checksums.txt") },
	} {
		r := install(t, releases(t, "linux_amd64", spoil), "v1.2.3", nil, nil)
		r.expect(t, 2, name)
		if r.failed != "Install headroom" || r.outputs["binary"] != "" || r.outputs["exit-code"] != "" {
			t.Errorf("%s: %q failed, outputs %v", name, r.failed, r.outputs)
		}
	}
}

// What no release stands for is built from the action's own source.
func TestActionBuildsItsSource(t *testing.T) {
	cache := strings.TrimSpace(start(t, root, os.Environ(), "go", "env", "GOCACHE").output)
	modules := strings.TrimSpace(start(t, root, os.Environ(), "go", "env", "GOMODCACHE").output)
	// The job's own modules are built for another system, with flags that these cannot have.
	env := map[string]string{"GOCACHE": cache, "GOMODCACHE": modules, "GOFLAGS": "-mod=vendor", "GOOS": "plan9"}
	// There are releases, but nothing of them can be had. The commit is of digits alone, as those of releases are.
	server := releases(t, "linux_amd64", func(files map[string][]byte) { clear(files) })
	r := install(t, server, otherCommit, nil, env)
	r.expect(t, 0)
	if !strings.Contains(r.log, "headroom ") || r.outputs["binary"] == "" {
		t.Errorf("outputs %v, log %s", r.outputs, r.log)
	}
	r = install(t, server, "main", nil, map[string]string{"PATH": withoutGo(t)})
	r.expect(t, 2, "main is no release", "has no Go")
}

// withoutGo is a PATH with the programs of a bare runner.
func withoutGo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	programs := "bash git awk mkdir cut curl sed cat ln dirname basename rm od tr grep"
	for name := range strings.FieldsSeq(programs) {
		out := start(t, dir, os.Environ(), "bash", "-c", "command -v "+name)
		if err := os.Symlink(strings.TrimSpace(out.output), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
