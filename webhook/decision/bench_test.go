package decision

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// podOf is a Pod of the engine's benchmarks as the API server sends it: with
// managedFields, which make up nearly half of it.
func podOf(tb testing.TB, name string) string {
	tb.Helper()
	text, err := os.ReadFile("../../policies/engine/testdata/bench/" + name + ".yaml")
	if err != nil {
		tb.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(text)
	if err != nil {
		tb.Fatal(err)
	}
	managed := `"metadata":{"uid":"9b0d5c3e","creationTimestamp":"2026-11-21T10:00:00Z","managedFields":[{"manager":` +
		`"kube-controller-manager","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{` +
		strings.Repeat(`"k:{\"name\":\"SOME_VARIABLE\"}":{".":{},"f:name":{},"f:value":{}},`, 80) + `"f:x":{}}}],`
	return strings.Replace(string(object), `"metadata":{`, managed, 1)
}

func BenchmarkDecisionCached(b *testing.B)   { benchmark(b, false) }
func BenchmarkDecisionUncached(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, forget bool) {
	for _, name := range []string{"simple", "pod", "jvms"} {
		object := podOf(b, name)
		for operation, run := range map[string]func(*Decider) error{
			"validate": func(d *Decider) error {
				_, err := d.Validate(b.Context(), Request{Object: object, Name: "a", Namespace: "shop"})
				return err
			},
			"mutate": func(d *Decider) error {
				_, err := d.Mutate(b.Context(), Request{Object: object, Name: "a", Namespace: "shop"})
				return err
			},
		} {
			b.Run(operation+"/"+name, func(b *testing.B) {
				d, err := New(b.Context(), Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(object)))
				b.ReportAllocs()
				for b.Loop() {
					if forget {
						d.cache.clear()
					}
					if err := run(d); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
