// Package settings reads a headroom.yaml and checks it against its schema. What the keys
// mean is decided in Rego (package headroom.config).
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// FileName is the default name of the config.
const FileName = "headroom.yaml"

// maxBytes bounds a config file: a thousand exemptions fit in a tenth of it.
const maxBytes = 1 << 20

// Problem is one thing that is wrong with a config file.
type Problem = yamlfile.Problem

// ErrUntold says of a config that it is not sound, and not why. Only programs that are built with the tag lean say so:
// the validator that tells what is wrong takes 5 ms of every start.
var ErrUntold = errors.New("is not what its schema asks for")

// Find looks for a headroom.yaml in dir and in every directory above it. It gives "" if it finds
// none, and refuses one that is not Inside.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", FileName, err)
	}
	for {
		file := filepath.Join(dir, FileName)
		info, err := os.Stat(file)
		if err == nil && !info.IsDir() {
			return file, Inside(file)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find %s: %w", FileName, err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// Load reads and checks a config file. The error joins one Problem for each mistake.
func Load(file string) (map[string]any, error) {
	data, err := yamlfile.Read(file, maxBytes)
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

// Parse checks the text of a config; file only names it in errors.
func Parse(file string, data []byte) (map[string]any, error) {
	config, root, err := parse(file, data, configSchema)
	if err != nil {
		return nil, err
	}
	if err := unknownRules(file, root, config); err != nil {
		return nil, err
	}
	return config, nil
}

// wanted are the first lines of a file of ours.
func wanted(against string) string {
	if against == configSchema {
		return "add apiVersion: headroom.dev/v1alpha1 and kind: Config"
	}
	return "headroom images lock writes this file"
}

// parse reads one document and checks it against a schema.
func parse(file string, data []byte, against string) (map[string]any, *yaml.Node, error) {
	root, err := yamlfile.Document(file, "apiVersion and kind", data)
	if err != nil {
		return nil, nil, err
	}
	if !meantForHeadroom(root) {
		return nil, nil, Problem{File: file, Line: 1, Message: "has no apiVersion and kind: " + wanted(against)}
	}
	daysAsText(root)
	if node := crowded(root); node != nil {
		return nil, nil, Problem{File: file, Line: node.Line, Message: fmt.Sprintf("has more than %d keys in one place", maxKeys)}
	}
	var document map[string]any
	if err := root.Decode(&document); err != nil {
		return nil, nil, yamlfile.Syntax(file, err)
	}
	holds, err := sound(against, document)
	if err == nil && !holds {
		err = told(file, against, root, document)
	}
	if err != nil {
		return nil, nil, err
	}
	return document, root, nil
}

// meantForHeadroom says that a document is at least meant to be read here. Of another, nothing is told: a link in somebody's pull
// request may lead to any file of the machine, and a message would quote it.
func meantForHeadroom(document *yaml.Node) bool {
	if document.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(document.Content); i += 2 {
		if key := document.Content[i].Value; key == "apiVersion" || key == "kind" {
			return true
		}
	}
	return false
}

const configSchema = "headroom.schema.json"

// Schema is the JSON schema of a headroom.yaml.
func Schema() ([]byte, error) {
	return policies.Files.ReadFile("schema/" + configSchema)
}

// maxKeys bounds a mapping: the YAML library compares each key with each other.
const maxKeys = 20_000

// crowded is a mapping with more than maxKeys keys, nil without one.
func crowded(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.MappingNode && len(node.Content) > 2*maxKeys {
		return node
	}
	for _, child := range node.Content {
		if found := crowded(child); found != nil {
			return found
		}
	}
	return nil
}

// daysAsText keeps until: 2027-01-31 the text that it is meant to be; YAML makes a time of a
// day without quotes.
func daysAsText(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && node.ShortTag() == "!!timestamp" {
		node.Tag = "!!str"
	}
	for _, child := range node.Content {
		daysAsText(child)
	}
}
