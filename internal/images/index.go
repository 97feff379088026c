package images

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// readIndex gives the index that a text is, nil for a manifest.
func readIndex(raw []byte) (*v1.IndexManifest, error) {
	var kind struct {
		MediaType     types.MediaType   `json:"mediaType"`
		SchemaVersion int               `json:"schemaVersion"`
		Manifests     []json.RawMessage `json:"manifests"`
		Config        json.RawMessage   `json:"config"`
	}
	switch err := json.Unmarshal(raw, &kind); {
	case err != nil:
		return nil, errors.New("its manifest is not JSON")
	case kind.SchemaVersion == 1:
		return nil, errors.New("its manifest is of Docker's schema 1, which has no config")
	case kind.MediaType.IsIndex() || kind.MediaType == "" && kind.Config == nil && kind.Manifests != nil:
		index, err := v1.ParseIndexManifest(bytes.NewReader(raw))
		if err != nil {
			return nil, errors.New("its index cannot be read")
		}
		return index, nil
	}
	return nil, nil
}

// choose finds the platform's manifest.
func (r *Registries) choose(index *v1.IndexManifest) (v1.Hash, error) {
	var there []string
	for i := range index.Manifests {
		entry := &index.Manifests[i]
		if entry.Platform == nil {
			if len(index.Manifests) == 1 {
				return entry.Digest, nil
			}
			continue
		}
		if entry.Platform.Satisfies(r.platform) {
			return entry.Digest, nil
		}
		there = append(there, entry.Platform.String())
	}
	if len(there) > maxNamed {
		there = append(there[:maxNamed], "…")
	}
	return v1.Hash{}, fmt.Errorf("the index has no image for %s, only for %s", r.platform, strings.Join(there, ", "))
}
