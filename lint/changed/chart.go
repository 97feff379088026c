package changed

import (
	"io/fs"
	"path"
	"path/filepath"

	"github.com/headroom-dev/headroom/lint/source"
)

// chart lays out a chart, and the charts that it names by a path (file://../common).
func (t *Tree) chart(name string) error {
	if t.done["chart "+name] {
		return nil
	}
	t.done["chart "+name] = true
	if err := t.whole(name); err != nil {
		return err
	}
	return filepath.WalkDir(t.pathOf(name), func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // git had no such chart at that commit: helm reports what a chart lacks
		}
		if entry.Name() != "Chart.yaml" && entry.Name() != "requirements.yaml" {
			return nil
		}
		return t.requirements(file)
	})
}

// requirements lays out the charts that a file, which is laid out, names by a path.
func (t *Tree) requirements(file string) error {
	text, ordinary, err := ordinaryFile(file)
	if err != nil || !ordinary || len(text) > source.DefaultMaxFileBytes {
		return err
	}
	for item := range source.Items(file, text, source.Options{}) {
		if item.Document == nil {
			continue // what is wrong with it is for Helm to tell
		}
		wanted, _ := item.Document.Object["dependencies"].([]any)
		for _, dependency := range wanted {
			fields, _ := dependency.(map[string]any)
			repository, _ := fields["repository"].(string)
			if name, ok := t.Name(source.LocalChart(filepath.Dir(file), repository)); ok && name != "." {
				if err := t.chart(path.Clean(name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
