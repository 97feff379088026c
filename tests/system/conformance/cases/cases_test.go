package cases

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const manifests = `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {headroom.dev/mode: enforce, team: a}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop, resourceVersion: "7", annotations: {a: b}}
spec: {replicas: 3}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Service, metadata: {name: cart}}
  - {apiVersion: v1, kind: Pod, metadata: {generateName: cart-}}
---
key: of a values file
`

func loaded(t *testing.T, file string) []Case {
	t.Helper()
	root := t.TempDir()
	for _, dir := range Roots {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(root, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := Load(root, foreignBelow(t), func(_, kind string) (bool, error) { return kind == "Service" || kind == "LimitRange", nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// foreignBelow is a folder of another project, with one case.
func foreignBelow(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "atlas")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "maps.yaml"), []byte("apiVersion: v1\nkind: Pod\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{dir}
}

func TestLoad(t *testing.T) {
	all := loaded(t, "samples/shop.yaml")
	if len(all) != 4 {
		t.Fatalf("%d cases: %v", len(all), all)
	}
	for i, want := range []struct{ source, object, around, namespace string }{
		{
			"samples/shop.yaml#1",
			`{"apiVersion":"v1","kind":"Namespace","metadata":{"labels":{"headroom.dev/mode":"enforce","team":"a"},"name":"c0001"}}`,
			`null`, Namespace,
		},
		{
			"samples/shop.yaml#3",
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"a":"b"},"name":"c0002",` +
				`"namespace":"c0002"},"spec":{"replicas":3}}`,
			`[{"apiVersion":"v1","kind":"Namespace","metadata":{"labels":{"team":"a"},"name":"c0002"}}]`, "c0002",
		},
		{
			"samples/shop.yaml#4.2",
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"c0003","namespace":"conformance"}}`, `null`, Namespace,
		},
		{
			"atlas/maps.yaml#1", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"c0004","namespace":"conformance"}}`,
			`null`, Namespace,
		},
	} {
		object, _ := json.Marshal(all[i].Object)
		around, _ := json.Marshal(all[i].Around)
		if all[i].Source != want.source || string(object) != want.object || string(around) != want.around ||
			all[i].Namespace() != want.namespace || all[i].Foreign != strings.HasPrefix(want.source, "atlas/") {
			t.Errorf("%s\n%s\n%s\n%s", all[i].Source, object, around, all[i].Namespace())
		}
	}
}

func TestNeighboursOfTheirRule(t *testing.T) {
	all := loaded(t, "policies/rego/headroom/rules/cpu/namespace-fights-class/bad.yaml")
	file, err := all[1].Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"kind":"Namespace"`, `"kind":"LimitRange","metadata":{"name":"defaults","namespace":"c0002"}`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
}
