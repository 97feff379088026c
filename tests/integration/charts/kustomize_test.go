//go:build integration

package charts

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

const kustomizeDir = "../../../charts/kustomize/"

// TestKustomizeIsTheChart: two ways to install the same objects.
func TestKustomizeIsTheChart(t *testing.T) {
	for dir, settings := range map[string][]string{
		"base":                  {existingMode, "certificates.existingSecret.name=headroom-webhook-tls"},
		"overlays/cert-manager": nil,
		"overlays/self-signed":  {selfSigned},
		"overlays/enforce":      {"defaults.mode=enforce"},
	} {
		t.Run(dir, func(t *testing.T) {
			want, got := normal(t, render(t, settings...)), normal(t, kustomize(t, kustomizeDir+dir))
			compareObjects(t, want, got, "Namespace/headroom-system")
		})
	}
}

// TestMonitoringComponent: the component is the chart's monitoring.
func TestMonitoringComponent(t *testing.T) {
	plain, monitored := normal(t, render(t)), normal(t, render(t,
		"metrics.serviceMonitor.enabled=true", "metrics.prometheusRule.enabled=true", "metrics.dashboard.enabled=true"))
	maps.DeleteFunc(monitored, func(name, _ string) bool { return plain[name] != "" })
	files := filesys.MakeFsOnDisk()
	var objects []object
	for _, file := range []string{"servicemonitor", "prometheusrule", "dashboard"} {
		content, err := files.ReadFile(kustomizeDir + "components/monitoring/" + file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, parse(t, file, string(content))...)
	}
	compareObjects(t, monitored, normal(t, objects), "")
}

func compareObjects(t *testing.T, want, got map[string]string, extra string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: kustomize and chart differ:\n%s", name, difference(got[name], want[name]))
		}
	}
	for name := range got {
		if want[name] == "" && name != extra {
			t.Errorf("only kustomize gives %s", name)
		}
	}
}

func kustomize(t testing.TB, dir string) []object {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := resources.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, dir, string(text))
}

// normal is each object as text, less what only Helm says about itself.
func normal(t testing.TB, objects []object) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, o := range objects {
		labels := o.GetLabels()
		delete(labels, "helm.sh/chart")
		delete(labels, "app.kubernetes.io/managed-by")
		o.SetLabels(labels)
		all[o.name()] = asJSON(t, o.Object)
	}
	return all
}

// difference is where two texts part, and a few lines of each from there.
func difference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < min(len(left), len(right)) && left[i] == right[i] {
		i++
	}
	const shown = 6
	left, right = left[i:min(i+shown, len(left))], right[i:min(i+shown, len(right))]
	return strings.Join(left, "\n") + "\n--\n" + strings.Join(right, "\n")
}
