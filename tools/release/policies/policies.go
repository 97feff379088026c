// Package policies picks what a release has for other programs than headroom: the Rego as a
// bundle for OPA and conftest, and the policies for Kyverno.
package policies

import (
	"encoding/json"
	"path"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/tools/release/checkout"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

// Bundle is the Rego without its tests and examples, as OPA loads it:
// https://www.openpolicyagent.org/docs/management-bundles#bundle-file-format
func Bundle(c *checkout.Commit) (pack.Files, error) {
	files := c.Files.Part("policies/rego", func(name string) bool {
		return strings.HasSuffix(name, ".rego") && !strings.HasSuffix(name, "_test.rego")
	})
	// The roots keep OPA from mixing another bundle's policies into these.
	manifest, err := json.Marshal(map[string]any{
		"revision": c.Tag(), "rego_version": 1, "roots": []string{"headroom", "infos", "main"},
		"metadata": map[string]string{"commit": c.Hash, "created": c.Time.Format(time.RFC3339)},
	})
	if err != nil {
		return nil, err
	}
	files.Text(".manifest", string(manifest)+"\n")
	files["LICENSE"] = c.Files["LICENSE"]
	return files, nil
}

// Kyverno is policies/export/kyverno as `kubectl apply -k` takes it.
func Kyverno(c *checkout.Commit) pack.Files {
	files := c.Files.Part("policies/export/kyverno", func(name string) bool { return path.Ext(name) == ".yaml" })
	files["LICENSE"] = c.Files["LICENSE"]
	return files
}
