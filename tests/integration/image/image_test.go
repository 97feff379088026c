//go:build integration

// Package image makes the container image as `make image` does. It holds the image to what the
// chart promises: no root, no shell, nothing but the binary, the same bytes each time.
package image

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/headroom-dev/headroom/tools/container/image"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(jailVariable); root != "" {
		fmt.Fprintln(os.Stderr, "jail:", enterJail(root, os.Args[1:]))
		os.Exit(jailFailed)
	}
	os.Exit(m.Run())
}

// TestImage builds once and looks at the result from all sides: a build takes a while.
func TestImage(t *testing.T) {
	registry := newRegistry(t)
	first := build(t, stage(t), registry+"/headroom:v1.2.3", "-push")

	path, err := layout.FromPath(unpackArchive(t, first.archive))
	check(t, err)
	top, err := path.ImageIndex()
	check(t, err)
	check(t, validate.Index(top))
	manifest, err := top.IndexManifest()
	check(t, err)
	if len(manifest.Manifests) != 1 {
		t.Fatalf("the archive holds %d images, not one", len(manifest.Manifests))
	}
	entry := manifest.Manifests[0]
	if got := entry.Annotations["io.containerd.image.name"]; got != registry+"/headroom:v1.2.3" {
		t.Errorf("the archive calls the image %q", got)
	}
	index, err := top.ImageIndex(entry.Digest)
	check(t, err)

	t.Run("index", func(t *testing.T) { checkIndex(t, index) })
	one := only(t, index)
	t.Run("config", func(t *testing.T) { checkConfig(t, one) })
	t.Run("files", func(t *testing.T) { checkFiles(t, one) })
	t.Run("registry", func(t *testing.T) { checkRegistry(t, registry+"/headroom:v1.2.3", entry.Digest) })
	t.Run("runs", func(t *testing.T) { checkRuns(t, one) })
	t.Run("reproducible", func(t *testing.T) {
		second := build(t, stage(t), registry+"/headroom:v1.2.3")
		if first.digest != second.digest {
			t.Errorf("the same commit in two directories gave %s and %s", first.digest, second.digest)
		}
		a, err := os.ReadFile(first.archive)
		check(t, err)
		b, err := os.ReadFile(second.archive)
		check(t, err)
		if string(a) != string(b) {
			t.Error("the same commit in two directories gave two archives")
		}
	})
}

func checkIndex(t *testing.T, index v1.ImageIndex) {
	manifest, err := index.IndexManifest()
	check(t, err)
	if manifest.Annotations["org.opencontainers.image.title"] != "headroom" {
		t.Errorf("annotations of the index: %v", manifest.Annotations)
	}
	for _, m := range manifest.Manifests {
		if m.Platform == nil || !m.Platform.Equals(platform()) {
			t.Errorf("image for %v, wanted %v", m.Platform, platform())
		}
	}
}

func checkConfig(t *testing.T, one v1.Image) {
	file, err := one.ConfigFile()
	check(t, err)
	if file.OS != "linux" || file.Architecture != platform().Architecture {
		t.Errorf("made for %s/%s", file.OS, file.Architecture)
	}
	if file.Config.User != image.User || strings.HasPrefix(file.Config.User, "0") {
		t.Errorf("user %q", file.Config.User)
	}
	if !slices.Equal(file.Config.Entrypoint, []string{"/headroom"}) {
		t.Errorf("entrypoint %q", file.Config.Entrypoint)
	}
	if len(file.Config.Cmd)+len(file.Config.Env)+len(file.Config.ExposedPorts)+len(file.Config.Volumes) > 0 {
		t.Errorf("the config says more than it has to: %+v", file.Config)
	}
	wanted := image.Release{Version: "v1.2.3", Revision: commit, Created: commitTime}.Labels()
	if !maps.Equal(file.Config.Labels, wanted) {
		t.Errorf("labels %v\nwanted %v", file.Config.Labels, wanted)
	}
	if !file.Created.Equal(commitTime) {
		t.Errorf("created %s, wanted the commit's time %s", file.Created, commitTime)
	}
}

// checkFiles holds the image to its two files, which no one but root may change.
func checkFiles(t *testing.T, one v1.Image) {
	modes := map[string]int64{"headroom": 0o755, "LICENSE": 0o644}
	found := map[string]int64{}
	err := walk(one, func(header *tar.Header, _ io.Reader) error {
		found[header.Name] = header.Mode
		if header.Typeflag != tar.TypeReg || header.Uid != 0 || header.Gid != 0 {
			t.Errorf("%s: type %c, owner %d:%d", header.Name, header.Typeflag, header.Uid, header.Gid)
		}
		if !header.ModTime.Equal(commitTime) {
			t.Errorf("%s: changed at %s", header.Name, header.ModTime)
		}
		return nil
	})
	check(t, err)
	if !maps.Equal(found, modes) {
		t.Errorf("the image holds %v, wanted %v and nothing else", found, modes)
	}
}

// walk visits what a container would find below its root.
func walk(one v1.Image, visit func(*tar.Header, io.Reader) error) error {
	content := mutate.Extract(one)
	defer content.Close()
	return walkTar(content, visit)
}

func walkTar(content io.Reader, visit func(*tar.Header, io.Reader) error) error {
	reader := tar.NewReader(content)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(header, reader); err != nil {
			return err
		}
	}
}

func unpackArchive(t *testing.T, archive string) string {
	t.Helper()
	file, err := os.Open(archive)
	check(t, err)
	defer file.Close()
	dir := t.TempDir()
	check(t, walkTar(file, func(h *tar.Header, r io.Reader) error { return unpack(dir, h, r) }))
	return dir
}

func unpack(dir string, header *tar.Header, content io.Reader) error {
	if !filepath.IsLocal(header.Name) {
		return fmt.Errorf("%s leads out of the archive", header.Name)
	}
	path := filepath.Join(dir, header.Name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, header.FileInfo().Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Chmod(header.FileInfo().Mode().Perm()), file.Close())
}

// only is the one image of an index.
func only(t *testing.T, index v1.ImageIndex) v1.Image {
	t.Helper()
	manifest, err := index.IndexManifest()
	check(t, err)
	if len(manifest.Manifests) != 1 {
		t.Fatalf("%d images, wanted one", len(manifest.Manifests))
	}
	one, err := index.Image(manifest.Manifests[0].Digest)
	check(t, err)
	return one
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
