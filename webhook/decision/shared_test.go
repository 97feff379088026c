package decision

import "testing"

const (
	// broken has findings, and none that can be fixed: no limit is known for it.
	broken = `{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":[{"name":"app","image":"a"}]}}`
	// uneven has one that is: its memory request is raised to the limit.
	uneven = `{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":[{"name":"app","image":"a",` +
		`"resources":{"requests":{"cpu":"1","memory":"1Gi"},"limits":{"memory":"2Gi"}}}]}}`
)

// A Pod is mutated and then validated. What mutation has judged and left alone is not judged again,
// and a verdict without a patch is never used as one with a patch.
func TestMutationAndValidationShareADecision(t *testing.T) {
	for _, c := range []struct {
		name, object string
		first, then  string
		decisions    int64
		patched      bool
	}{
		{"nothing to fix, mutated first", broken, "mutate", "validate", 1, false},
		{"nothing to fix, validated first", broken, "validate", "mutate", 1, false},
		{"fixed, then judged as it was", uneven, "mutate", "validate", 1, true},
		{"judged, then fixed", uneven, "validate", "mutate", 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDecider(t, "")
			judged := counted(t, d)
			r := Request{Object: c.object, Name: "a", Namespace: "shop"}
			for _, operation := range []string{c.first, c.then, c.first, c.then} {
				if operation == "validate" {
					v, err := d.Validate(t.Context(), r)
					if err != nil || len(v.Findings) == 0 {
						t.Fatal(v, err)
					}
					continue
				}
				m, err := d.Mutate(t.Context(), r)
				if err != nil || len(m.Before) == 0 || (m.Patch != nil) != c.patched {
					t.Fatal(m, err)
				}
			}
			if n := judged.calls.Load(); n != c.decisions {
				t.Errorf("%d decisions instead of %d", n, c.decisions)
			}
			if n, bytes := d.cache.len(), d.cache.bytes.Load(); n != 1 || bytes != size(d) {
				t.Errorf("%d entries, counted as %d bytes", n, bytes)
			}
		})
	}
}

// size is what the entries take, counted anew.
func size(d *Decider) int64 {
	counted := d.cache.bytes.Load()
	d.cache.lru.RemoveOldest()
	return counted - d.cache.bytes.Load()
}

// In a workload only what a Pod's spec has is fixed, in its Pods.
func TestFixableIsWhatIsPutRightInPods(t *testing.T) {
	d := newDecider(t, "")
	v, err := d.Validate(t.Context(), Request{Name: "a", Namespace: "shop", Object: `{"apiVersion":"apps/v1",` +
		`"kind":"Deployment","metadata":{"annotations":{"headroom.dev/workload-class":"batch"}},"spec":{"template":{"spec":` +
		`{"containers":[{"name":"app","image":"a","resources":{"requests":{"cpu":"1","memory":"1Gi"},` +
		`"limits":{"cpu":"2","memory":"2Gi"}}}]}}}}`})
	if err != nil {
		t.Fatal(err)
	}
	fixable := map[string]bool{}
	for _, f := range v.Findings {
		fixable[f.Rule] = f.Fixable
	}
	if on, ok := fixable["HR103"]; !ok || on {
		t.Error("HR103 is about the workload's own annotations:", fixable)
	}
	if !fixable["HR302"] {
		t.Error("HR302 is fixed in the Pods:", fixable)
	}
}
