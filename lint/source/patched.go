package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/regular"
	"github.com/headroom-dev/headroom/policies/aliases"
)

// BuildPatched builds a kustomization as if its file had some more patches at the end of
// its list, and gives the objects. Nothing is written. Patches hold their YAML themselves.
func BuildPatched(folder string, patches []map[string]any) ([]map[string]any, error) {
	if problem := checkLocal(folder, false); problem != nil {
		return nil, *problem
	}
	file, err := kustomizationFile(folder)
	if err != nil {
		return nil, Problem{File: display(folder), Cause: err}
	}
	text, err := regular.Read(file, DefaultMaxFileBytes)
	if err != nil {
		return nil, Problem{File: display(file), Cause: openError(err)}
	}
	if text, err = withPatches(text, patches); err != nil {
		return nil, Problem{File: display(file), Cause: err}
	}
	return builtObjects(job{Folder: folder, Over: map[string][]byte{realPath(file): text}})
}

// PatchObjects is what kustomize makes of objects with patches alone: of the output of
// another program.
func PatchObjects(objects []map[string]any, patches []map[string]any) ([]map[string]any, error) {
	var all bytes.Buffer
	for _, object := range objects {
		text, err := json.Marshal(object) // JSON is YAML
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&all, "---\n%s\n", text)
	}
	kustomization, err := withPatches([]byte("resources: [all.yaml]\n"), patches)
	if err != nil {
		return nil, err
	}
	return builtObjects(job{Folder: "/", Memory: map[string][]byte{"/all.yaml": all.Bytes(), "/kustomization.yaml": kustomization}})
}

// builtObjects builds and reads what was built.
func builtObjects(j job) ([]map[string]any, error) {
	j.Limit = Options{}.MaxBytes()
	m, problem := run(context.Background(), display(j.Folder), j, Options{})
	if problem != nil {
		return nil, *problem
	}
	var objects []map[string]any
	for item := range (renderedText{display(j.Folder), m.Text, m.Sizes[""]}).items(Options{}) {
		if item.Problem != nil {
			return nil, *item.Problem
		}
		if item.Document != nil && item.Skipped == "" {
			objects = append(objects, item.Document.Object)
		}
	}
	return objects, nil
}

func kustomizationFile(folder string) (string, error) {
	for _, name := range kustomizationNames {
		file := filepath.Join(folder, name)
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", errors.New("no kustomization.yaml in this folder")
}

// withPatches adds patches to the text of a kustomization.
func withPatches(text []byte, patches []map[string]any) ([]byte, error) {
	kustomization := map[string]any{}
	if err := aliases.Unmarshal(text, &kustomization); err != nil {
		return nil, errors.New("cannot be read as a map")
	}
	var list []any
	switch there := kustomization["patches"].(type) {
	case nil:
	case []any:
		list = there
	default:
		return nil, errors.New("patches is not a list")
	}
	for _, patch := range patches {
		list = append(list, patch)
	}
	if len(list) > 0 {
		kustomization["patches"] = list
	}
	return yaml.Marshal(kustomization)
}
