//go:build integration

package release

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

var (
	categories = []string{
		"", "ai-machine-learning", "database", "integration-delivery", "monitoring-logging", "networking",
		"security", "storage", "streaming-messaging", "skip-prediction",
	}
	kinds    = []string{"added", "changed", "deprecated", "removed", "fixed", "security"}
	semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	plain    = regexp.MustCompile(`^[a-z0-9-]+$`)
)

func hubTree(t *testing.T) pack.Files {
	t.Helper()
	files, err := pack.UntarGz(read(t, ofHost(t), "headroom-artifacthub.tar.gz"))
	check(t, err)
	return files
}

// TestHubPackages holds each package to what Artifact Hub asks of its kind.
func TestHubPackages(t *testing.T) {
	tree, version := hubTree(t), releaseVersion(t, ofHost(t))
	packages := map[string]int{}
	for _, name := range tree.Names() {
		if path.Base(name) != "artifacthub-pkg.yml" {
			continue
		}
		var p hubPackage
		if err := yaml.UnmarshalStrict(tree[name].Content, &p); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		kind := strings.Split(name, "/")[0]
		packages[kind]++
		if path.Dir(name) != path.Join(kind, p.Name, version) || p.Version != version || p.AppVersion != version {
			t.Errorf("%s: %s %s", name, p.Name, p.Version)
		}
		for _, problem := range p.problems() {
			t.Errorf("%s: %s", name, problem)
		}
		checkContent(t, tree, path.Dir(name), kind, p)
	}
	policies, err := filepath.Glob(repo.Path("policies/export/kyverno/*/policy.yaml"))
	if err != nil || len(policies) == 0 || packages["opa"] != 1 || packages["kyverno"] != len(policies) {
		t.Errorf("packages %v, Kyverno policies %d: %v", packages, len(policies), err)
	}
	for _, kind := range []string{"opa", "kyverno"} {
		checkOwners(t, tree[path.Join(kind, "artifacthub-repo.yml")].Content)
	}
}

// problems are what Artifact Hub's own validation would say.
func (p hubPackage) problems() []string {
	var out []string
	say := func(wrong bool, what string) {
		if wrong {
			out = append(out, what)
		}
	}
	say(!semantic.MatchString(p.Version), "version "+p.Version)
	say(!plain.MatchString(p.Name), "name "+p.Name)
	say(p.DisplayName == "" || p.Description == "" || strings.Contains(p.Description, "\n"), "displayName or description")
	created, err := time.Parse(time.RFC3339, p.CreatedAt)
	say(err != nil || !created.Equal(commitTime), "createdAt "+p.CreatedAt)
	say(!slices.Contains(categories, p.Category), "category "+p.Category)
	say(p.License != "Apache-2.0" || !strings.HasPrefix(p.HomeURL, "https://"), "license or homeURL")
	say(p.Prerelease != strings.Contains(p.Version, "-"), "prerelease")
	say(p.Install == "" || strings.Contains(p.Install, "VERSION"), "install "+p.Install)
	for _, m := range p.Maintainers {
		say(m.Name == "" || !strings.Contains(m.Email, "@"), "maintainer")
	}
	return append(out, changeProblems(p.Changes, p.Links)...)
}

func changeProblems(changes []hubChange, links []hubLink) []string {
	var out []string
	for _, c := range changes {
		if !slices.Contains(kinds, c.Kind) || c.Description == "" {
			out = append(out, "change "+c.Kind+": "+c.Description)
		}
		links = append(links, c.Links...)
	}
	for _, l := range links {
		if l.Name == "" || !strings.HasPrefix(l.URL, "https://") {
			out = append(out, "link "+l.Name+": "+l.URL)
		}
	}
	if len(changes) == 0 {
		out = append(out, "no changes")
	}
	return out
}

