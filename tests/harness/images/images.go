// Package images has the names of the images that the policies know, for tests.
package images

import (
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

type image struct {
	Names []string `json:"names"`
}

// Names are those of docs/adding-an-image.md.
func Names() (map[string]bool, error) {
	return names("policies/rego/headroom/images/*.yaml", func(list []image) []image { return list })
}

// Programs are the names of the images of Go programs whose releases have a go line.
func Programs() (map[string]bool, error) {
	return names("policies/rego/headroom/images/go/*.yaml", func(one image) []image { return []image{one} })
}

func names[T any](pattern string, of func(T) []image) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(repo.Root(), pattern))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no known images: %w", err)
	}
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var family map[string]T
		if err := yaml.Unmarshal(text, &family); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, value := range family {
			for _, image := range of(value) {
				for _, name := range image.Names {
					found[name] = true
				}
			}
		}
	}
	return found, nil
}
