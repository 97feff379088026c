// Package images has the names of the images that the policies know, for tests.
package images

import (
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// Names are those of docs/adding-an-image.md.
func Names() (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(repo.Root(), "policies/rego/headroom/images/*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no known images: %w", err)
	}
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var family map[string][]struct {
			Names []string `json:"names"`
		}
		if err := yaml.Unmarshal(text, &family); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, list := range family {
			for _, image := range list {
				for _, name := range image.Names {
					names[name] = true
				}
			}
		}
	}
	return names, nil
}
