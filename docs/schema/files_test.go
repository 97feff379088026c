package schema

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/settings"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// What is there to be copied, and what is deployed, is taken by the schema; what is there to
// show a mistake is refused only where the policies report it.
func TestManifestsOfTheRepository(t *testing.T) {
	schema := compiled(t, "manifest.schema.json")
	annotated, refused := 0, 0
	for _, root := range append(repo.Manifests(), repo.Path("policies/engine/examples")) {
		for _, object := range objectsBelow(t, root) {
			text := generic(t, object.Object)
			if mentions(object.Object) {
				annotated++
			}
			err := schema.Validate(text)
			if err == nil {
				continue
			}
			refused++
			if len(complaints(t, object.Object)) == 0 {
				t.Errorf("%s:%d: %v", object.File, object.Line, err)
			}
			if filepath.Base(object.File) == "good.yaml" {
				t.Errorf("%s is refused: %v", object.File, err)
			}
		}
	}
	if annotated < 60 || refused < 1 {
		t.Errorf("%d objects with annotations, %d refused: the files are not what they were", annotated, refused)
	}
}

func objectsBelow(t *testing.T, root string) []*source.Document {
	t.Helper()
	var objects []*source.Document
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if extension := filepath.Ext(path); extension != ".yaml" && extension != ".yml" {
			return nil
		}
		files, problems := source.Files([]string{path}, source.Options{})
		if len(problems) > 0 {
			return problems[0]
		}
		for _, file := range files {
			for _, item := range source.Load(file, source.Options{}) {
				if item.Problem == nil && item.Skipped == "" && item.Document != nil {
					objects = append(objects, item.Document)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// mentions says whether some key of an object is headroom's.
func mentions(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, entry := range value {
			if strings.Contains(key, "headroom.dev/") || mentions(entry) {
				return true
			}
		}
	case []any:
		for _, entry := range value {
			if mentions(entry) {
				return true
			}
		}
	}
	return false
}

// The published schema of headroom.yaml says what the one says that settings are read with.
func TestConfigs(t *testing.T) {
	schema := compiled(t, "headroom.schema.json")
	const head = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	for text, good := range map[string]bool{
		"": true,
		"tolerance: 0.1\nmatrix:\n  streaming: {request: average, limit: {timesAverage: 3}}\n": true,
		"ignore: [{rules: [HR202], reason: billed, until: 2027-01-31, namespace: a-*}]\n":      true,
		"rules: {HR407: {severity: off}}\nsidecars: {names: [a]}\nmeasured: {maxAge: 1h}\n":    true,
		"tolerence: 0.1\n": false,
		"tolerance: 2\n":   false,
		"matrix: {init: {request: average, limit: none}}\n":               false,
		"matrix: {Batch: {request: average, limit: none}}\n":              false,
		"matrix: {batch: {request: average}}\n":                           false,
		"matrix: {batch: {request: average, limit: {timesAverage: 0}}}\n": false,
		"ignore: [{rules: [], reason: billed}]\n":                         false,
		"ignore: [{rules: [HR202], reason: \" \"}]\n":                     false,
		"ignore: [{rules: [HR202], reason: x, until: 2027-13-01}]\n":      false,
		"sidecars: {names: [\"\"]}\n":                                     false,
		"jvm: {inject: [heap]}\n":                                         false,
		"rules: {HR407: {severity: hint}}\n":                              false,
	} {
		_, err := settings.Parse("headroom.yaml", []byte(head+text))
		if (err == nil) != good {
			t.Errorf("%q: settings say %v", text, err)
		}
		for item := range source.Items("headroom.yaml", []byte(head+text), source.Options{}) {
			if item.Document == nil {
				t.Fatalf("%q: %v", text, item.Problem)
			}
			if err := schema.Validate(generic(t, item.Document.Object)); (err == nil) != good {
				t.Errorf("%q: the schema for editors says %v", text, err)
			}
		}
	}
}
