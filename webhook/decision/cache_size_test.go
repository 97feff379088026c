package decision

import (
	"strings"
	"testing"
)

// A client may give an object any name, and a long one: what a decision keeps of it counts
// towards the cache's bound.
func TestNamesCountInTheCache(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	named := "ignore:\n- {rules: [HR601], name: other, reason: a test}\n" // so that names are kept
	for what, c := range map[string]struct{ config, object string }{
		"a name": {
			named, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + long + `"},"spec":{"containers":[{"name":"app"}]}}`,
		},
		"the name of what is skipped": {named, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + long +
			`"},"spec":{"os":{"name":"windows"},"containers":[{"name":"app"}]}}`},
		"an API version": {"", `{"apiVersion":"` + long + `","kind":"Pod","spec":{"containers":[{"name":"app"}]}}`},
	} {
		d := newDecider(t, c.config)
		o, _, err := d.decide(t.Context(), false, Request{Object: c.object, Namespace: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		if size := o.size(); size < int64(len(long)) || d.cache.bytes.Load() != size {
			t.Errorf("%s: the decision counts %d bytes, the cache %d", what, size, d.cache.bytes.Load())
		}
	}
}
