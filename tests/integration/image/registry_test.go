//go:build integration

package image

import (
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/headroom-dev/headroom/tools/container/image"
)

// newRegistry serves a registry on loopback, and says where.
func newRegistry(t *testing.T) string {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// checkRegistry pulls what the tool pushed, every blob of it.
func checkRegistry(t *testing.T, reference string, wanted v1.Hash) {
	tag, err := name.NewTag(reference)
	check(t, err)
	pulled, err := remote.Index(tag, remote.WithContext(t.Context()))
	check(t, err)
	digest, err := pulled.Digest()
	check(t, err)
	if digest != wanted {
		t.Errorf("pulled %s, pushed %s", digest, wanted)
	}
	check(t, validate.Index(pulled))
}

// A reference to the index gets each machine the image of its own platform.
func TestIndexChoosesByPlatform(t *testing.T) {
	release := image.Release{Version: "v1.2.3", Revision: "abc", Created: time.Unix(1, 0)}
	var variants []image.Variant
	for _, architecture := range []string{"amd64", "arm64"} {
		p := v1.Platform{OS: "linux", Architecture: architecture}
		one, err := image.New(p, []image.File{{Source: "image_test.go", Path: architecture, Mode: 0o755}}, release)
		check(t, err)
		variants = append(variants, image.Variant{Platform: p, Image: one})
	}
	index, err := image.Index(variants, release)
	check(t, err)

	tag, err := name.NewTag(newRegistry(t) + "/headroom:v1.2.3")
	check(t, err)
	check(t, remote.WriteIndex(tag, index))
	whole, err := remote.Index(tag)
	check(t, err)
	check(t, validate.Index(whole))
	for _, v := range variants {
		pulled, err := remote.Image(tag, remote.WithPlatform(v.Platform))
		check(t, err)
		got, err := pulled.Digest()
		check(t, err)
		wanted, err := v.Image.Digest()
		check(t, err)
		if got != wanted {
			t.Errorf("%s: pulled %s, wanted %s", v.Platform, got, wanted)
		}
	}
}

func TestRefusesTimesBefore1970(t *testing.T) {
	release := image.Release{Version: "v1.2.3", Created: time.Unix(-1, 0)}
	if _, err := image.Build(t.Context(), "../../..", []v1.Platform{platform()}, release); err == nil {
		t.Error("no error")
	}
}
