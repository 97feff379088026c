package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"sigs.k8s.io/yaml"
)

// krewPlugin is what krew reads of a manifest.
type krewPlugin struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string         `json:"version"`
		ShortDescription string         `json:"shortDescription"`
		Description      string         `json:"description"`
		Homepage         string         `json:"homepage"`
		Caveats          string         `json:"caveats"`
		Platforms        []krewPlatform `json:"platforms"`
	} `json:"spec"`
}

type krewPlatform struct {
	Selector struct {
		MatchLabels map[string]string `json:"matchLabels"`
	} `json:"selector"`
	URI    string     `json:"uri"`
	SHA256 string     `json:"sha256"`
	Files  []krewFile `json:"files"`
	Bin    string     `json:"bin"`
}

type krewFile struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// TestKrewManifest renders .krew.yaml as krew-release-bot does, and holds the result to what
// krew's validation asks for.
func TestKrewManifest(t *testing.T) {
	const tag = "v1.2.3"
	text, err := os.ReadFile("../../.krew.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var archives []string
	manifest, err := template.New("").Funcs(template.FuncMap{
		"addURIAndSha": func(url, tag string) (string, error) {
			var address bytes.Buffer
			inner, err := template.New("").Parse(url)
			if err == nil {
				err = inner.Execute(&address, map[string]string{"TagName": tag})
			}
			sum := sha256.Sum256(address.Bytes())
			archives = append(archives, address.String())
			return fmt.Sprintf("uri: %s\n    sha256: %s", address.String(), hex.EncodeToString(sum[:])), err
		},
	}).Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	var rendered bytes.Buffer
	if err := manifest.Execute(&rendered, map[string]string{"TagName": tag}); err != nil {
		t.Fatal(err)
	}
	var plugin krewPlugin
	if err := yaml.UnmarshalStrict(rendered.Bytes(), &plugin); err != nil {
		t.Fatalf("%v\n%s", err, rendered.String())
	}
	spec := plugin.Spec
	if plugin.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || plugin.Kind != "Plugin" ||
		plugin.Metadata.Name != "headroom" || spec.Version != tag || spec.Homepage == "" || spec.Description == "" {
		t.Errorf("%+v", plugin)
	}
	// krew-index wants it to fit beside the name in a list.
	if n := len(spec.ShortDescription); n == 0 || n > 50 || strings.HasSuffix(spec.ShortDescription, ".") {
		t.Errorf("short description of %d characters: %s", n, spec.ShortDescription)
	}
	var platforms []string
	for _, p := range spec.Platforms {
		platform := p.Selector.MatchLabels["os"] + "_" + p.Selector.MatchLabels["arch"]
		platforms = append(platforms, platform)
		archive := "headroom_" + platform + ".tar.gz"
		if p.Selector.MatchLabels["os"] == "windows" {
			archive = "headroom_" + platform + ".zip"
		}
		if !strings.HasSuffix(p.URI, "/download/"+tag+"/"+archive) {
			t.Errorf("%s is at %s", platform, p.URI)
		}
		if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(p.SHA256) {
			t.Errorf("sha256 of %s: %q", platform, p.SHA256)
		}
		// kubectl finds plugins by their name.
		installs := slices.ContainsFunc(p.Files, func(f krewFile) bool { return f.To == p.Bin })
		if !installs || strings.TrimSuffix(p.Bin, ".exe") != "kubectl-headroom" {
			t.Errorf("%s has no %s", platform, p.Bin)
		}
		full := "headroom-full" + strings.TrimPrefix(p.Bin, "kubectl-headroom")
		if !slices.Contains(p.Files, krewFile{From: full, To: "."}) {
			t.Errorf("%s has no %s beside it", platform, full)
		}
	}
	want := []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"}
	if !slices.Equal(platforms, want) || len(archives) != len(want) {
		t.Errorf("platforms %q of %d archives", platforms, len(archives))
	}
}

// Help says what to type: the name that the binary was called by.
func TestNames(t *testing.T) {
	for binary, want := range map[string]string{
		"bin/headroom":                          "  headroom lint deploy/\n",
		"/home/jane/.krew/bin/kubectl-headroom": "  kubectl headroom lint deploy/\n",
		"kubectl-headroom.exe":                  "| kubectl headroom lint -",
	} {
		root := rootCommand()
		asPlugin(root, binary)
		lint, _, err := root.Find([]string{"lint"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(lint.Example, want) {
			t.Errorf("%s: %s", binary, lint.Example)
		}
	}
}
