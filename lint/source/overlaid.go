//go:build !js && !lean

package source

import (
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// overlaid is a file system of which one file has other contents.
type overlaid struct {
	filesys.FileSystem
	file string
	text []byte
}

// ReadFile reads a file.
func (o overlaid) ReadFile(path string) ([]byte, error) {
	if realPath(path) == o.file {
		return o.text, nil
	}
	return o.FileSystem.ReadFile(path)
}