// checkContent: each kind looks for its policies in its own way.
func checkContent(t *testing.T, tree pack.Files, folder, kind string, p hubPackage) {
	t.Helper()
	readme := string(tree[path.Join(folder, "README.md")].Content)
	if readme == "" || strings.Contains(readme, "](..") || regexp.MustCompile(`\]\([a-z/]+\.md`).MatchString(readme) {
		t.Errorf("%s: README without content or with links to nowhere:\n%.500s", folder, readme)
	}
	switch kind {
	case "opa":
		rego := 0
		for name := range tree {
			if strings.HasPrefix(name, folder+"/") && strings.HasSuffix(name, ".rego") {
				rego++
			}
		}
		if rego < 100 || tree[path.Join(folder, "main/main.rego")].Content == nil {
			t.Errorf("%s holds %d files of Rego", folder, rego)
		}
	case "kyverno":
		// The file has the name of the folder or of the package.
		policy := tree[path.Join(folder, p.Name+".yaml")].Content
		if !bytes.Contains(policy, []byte("\n  name: "+p.Name+"\n")) {
			t.Errorf("%s holds no policy %s", folder, p.Name)
		}
		for _, key := range []string{"kyverno/category", "kyverno/subject", "kyverno/version", "kyverno/kubernetesVersion"} {
			if p.Annotations[key] == "" {
				t.Errorf("%s: no %s", folder, key)
			}
		}
	}
}

func checkOwners(t *testing.T, text []byte) {
	t.Helper()
	var repository struct {
		RepositoryID string     `json:"repositoryID"`
		Owners       []hubOwner `json:"owners"`
		Ignore       []any      `json:"ignore"`
	}
	check(t, yaml.UnmarshalStrict(text, &repository))
	owners := repository.Owners
	if len(owners) != 1 || owners[0].Name == "" || !strings.Contains(owners[0].Email, "@") {
		t.Errorf("owners %+v", owners)
	}
}

// TestChartAnnotations: those that Artifact Hub documents, in the form that it reads.
// https://artifacthub.io/docs/topics/annotations/helm/
func TestChartAnnotations(t *testing.T) {
	for name, text := range map[string][]byte{
		"checkout": read(t, root, "charts/headroom/Chart.yaml"), "release": chartOf(t),
	} {
		var chart struct {
			Version, AppVersion string
			Annotations         map[string]string
		}
		check(t, yaml.Unmarshal(text, &chart))
		known := []string{"category", "changes", "images", "license", "links", "operator", "prerelease"}
		for key := range chart.Annotations {
			if !slices.Contains(known, strings.TrimPrefix(key, "artifacthub.io/")) {
				t.Errorf("%s: %s", name, key)
			}
		}
		says := func(key string) string { return chart.Annotations["artifacthub.io/"+key] }
		var changes []hubChange
		var links []hubLink
		var images []hubImage
		check(t, yaml.UnmarshalStrict([]byte(says("changes")), &changes))
		check(t, yaml.UnmarshalStrict([]byte(says("links")), &links))
		check(t, yaml.UnmarshalStrict([]byte(says("images")), &images))
		for _, problem := range changeProblems(changes, links) {
			t.Errorf("%s: %s", name, problem)
		}
		if len(images) != 1 || images[0].Image != "ghcr.io/headroom-dev/headroom:"+chart.AppVersion ||
			chart.Version != chart.AppVersion || !slices.Equal(images[0].Platforms, []string{"linux/amd64", "linux/arm64"}) {
			t.Errorf("%s: version %s, %s, images %+v", name, chart.Version, chart.AppVersion, images)
		}
		if says("license") != "Apache-2.0" || !slices.Contains(categories, says("category")) ||
			says("operator") != "false" || (says("prerelease") == "true") != strings.Contains(chart.Version, "-") {
			t.Errorf("%s: %v", name, chart.Annotations)
		}
	}
}

func chartOf(t *testing.T) []byte {
	t.Helper()
	folder := ofHost(t)
	files, err := pack.UntarGz(read(t, folder, "headroom-"+releaseVersion(t, folder)+".tgz"))
	check(t, err)
	readme := string(files["headroom/README.md"].Content)
	if strings.Contains(readme, "](../") || strings.Contains(readme, "](values.yaml)") {
		t.Error("the chart's README has links to files that are not with it")
	}
	hash := strings.TrimSpace(run(t, filepath.Join(folder, "../.."), "git", "rev-parse", "HEAD"))
	for _, match := range regexp.MustCompile(`/blob/`+hash+`/([^)#]+)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(filepath.Join(root, match[1])); err != nil {
			t.Errorf("the chart's README has a link to %s", match[1])
		}
	}
	return files["headroom/Chart.yaml"].Content
}
