//go:build integration

// Package charts tests the Helm chart and the kustomizations as they render: what a cluster
// would be given, without a cluster.
package charts

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"helm.sh/helm/v4/pkg/strvals"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

const (
	chartDir  = "../../../charts/headroom"
	release   = "headroom"
	namespace = "headroom-system"
)

func loadChart(t testing.TB) *chart.Chart {
	t.Helper()
	loaded, err := loader.Load(chartDir)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// templates renders as helm install does, values checked by the schema, and gives the text
// of each template.
func templates(t testing.TB, settings ...string) map[string]string {
	t.Helper()
	rendered, err := tryTemplates(t, settings...)
	if err != nil {
		t.Fatalf("render with %v: %v", settings, err)
	}
	return rendered
}

func tryTemplates(t testing.TB, settings ...string) (map[string]string, error) {
	t.Helper()
	values := map[string]any{}
	for _, setting := range settings {
		if err := strvals.ParseInto(setting, values); err != nil {
			t.Fatalf("%s: %v", setting, err)
		}
	}
	return renderValues(t, values)
}

func renderValues(t testing.TB, values map[string]any) (map[string]string, error) {
	t.Helper()
	loaded := loadChart(t)
	options := common.ReleaseOptions{Name: release, Namespace: namespace, Revision: 1, IsInstall: true}
	all, err := util.ToRenderValues(loaded, values, options, nil)
	if err != nil {
		return nil, err
	}
	return engine.Engine{}.RenderWithContext(t.Context(), loaded, all)
}

// object is one rendered object, and the template it is from.
type object struct {
	*unstructured.Unstructured
	file string
}

func (o object) name() string { return o.GetKind() + "/" + o.GetName() }

// audits says that the object is one of the audit's, and none of the webhook's.
func (o object) audits() bool { return o.GetLabels()["app.kubernetes.io/component"] == "audit" }

// render gives the objects that a release holds; hooks are none of it.
func render(t testing.TB, settings ...string) []object {
	t.Helper()
	return slices.DeleteFunc(renderAll(t, settings...), func(o object) bool {
		return o.GetAnnotations()["helm.sh/hook"] != ""
	})
}

func renderAll(t testing.TB, settings ...string) []object {
	t.Helper()
	rendered := templates(t, settings...)
	var objects []object
	for _, file := range slices.Sorted(maps.Keys(rendered)) {
		if path.Ext(file) == ".yaml" {
			objects = append(objects, parse(t, path.Base(file), rendered[file])...)
		}
	}
	return objects
}

func parse(t testing.TB, file, text string) []object {
	t.Helper()
	var objects []object
	decoder := yaml.NewYAMLToJSONDecoder(strings.NewReader(text))
	for {
		var content map[string]any
		err := decoder.Decode(&content)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, text)
		}
		if len(content) > 0 {
			objects = append(objects, object{&unstructured.Unstructured{Object: content}, file})
		}
	}
}

// find gives the only object of a kind with this name; "" stands for any that is not the
// audit's, which audit_test.go looks at.
func find(t testing.TB, objects []object, kind, name string) object {
	t.Helper()
	var found []object
	for _, o := range objects {
		if o.GetKind() == kind && (o.GetName() == name || name == "" && !o.audits()) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d objects are a %s %s, want 1", len(found), kind, name)
	}
	return found[0]
}

// as decodes strictly: a field that the type does not have is an error.
func as[T any](t testing.TB, o object) T {
	t.Helper()
	var into T
	content, err := o.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := strictly(content, &into); err != nil {
		t.Fatalf("%s: %v", o.name(), err)
	}
	return into
}

func combinations(axes ...[]string) [][]string {
	all := [][]string{nil}
	for _, axis := range axes {
		var longer [][]string
		for _, head := range all {
			for _, value := range axis {
				longer = append(longer, append(slices.Clone(head), strings.Fields(value)...))
			}
		}
		all = longer
	}
	return all
}

// tool runs a program that the Makefile builds.
func tool(t testing.TB, name string, arguments ...string) (string, error) {
	t.Helper()
	out, err := exec.Command(program.Tool(t, name), arguments...).CombinedOutput()
	return string(out), err
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
