package kyverno

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/export/cel"
)

// test is what `kyverno test` reads.
type test struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Policies  []string `yaml:"policies"`
	Resources []string `yaml:"resources"`
	Variables string   `yaml:"variables,omitempty"`
	Results   []result `yaml:"results"`
}

type result struct {
	Validating bool     `yaml:"isValidatingPolicy,omitempty"`
	Mutating   bool     `yaml:"isMutatingPolicy,omitempty"`
	Policy     string   `yaml:"policy"`
	Kind       string   `yaml:"kind"`
	Resources  []string `yaml:"resources"`
	Patched    string   `yaml:"patchedResources,omitempty"`
	// Without it, a resource that the patched ones lack would count for nothing.
	Missing bool   `yaml:"failOnMissingResources,omitempty"`
	Result  string `yaml:"result"`
}

func newTest(name string) test {
	t := test{APIVersion: "cli.kyverno.io/v1alpha1", Kind: "Test", Policies: []string{"../policy.yaml"}, Resources: []string{"resources.yaml"}}
	t.Metadata.Name = name
	return t
}

// values tell `kyverno test` of the Namespaces, which it does not take from the resources.
type values struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Namespaces []map[string]any `yaml:"namespaces"`
}

// ruleTest holds a policy to what the Rego says of the rule's two examples.
func ruleTest(e *engine.Engine, rule cel.Rule) ([]File, error) {
	t := newTest(rule.Slug)
	var resources []any
	v := values{APIVersion: "cli.kyverno.io/v1alpha1", Kind: "Values"}
	v.Metadata.Name = "values"
	for _, example := range []struct{ name, text string }{{"good", rule.Good}, {"bad", rule.Bad}} {
		objects, err := decode(example.text)
		if err != nil {
			return nil, err
		}
		around := map[string][]map[string]any{}
		for _, object := range objects {
			if object["kind"] == "Namespace" {
				around["namespaces"] = append(around["namespaces"], object)
				v.Namespaces = append(v.Namespaces, object)
			}
		}
		for i, object := range objects {
			// What only stands beside an object (a ConfigMap, a LimitRange) no policy looks at.
			known, err := e.KindOf(context.Background(), object)
			if err != nil {
				return nil, err
			}
			if known.ContextList != "" {
				continue
			}
			// One name for each: of two that are called alike, the test would see one.
			where := rename(object, fmt.Sprintf("%s-%d", example.name, i+1))
			said, err := judged(e, rule.ID, object, around)
			if err != nil {
				return nil, err
			}
			resources = append(resources, object)
			t.Results = append(t.Results, result{
				Validating: true, Policy: "headroom-" + rule.Slug, Kind: engine.ResourceOf(object).Kind, Resources: []string{where}, Result: said,
			})
		}
	}
	if len(v.Namespaces) > 0 {
		t.Variables = "values.yaml"
	}
	return testFiles(rule.Slug, t, v, resources)
}

func testFiles(slug string, t test, v values, resources []any) ([]File, error) {
	dir := path.Join(slug, ".kyverno-test")
	var files []File
	add := func(name string, documents ...any) error {
		text, err := yamlOf(documents...)
		files = append(files, File{path.Join(dir, name), text})
		return err
	}
	err := errors.Join(add("kyverno-test.yaml", t), add("resources.yaml", resources...))
	if len(v.Namespaces) > 0 {
		err = errors.Join(err, add("values.yaml", v))
	}
	return files, err
}

func judged(e *engine.Engine, rule string, object map[string]any, lists map[string][]map[string]any) (string, error) {
	around, err := engine.NewContext("default", lists)
	if err != nil {
		return "", err
	}
	verdict, err := e.Evaluate(context.Background(), engine.Review{Manifest: object, Around: around})
	if err != nil {
		return "", err
	}
	for _, f := range verdict.Findings {
		if f.Rule == rule {
			return "fail", nil
		}
	}
	return "pass", nil
}

// rename gives an object a name of its own, and says how the test calls it.
func rename(object map[string]any, name string) string {
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	delete(metadata, "generateName")
	metadata["name"] = name
	if namespace, ok := metadata["namespace"].(string); ok {
		return namespace + "/" + name
	}
	return name
}

func decode(text string) ([]map[string]any, error) {
	var objects []map[string]any
	decoder := yaml.NewDecoder(bytes.NewBufferString(text))
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read an example: %w", err)
		}
		if object != nil {
			objects = append(objects, object)
		}
	}
}
