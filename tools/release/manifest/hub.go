package manifest

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/tools/release/checkout"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

// Where the parts of Artifact Hub's packages stand in the repository.
const (
	hubFolder  = "packaging/artifacthub"
	repository = "artifacthub-repo.yml"
	metadata   = "artifacthub-pkg.yml"
)

// Hub is the tree that Artifact Hub reads, with a folder for each version of a package. The OPA
// policies are one package; for Kyverno each policy is one, as in its own library.
// https://artifacthub.io/docs/topics/repositories/
func Hub(c *checkout.Commit) (pack.Files, error) {
	tree := pack.Files{}
	for _, kind := range []string{"opa", "kyverno"} {
		tree[path.Join(kind, repository)] = c.Files[path.Join(hubFolder, repository)]
	}
	opa := c.Files.Part("policies/rego", func(name string) bool {
		return strings.HasSuffix(name, ".rego") && !strings.HasSuffix(name, "_test.rego")
	})
	about, err := describe(c, "opa", nil)
	if err != nil {
		return nil, err
	}
	opa.Text(metadata, about)
	opa.Text("README.md", readme(c, "opa"))
	add(tree, path.Join("opa", "headroom", c.Version), opa)
	var failed []error
	for name, file := range c.Files.Part("policies/export/kyverno", isPolicy) {
		failed = append(failed, kyverno(c, tree, path.Dir(name), file))
	}
	return tree, errors.Join(failed...)
}

func isPolicy(name string) bool { return path.Base(name) == "policy.yaml" && path.Dir(name) != "." }

// kyverno adds the package of one policy, which says itself what it is.
func kyverno(c *checkout.Commit, tree pack.Files, slug string, file pack.File) error {
	var policy struct {
		Metadata struct {
			Name        string            `yaml:"name"`
			Annotations map[string]string `yaml:"annotations"`
		} `yaml:"metadata"`
	}
	if err := yaml.Unmarshal(file.Content, &policy); err != nil {
		return fmt.Errorf("read policies/export/kyverno/%s: %w", slug, err)
	}
	name, says := policy.Metadata.Name, policy.Metadata.Annotations
	const prefix = "policies.kyverno.io/"
	about, err := describe(c, "kyverno", map[string]any{
		"name": name, "displayName": "headroom: " + says[prefix+"title"],
		"description": strings.Join(strings.Fields(says[prefix+"description"]), " "),
		"annotations": map[string]any{
			"kyverno/category": says[prefix+"category"], "kyverno/subject": says[prefix+"subject"],
		},
		"install": fmt.Sprintf("```sh\nkubectl apply -f %s/raw/%s/policies/export/kyverno/%s/policy.yaml\n```\n",
			Home, c.Hash, slug),
	})
	if err != nil {
		return err
	}
	files := pack.Files{name + ".yaml": file}
	files.Text(metadata, about)
	files.Text("README.md", readme(c, "kyverno"))
	// A policy that judges has its rule's page; those that fix Pods follow many rules.
	if page := "docs/rules/" + says["headroom.dev/rule"] + ".md"; c.Files[page].Content != nil {
		files.Text("README.md", string(absolute(c.Files[page].Content, "docs/rules", c.Hash)))
	}
	add(tree, path.Join("kyverno", name, c.Version), files)
	return nil
}

// describe fills in a package's metadata: what stands in packaging, what the caller knows of
// this package, and what all packages of a release have in common.
func describe(c *checkout.Commit, kind string, known map[string]any) (string, error) {
	about := map[string]any{}
	if err := yaml.Unmarshal(c.Files[path.Join(hubFolder, kind, metadata)].Content, &about); err != nil {
		return "", fmt.Errorf("read metadata of %s: %w", kind, err)
	}
	for key, value := range known {
		if more, ok := value.(map[string]any); ok {
			stands, _ := about[key].(map[string]any)
			maps.Copy(more, stands)
		}
		about[key] = value
	}
	list, err := changes(c.Files[checkout.ChartFile].Content)
	if err != nil {
		return "", err
	}
	about["changes"] = list
	about["version"], about["appVersion"] = c.Version, c.Version
	about["createdAt"] = c.Time.Format(time.RFC3339)
	about["prerelease"] = strings.Contains(c.Version, "-")
	text, err := yaml.Marshal(about)
	return strings.ReplaceAll(string(text), ":VERSION\n", ":"+c.Version+"\n"), err
}

func readme(c *checkout.Commit, kind string) string {
	folder := path.Join(hubFolder, kind)
	return string(absolute(c.Files[path.Join(folder, "README.md")].Content, folder, c.Hash))
}

func add(tree pack.Files, folder string, files pack.Files) {
	for name, file := range files.Below(folder) {
		tree[name] = file
	}
}
