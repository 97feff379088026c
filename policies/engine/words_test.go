package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A message, with its why, is at most three lines of a terminal of 100 columns; what is wanted two.
const (
	messageMost  = 300
	expectedMost = 200
)

// unspoken are words that the people who read findings do not use.
var unspoken = regexp.MustCompile(`(?i)nothing says what it is|promised to nobody|(are|is) for a person|can be put right|` +
	`stands? still|killed as soon as|\bin sight|leaves? no trace|is a guess|as exact as it has to|matrix judges nothing|` +
	`java named in the command`)

// TestWords holds what every rule says of the manifests that the project has to its length and its words.
func TestWords(t *testing.T) {
	e, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, file := range examples(t) {
		// What stands in one file is judged together, as a Namespace and what is in it.
		var items []any
		for _, manifest := range documents(t, file) {
			items = append(items, manifest)
		}
		manifest := map[string]any{"apiVersion": "v1", "kind": "List", "items": items}
		if first, _ := items[0].(map[string]any); first["kind"] == "Review" {
			manifest = first
		}
		result, err := e.Evaluate(t.Context(), Review{Manifest: manifest})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, f := range append(result.Findings, result.Exempted...) {
			said[f.Rule] = true
			if n := utf8.RuneCountInString(f.Message); n > messageMost {
				t.Errorf("%s: message of %s has %d characters: %s", file, f.Rule, n, f.Message)
			}
			if n := utf8.RuneCountInString(f.Expected); n > expectedMost {
				t.Errorf("%s: what %s wants has %d characters: %s", file, f.Rule, n, f.Expected)
			}
			if f.Why != "" && !strings.HasSuffix(f.Message, " "+f.Why) {
				t.Errorf("%s: message of %s does not end with why: %s", file, f.Rule, f.Message)
			}
			for _, text := range []string{f.Message, f.Expected} {
				if word := unspoken.FindString(text); word != "" {
					t.Errorf("%s: %s says %q: %s", file, f.Rule, word, text)
				}
			}
		}
	}
	rules, err := Rules()
	if err != nil {
		t.Fatal(err)
	}
	for i := range rules {
		r := &rules[i]
		if !said[r.ID] {
			t.Errorf("no example has a finding of %s", r.ID)
		}
		for _, text := range []string{r.Title, r.Description, r.Remediation} {
			if word := unspoken.FindString(text); word != "" {
				t.Errorf("METADATA of %s say %q: %s", r.ID, word, text)
			}
		}
	}
}

// examples are the manifests of the rules, the samples and those of the tests.
func examples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../rego/headroom/rules/*/*/bad.yaml")
	if err != nil || len(files) < 30 {
		t.Fatal(err, files)
	}
	for _, folder := range []string{"../../samples", "../../tests/manifests"} {
		before := len(files)
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && filepath.Ext(path) == ".yaml" {
				files = append(files, path)
			}
			return err
		})
		if err != nil || len(files) == before {
			t.Fatal(folder, err)
		}
	}
	return files
}
