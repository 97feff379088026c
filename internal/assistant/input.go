package assistant

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
)

// Input is what most tools judge: a text, or what stands at a path.
type Input struct {
	Manifest string   `json:"manifest,omitempty" jsonschema:"YAML or JSON of one or more Kubernetes objects, at most 1 MiB; or give path"`
	Path     string   `json:"path,omitempty" jsonschema:"a file, a folder or a Helm chart, relative to the server's root; or give manifest"`
	Values   []string `json:"values,omitempty" jsonschema:"values files for the Helm charts, relative to the server's root; later ones win"`
}

// read gives the paths and the options that read an input, and nothing outside of the root.
func (s *server) read(in Input) ([]string, source.Options, error) {
	o := source.Options{Root: s.Root, Tree: s.Root.Name()}
	switch {
	case (in.Manifest == "") == (in.Path == ""):
		return nil, o, errors.New("give manifest, the text, or path, a file or folder below the root: one of them")
	case in.Manifest != "" && len(in.Values) > 0:
		return nil, o, errors.New("values are for Helm charts: they need path")
	case len(in.Manifest) > ManifestBytes:
		return nil, o, fmt.Errorf("manifest has %d bytes; at most %d are read: give path, or the objects in question",
			len(in.Manifest), ManifestBytes)
	case in.Manifest != "":
		o.Stdin = strings.NewReader(in.Manifest)
		return []string{"-"}, o, nil
	}
	for _, file := range append([]string{in.Path}, in.Values...) {
		if err := s.inside(file); err != nil {
			return nil, o, err
		}
	}
	path := filepath.Clean(filepath.FromSlash(in.Path))
	chart := source.HelmChart{Path: path, Values: in.Values}
	if info, err := s.Root.Stat(filepath.Join(path, "Chart.yaml")); err == nil && info.Mode().IsRegular() {
		o.HelmCharts = []source.HelmChart{chart}
		return nil, o, nil
	}
	chart.Path = ""
	o.FolderCharts = &chart
	return []string{path}, o, nil
}

// inside refuses what is not below the root, by its name or by a link.
func (s *server) inside(name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s is not below the root: give a path relative to the folder that the server was started for", name)
	}
	info, err := s.Root.Stat(filepath.FromSlash(name))
	var cause *fs.PathError
	switch {
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a folder", name)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder below the root", name)
	case errors.As(err, &cause):
		return fmt.Errorf("%s: %w", name, cause.Err)
	}
	return err
}
