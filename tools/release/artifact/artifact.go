package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/headroom-dev/headroom/tools/container/image"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

// Artifact is one part of a release as it goes to a registry.
type Artifact struct {
	Repository string // below the registry's name and folder
	Tag        string
	Content    remote.Taggable
	Digest     v1.Hash
}

// All are the artifacts of a release: its image, where there is one, and the rest. The image's
// blobs are read from dir whenever they are pushed.
func All(files map[string][]byte, release image.Release, dir string) (all []Artifact, err error) {
	version := release.Version
	about := release.Labels()
	var failed []error
	add := func(repository, tag string, made v1.Image, err error) {
		if err == nil {
			var digest v1.Hash
			digest, err = made.Digest()
			all = append(all, Artifact{repository, tag, made, digest})
		}
		failed = append(failed, err)
	}
	if content, found := files[ImageFile]; found {
		index, err := readImage(content, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ImageFile, err)
		}
		digest, err := index.Digest()
		all, failed = append(all, Artifact{"headroom", version, index, digest}), append(failed, err)
	}
	made, err := chartImage(files[ChartFile(version)], release.Created)
	add("charts/headroom", version, made, err)
	made, err = regoImage(files[PoliciesFile])
	add("headroom/policies", version, made, err)
	made, err = archiveImage(files[PoliciesFile], PoliciesFile, "application/vnd.headroom.policies.bundle", about)
	add("headroom/bundle", version, made, err)
	made, err = archiveImage(files[KyvernoFile], KyvernoFile, "application/vnd.headroom.policies.kyverno", about)
	add("headroom/kyverno", version, made, err)
	return all, errors.Join(failed...)
}

// readImage unpacks an OCI layout into dir.
func readImage(archive []byte, dir string) (v1.ImageIndex, error) {
	files, err := pack.Untar(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	if err := files.Write(dir); err != nil {
		return nil, err
	}
	top, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return nil, err
	}
	manifest, err := top.IndexManifest()
	if err != nil {
		return nil, err
	}
	if len(manifest.Manifests) != 1 {
		return nil, fmt.Errorf("holds %d images, not one", len(manifest.Manifests))
	}
	return top.ImageIndex(manifest.Manifests[0].Digest)
}

// regoImage is what `conftest push` makes of the policies; its layers come in an order that
// changes with each push, these are sorted.
func regoImage(bundle []byte) (v1.Image, error) {
	files, err := pack.UntarGz(bundle)
	if err != nil {
		return nil, err
	}
	var layers []blob
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".rego") {
			layers = append(layers, blob{rego, files[name].Content, name})
		}
	}
	return newImage("", blob{media: unknown, content: []byte("{}")}, layers, nil)
}

// archiveImage is one archive in a registry: OPA, Flux and Argo CD unpack it, others write it
// to a file.
func archiveImage(content []byte, name, kind string, about map[string]string) (v1.Image, error) {
	if content == nil {
		return nil, fmt.Errorf("no %s", name)
	}
	return newImage(kind, blob{media: emptyConfig, content: []byte("{}")}, []blob{{archive, content, name}}, about)
}

// Metadata is what Artifact Hub reads of who owns a chart, from the tag artifacthub.io.
func Metadata(file []byte) (Artifact, error) {
	made, err := newImage("", blob{media: hubConfig, content: []byte("{}")},
		[]blob{{hubLayer, file, "artifacthub-repo.yml"}}, nil)
	if err != nil {
		return Artifact{}, err
	}
	digest, err := made.Digest()
	return Artifact{"charts/headroom", "artifacthub.io", made, digest}, err
}

// List says which digests a registry gives to a release.
func List(all []Artifact) []byte {
	var out bytes.Buffer
	for _, a := range all {
		fmt.Fprintf(&out, "%s:%s@%s\n", a.Repository, a.Tag, a.Digest)
	}
	return out.Bytes()
}

// About is the part of a release that its own files tell: in which commit and when it was made.
func About(files map[string][]byte) (image.Release, error) {
	bundle, err := pack.UntarGz(files[PoliciesFile])
	if err != nil {
		return image.Release{}, fmt.Errorf("%s: %w", PoliciesFile, err)
	}
	var manifest struct {
		Revision string `json:"revision"`
		Metadata struct {
			Commit  string    `json:"commit"`
			Created time.Time `json:"created"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(bundle[".manifest"].Content, &manifest); err != nil {
		return image.Release{}, fmt.Errorf("%s: %w", PoliciesFile, err)
	}
	return image.Release{
		Version: strings.TrimPrefix(manifest.Revision, "v"), Revision: manifest.Metadata.Commit,
		Created: manifest.Metadata.Created,
	}, nil
}
