package images

import (
	"bytes"
	"context"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Lock is what the policies know of images: data.headroom.image_lock.
type Lock struct {
	// References are digests by what manifests write, Images what is in them.
	References map[string]string `yaml:"references"`
	Images     map[string]Locked `yaml:"images"`
}

// Locked is the part of an image's config that the policies read.
type Locked struct {
	Platform    string            `yaml:"platform"`
	Assumed     bool              `yaml:"assumed,omitempty"`
	Entrypoint  []string          `yaml:"entrypoint,omitempty,flow"`
	Command     []string          `yaml:"command,omitempty,flow"`
	Environment map[string]string `yaml:"environment,omitempty"`
	Labels      map[string]string `yaml:"labels,omitempty"`
}

// NewLock is an empty lock.
func NewLock() *Lock {
	return &Lock{References: map[string]string{}, Images: map[string]Locked{}}
}

// Add puts an image into the lock; the policies say what of it.
func (l *Lock) Add(ctx context.Context, e *engine.Engine, reference string, image Image) error {
	l.References[reference] = image.Digest
	if _, there := l.Images[image.Digest]; there {
		return nil
	}
	kept, err := e.Kept(ctx, image.Config)
	if err != nil {
		return err
	}
	l.Images[image.Digest] = Locked{
		Platform: image.Platform, Assumed: image.Assumed, Entrypoint: kept.Entrypoint, Command: kept.Command,
		Environment: kept.Environment, Labels: kept.Labels,
	}
	return nil
}

// Document is the lock as the engine takes it.
func (l *Lock) Document() map[string]any {
	known := make(map[string]any, len(l.Images))
	for digest, image := range l.Images {
		known[digest] = map[string]any{
			"platform": image.Platform, "assumed": image.Assumed, "entrypoint": image.Entrypoint,
			"command": image.Command, "environment": image.Environment, "labels": image.Labels,
		}
	}
	return map[string]any{"references": l.References, "images": known}
}

const heading = `# What the images of these manifests start: headroom images lock writes it anew.
# Of the variables only those that headroom reads are here.
`

// Text is the lock as a file.
func (l *Lock) Text() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(heading)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	document := struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Headroom   struct {
			Lock *Lock `yaml:"image_lock"`
		} `yaml:"headroom"`
	}{APIVersion: "headroom.dev/v1alpha1", Kind: "ImageLock"}
	document.Headroom.Lock = l
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("write the lock: %w", err)
	}
	return out.Bytes(), encoder.Close()
}
