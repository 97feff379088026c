package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Media types that the clients look for.
const (
	emptyConfig = "application/vnd.oci.empty.v1+json"
	unknown     = "application/vnd.unknown.config.v1+json"
	archive     = "application/vnd.oci.image.layer.v1.tar+gzip"
	rego        = "application/vnd.cncf.openpolicyagent.policy.layer.v1+rego"
	chartConfig = "application/vnd.cncf.helm.config.v1+json"
	chart       = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
	hubConfig   = "application/vnd.cncf.artifacthub.config.v1+yaml"
	hubLayer    = "application/vnd.cncf.artifacthub.repository-metadata.layer.v1.yaml"

	title = "org.opencontainers.image.title"
)

// blob is a config or a layer of an artifact.
type blob struct {
	media   types.MediaType
	content []byte
	title   string // the file that clients write it to
}

func (b blob) descriptor() (v1.Descriptor, error) {
	hash, size, err := v1.SHA256(bytes.NewReader(b.content))
	d := v1.Descriptor{MediaType: b.media, Size: size, Digest: hash}
	if b.title != "" {
		d.Annotations = map[string]string{title: b.title}
	}
	return d, err
}

// core is an artifact as go-containerregistry pushes it.
type core struct {
	manifest, config []byte
	layers           map[v1.Hash]partial.CompressedLayer
}

func (c *core) MediaType() (types.MediaType, error) { return types.OCIManifestSchema1, nil }
func (c *core) RawManifest() ([]byte, error)        { return c.manifest, nil }
func (c *core) RawConfigFile() ([]byte, error)      { return c.config, nil }
func (c *core) LayerByDigest(h v1.Hash) (partial.CompressedLayer, error) {
	if layer := c.layers[h]; layer != nil {
		return layer, nil
	}
	return nil, fmt.Errorf("the artifact has no %s", h)
}

// newImage makes an artifact: its bytes follow from what it is given, in that order.
func newImage(kind string, config blob, layers []blob, annotations map[string]string) (v1.Image, error) {
	manifest := v1.Manifest{
		SchemaVersion: 2, MediaType: types.OCIManifestSchema1, ArtifactType: kind, Annotations: annotations,
		Layers: []v1.Descriptor{},
	}
	made := &core{config: config.content, layers: map[v1.Hash]partial.CompressedLayer{}}
	var err error
	if manifest.Config, err = config.descriptor(); err != nil {
		return nil, err
	}
	for _, layer := range layers {
		d, err := layer.descriptor()
		if err != nil {
			return nil, err
		}
		manifest.Layers = append(manifest.Layers, d)
		made.layers[d.Digest] = static.NewLayer(layer.content, layer.media)
	}
	if made.manifest, err = json.Marshal(manifest); err != nil {
		return nil, err
	}
	return partial.CompressedToImage(made)
}
