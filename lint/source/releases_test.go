package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// deployed is a repository whose chart shows what it is rendered with.
var deployed = map[string]string{
	".git/config":                 "[remote \"origin\"]\n\turl = git@example.com:acme/deploy.git\n",
	"charts/shop/Chart.yaml":      "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
	"charts/shop/values.yaml":     "a: chart\nb: chart\nc: chart\n",
	"charts/shop/production.yaml": "a: file\nb: file\n",
	"charts/shop/templates/c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n" +
		"  name: {{ .Release.Name }}-{{ .Release.Namespace }}-{{ .Values.a }}-{{ .Values.b }}-{{ .Values.c }}\n",
	"plain/s.yaml":              "apiVersion: v1\nkind: Service\nmetadata: {name: plain}\n",
	"built/kustomization.yaml":  "namePrefix: built-\nresources: [s.yaml]\n",
	"built/s.yaml":              "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n",
	"charts/lib/Chart.yaml":     "apiVersion: v2\nname: lib\nversion: 0.1.0\ntype: library\n",
	"charts/needs/Chart.yaml":   "apiVersion: v2\nname: needs\nversion: 0.1.0\ndependencies: [{name: db, version: 1, repository: 'https://example.com'}]\n",
	"charts/needs/templates/.x": "",
}

func argo(source string) string {
	return fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\n"+
		"spec: {destination: {namespace: ns}, source: {repoURL: 'https://example.com/acme/deploy', %s}}\n", source)
}

func flux(name, chart, rest string) string {
	return fmt.Sprintf("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: %s, namespace: ns}\n"+
		"spec: {chart: {spec: {%s}}, %s}\n", name, chart, rest)
}

func TestReleases(t *testing.T) {
	for _, tc := range []struct{ name, release, want string }{
		{"a chart of the tree", argo("path: charts/shop"), "web-ns-chart-chart-chart"},
		{
			"its values, the later over the earlier",
			argo("path: charts/shop, helm: {releaseName: other, valueFiles: [production.yaml], values: 'b: inline', " +
				"parameters: [{name: c, value: 'a,b'}]}"),
			"other-ns-file-inline-a,b",
		},
		{"values as an object", argo("path: charts/shop, helm: {valuesObject: {a: 1}}"), "web-ns-1-chart-chart"},
		{"a kustomization", argo("path: built"), "built-s"},
		{"a folder of manifests", argo("path: plain"), ""},
		{"another repository", strings.Replace(argo("path: charts/shop"), "acme/", "others/", 1), "! Application web"},
		{"a chart of a registry", argo("chart: redis"), "! Application web"},
		{"no such folder", argo("path: charts/none"), "! Application web"},
		{"out of the tree", argo("path: ../.."), "! Application web"},
		{"values out of the tree", argo("path: charts/shop, helm: {valueFiles: [../../../x]}"), "! Application web"},
		{"values of another source", argo("path: charts/shop, helm: {valueFiles: [$v/x]}"), "! Application web"},
		{
			"a set", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec: {template: {metadata: {name: one}, " +
				"spec: {source: {repoURL: 'https://example.com/acme/deploy', path: charts/shop}}}}\n", "one-default-chart-chart-chart",
		},
		{
			"a set that fills in a parameter", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec: {template: " +
				"{metadata: {name: one}, spec: {source: {repoURL: 'https://example.com/acme/deploy', path: charts/shop, helm: {parameters: " +
				"[{name: a, value: '{{number}}'}, {name: b, value: set}]}}}}}\n", "! ApplicationSet all",
		},
		{
			"a set that fills in values", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec: {template: " +
				"{metadata: {name: one}, spec: {source: {repoURL: 'https://example.com/acme/deploy', path: charts/shop, helm: " +
				"{valuesObject: {a: '{{number}}'}}}}}}\n", "! ApplicationSet all",
		},
		{
			"a set of folders", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec: {template: {" +
				"spec: {source: {repoURL: 'https://example.com/acme/deploy', path: '{{path}}'}}}}\n", "! ApplicationSet all",
		},
		{
			"flux", flux("cart", "chart: ./charts/shop, valuesFiles: [charts/shop/production.yaml], sourceRef: {kind: GitRepository}", "values: {b: 2}"),
			"cart-ns-file-2-chart",
		},
		{"flux elsewhere", flux("cart", "chart: charts/shop, sourceRef: {kind: HelmRepository}", "values: {}"), "! HelmRelease cart"},
		{"of another group", strings.Replace(argo("chart: x"), "argoproj.io", "example.com", 1), ""},
		{"not as it should be", "apiVersion: argoproj.io/v1\nkind: Application\nspec: {source: [1], sources: [a, {helm: 1}]}\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tree(t, deployed)
			files := map[string]string{"apps/a.yaml": tc.release}
			write(t, files)
			opts := Options{FolderCharts: &HelmChart{}}
			read, _ := Files([]string{"apps"}, opts)
			read, unrendered, err := Releases(t.Context(), read, opts, 1)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, file := range read[1:] {
				for item := range Stream(file, opts) {
					if item.Problem != nil {
						t.Fatal(item.Problem)
					}
					got = append(got, field(item.Document.Object, "metadata", "name"))
				}
			}
			for _, u := range unrendered {
				got = append(got, "! "+u.Kind+" "+u.Name)
				if u.Hint == "" {
					t.Error("nothing says what renders it")
				}
			}
			if strings.Join(got, "|") != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// A chart in a folder is rendered once: as its release says, or with its own values.
func TestChartsInFolders(t *testing.T) {
	tree(t, deployed)
	opts := Options{FolderCharts: &HelmChart{ReleaseName: "flag"}}
	names := func() []string {
		files, problems := Files([]string{"."}, opts)
		files, _, err := Releases(t.Context(), files, opts, 1)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		var got []string
		for _, file := range files {
			for item := range Stream(file, opts) {
				switch {
				case item.Problem != nil:
					got = append(got, item.Problem.Error())
				case item.Document != nil && field(item.Document.Object, "kind") == "ConfigMap":
					got = append(got, field(item.Document.Object, "metadata", "name"))
				}
			}
		}
		slices.Sort(got)
		return got
	}
	const needs = "charts/needs: the Helm chart does not render: chart needs needs charts that its folder charts does not hold: db; run helm dependency build"
	if got, want := names(), []string{needs, "flag-default-chart-chart-chart"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	write(t, map[string]string{"apps/a.yaml": argo("path: charts/shop")})
	if got, want := names(), []string{needs, "web-ns-chart-chart-chart"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestIsRelease(t *testing.T) {
	for kind, want := range map[[2]string]bool{
		{"helm.toolkit.fluxcd.io/v2", "HelmRelease"}: true, {"argoproj.io/v1alpha1", "Application"}: true,
		{"argoproj.io/v1alpha1", "ApplicationSet"}: true, {"argoproj.io/v1alpha1", "Rollout"}: false,
		{"app.k8s.io/v1beta1", "Application"}: false, {"helm.cattle.io/v1", "HelmRelease"}: false,
	} {
		if IsRelease(kind[0], kind[1]) != want {
			t.Errorf("%v: %v", kind, !want)
		}
	}
}
