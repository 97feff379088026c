// Package cases splits manifests into cases: one object each, with a name of its own. So an engine
// can judge all of them in one run, and each verdict still finds its case.
package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
)

// Namespace is where every case lives whose file brings no Namespace.
const Namespace = "conformance"

// Object is a manifest as JSON shapes it, numbers as they are written.
type Object = map[string]any

// Case is one object, and what every engine is told of its surroundings.
type Case struct {
	// ID is the name of the object, and of its Namespace where it has one: c0001.
	ID string
	// Source is where it was found, and stays the same when cases are added elsewhere.
	Source string
	// Kind is the object's.
	APIVersion, Kind string
	Object           Object
	// Around is what the file says of its namespace: the Namespace itself, and for the rule
	// that is about them LimitRanges and ResourceQuotas.
	Around []Object
	// Foreign is set for what another project wrote. It is compared like the rest, and counted
	// nowhere: not every machine has it.
	Foreign bool
}

// Roots are the files and folders of the project's own cases, below the repository.
var Roots = []string{"policies/rego/headroom/rules", "samples", "tests/manifests", "tests/system/conformance/corpus"}

// neighbourly is the rule that is about what stands beside the object. In all other files
// neighbours are left out: no other rule is about them, and CEL sees one object at a time.
const neighbourly = "namespace-fights-class"

// Inert says which kinds no rule looks at: they are no cases.
type Inert func(apiVersion, kind string) (bool, error)

// Load reads the corpus: the project's own cases, and behind them those of foreign folders.
func Load(root string, foreign []string, inert Inert) ([]Case, error) {
	var all []Case
	for _, below := range Roots {
		found, err := loadFolder(root, filepath.Join(root, below), inert)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	for _, dir := range foreign {
		found, err := loadFolder(filepath.Dir(dir), dir, inert)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].Foreign = true
		}
		all = append(all, found...)
	}
	for i := range all {
		all[i].name(fmt.Sprintf("c%04d", i+1))
	}
	return all, nil
}

func loadFolder(root, dir string, inert Inert) ([]Case, error) {
	files, problems := source.Files([]string{dir}, source.Options{AllowEmpty: true})
	for _, p := range problems {
		return nil, p
	}
	var all []Case
	for _, file := range files {
		// Scenarios are headroom simulate's, and no objects of a cluster.
		if file.Skipped != "" || strings.Contains(file.Name, "samples/scenarios/") {
			continue
		}
		found, err := load(root, file, inert)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// load reads the cases of one file, as yet without names.
func load(root string, file source.File, inert Inert) ([]Case, error) {
	name, err := filepath.Rel(root, filepath.FromSlash(file.Name))
	if err != nil {
		return nil, fmt.Errorf("name %s: %w", file.Name, err)
	}
	var objects []Case
	for number, item := range source.Load(file, source.Options{}) {
		if item.Problem != nil {
			return nil, item.Problem
		}
		if item.Document == nil || item.Skipped != "" {
			continue
		}
		at := fmt.Sprintf("%s#%d", filepath.ToSlash(name), number+1)
		objects = append(objects, takenApart(item.Document.Object, at)...)
	}
	var found []Case
	for _, c := range objects {
		skipped, err := inert(c.APIVersion, c.Kind)
		if err != nil {
			return nil, err
		}
		if skipped || c.Kind == "Review" {
			continue // what was measured, or a Pod as it was, is handed to headroom alone
		}
		c.Around = around(c, objects, strings.Contains(name, neighbourly))
		found = append(found, c)
	}
	return found, nil
}

// takenApart gives the items of a List, or the object itself.
func takenApart(object Object, at string) []Case {
	if items, ok := object["items"].([]any); ok {
		var all []Case
		for i, item := range items {
			if object, ok := item.(Object); ok {
				all = append(all, takenApart(object, fmt.Sprintf("%s.%d", at, i+1))...)
			}
		}
		return all
	}
	return []Case{{
		Source: at, Object: object, APIVersion: text(object, "apiVersion"), Kind: text(object, "kind"),
	}}
}

func isNeighbour(object Object) bool {
	kind := text(object, "kind")
	return text(object, "apiVersion") == "v1" &&
		slices.Contains([]string{"Namespace", "LimitRange", "ResourceQuota", "ConfigMap"}, kind)
}

// around are the objects of the file that speak for the namespace of a case.
func around(c Case, objects []Case, all bool) []Object {
	namespace := text(metadata(c.Object), "namespace")
	var found []Object
	for _, other := range objects {
		switch {
		case c.Kind == "Namespace" || !isNeighbour(other.Object):
		case other.Kind == "Namespace":
			if text(metadata(other.Object), "name") == namespace {
				found = append(found, clone(other.Object))
			}
		case all && other.Kind != "ConfigMap" && text(metadata(other.Object), "namespace") == namespace:
			found = append(found, clone(other.Object))
		}
	}
	return found
}

// name gives the case its ID, and its object and neighbours the names that go with it.
func (c *Case) name(id string) {
	c.ID = id
	c.Object = clone(c.Object)
	meta := metadata(c.Object)
	// What only the API server writes it does not take from others.
	meta = without(meta, "generateName", "uid", "resourceVersion", "creationTimestamp", "selfLink", "generation")
	meta["name"] = id
	if c.Kind != "Namespace" {
		meta["namespace"] = c.Namespace()
	}
	c.Object["metadata"] = meta
	for _, neighbour := range c.Around {
		meta := metadata(neighbour)
		if text(neighbour, "kind") == "Namespace" {
			meta["name"] = id
			// Every case is to be judged, as it is.
			if labels, ok := meta["labels"].(Object); ok {
				meta["labels"] = without(labels, "headroom.dev/mode", "headroom.dev/mutate")
			}
		} else {
			meta["namespace"] = id
		}
	}
}

// Namespace is where the object lives.
func (c *Case) Namespace() string {
	if len(c.Around) == 0 {
		return Namespace
	}
	return c.ID
}

// NamespaceObject is the Namespace that the file brings, nil for none.
func (c *Case) NamespaceObject() Object {
	for _, object := range c.Around {
		if text(object, "kind") == "Namespace" {
			return object
		}
	}
	return nil
}

// Write writes the case as a manifest: neighbours first, each document a line of JSON, which
// keeps numbers as they are.
func (c *Case) Write(dir string) (file string, err error) {
	var text []byte
	for _, object := range append(slices.Clone(c.Around), c.Object) {
		line, err := json.Marshal(object)
		if err != nil {
			return "", fmt.Errorf("write %s: %w", c.Source, err)
		}
		text = append(append(append(text, "---\n"...), line...), '\n')
	}
	file = filepath.Join(dir, c.ID+".yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("write %s: %w", c.Source, err)
	}
	return file, nil
}

// WriteAll writes every case to a folder, a file each.
func WriteAll(dir string, all []Case) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write the corpus: %w", err)
	}
	for i := range all {
		if _, err := all[i].Write(dir); err != nil {
			return err
		}
	}
	return nil
}

// metadata is the object's metadata; empty if it has none.
func metadata(object Object) Object {
	if meta, ok := object["metadata"].(Object); ok {
		return meta
	}
	return Object{}
}

func text(object Object, key string) string {
	value, _ := object[key].(string)
	return value
}

// clone copies as deep as names are written: neighbours and aliases share what they were
// read from.
func clone(object Object) Object {
	copied := maps.Clone(object)
	copied["metadata"] = maps.Clone(metadata(object))
	return copied
}

func without(object Object, keys ...string) Object {
	copied := maps.Clone(object)
	for _, key := range keys {
		delete(copied, key)
	}
	return copied
}
