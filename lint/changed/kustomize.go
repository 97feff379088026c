package changed

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
)

// kustomizationNames are the files that make a folder a kustomization.
var kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// Kustomization lays out a kustomization and all that it names. It gives the folder where it is
// laid out; "" where there was none.
func (t *Tree) Kustomization(folder string) (string, error) {
	laid, err := t.layOut(folder, t.kustomization, kustomizationNames...)
	if !slices.ContainsFunc(kustomizationNames, func(file string) bool { return exists(filepath.Join(laid, file)) }) {
		return "", err
	}
	return laid, err
}

// kustomization lays out the files that a folder's kustomization names, and the files that those name.
// Any text in it may be a name; a text without such a file is ignored.
func (t *Tree) kustomization(name string) error {
	if t.done["kustomization "+name] {
		return nil
	}
	t.done["kustomization "+name] = true
	for _, file := range kustomizationNames {
		if err := t.named(name, path.Join(name, file)); err != nil {
			return err
		}
	}
	return nil
}

// named lays out a file of a kustomization, and what it names.
func (t *Tree) named(folder, file string) error {
	if err := t.whole(file); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(t.pathOf(file))
	if err != nil {
		return nil //nolint:nilerr // git had no such file at that commit: kustomize tells what its base lacks
	}
	text, ordinary, err := ordinaryFile(real)
	if err != nil || !ordinary || len(text) > source.DefaultMaxFileBytes {
		return err // it names more than a kustomization does
	}
	for item := range source.Items(file, text, source.Options{}) {
		if item.Document == nil {
			continue // what is wrong with it is for kustomize to tell
		}
		if err := t.strings(folder, item.Document.Object, false); err != nil {
			return err
		}
	}
	return nil
}

// strings lays out what any text of a value names. A plugin's file names others in its turn.
func (t *Tree) strings(folder string, value any, plugin bool) error {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if err := t.strings(folder, item, plugin); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, item := range v {
			switch strings.ToLower(key) {
			case "generators", "transformers", "validators":
				plugin = true
			}
			if err := t.strings(folder, item, plugin); err != nil {
				return err
			}
		}
	case string:
		if _, file, ok := strings.Cut(v, "="); ok { // key=file
			if err := t.reference(folder, file, false); err != nil {
				return err
			}
		}
		return t.reference(folder, v, plugin)
	}
	return nil
}

// maxName is longer than a path can be.
const maxName = 4096

func (t *Tree) reference(folder, text string, plugin bool) error {
	if text == "" || len(text) > maxName || strings.ContainsAny(text, "\n\x00") || path.IsAbs(text) {
		return nil
	}
	name := path.Join(folder, text)
	if name == ".." || strings.HasPrefix(name, "../") {
		return nil
	}
	here, err := os.Lstat(t.change.disk(name))
	if t.modes[name] == "" && (len(t.below(name)) > 0 || err == nil && here.IsDir()) {
		return t.kustomization(name)
	}
	if err := t.whole(name); err != nil {
		return err
	}
	info, err := os.Stat(t.pathOf(name))
	switch {
	case err != nil: // no file of that name
		return nil
	case info.IsDir():
		return t.kustomization(name)
	case plugin && isManifest(name) && !t.done["plugin "+name]:
		t.done["plugin "+name] = true
		return t.named(folder, name)
	}
	return nil
}
