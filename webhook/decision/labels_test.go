package decision

import (
	"testing"
)

// TestClassesByLabel: a class that the config gives by label holds for the workload and for its Pods.
func TestClassesByLabel(t *testing.T) {
	d, err := New(t.Context(), Options{Config: []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n" +
		"classes:\n- {labels: {tier: batch}, class: batch}\n")})
	if err != nil {
		t.Fatal(err)
	}
	const spec = `"spec":{"containers":[{"name":"app","image":"a"}]}`
	for _, tc := range []struct{ name, object, class string }{
		{"a Pod", `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":"b","tier":"batch"}},` + spec + `}`, "batch"},
		{"another", `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":"b","tier":"web"}},` + spec + `}`, "unclassified"},
		{
			"a Deployment", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{},"spec":{"template":{"metadata":` +
				`{"labels":{"tier":"batch"}},` + spec + `}}}`, "batch",
		},
		{
			"labels of the Deployment alone", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"tier":"batch"}},` +
				`"spec":{"template":{` + spec + `}}}`, "unclassified",
		},
	} {
		verdict, err := d.Validate(t.Context(), Request{Object: tc.object, Namespace: "shop"})
		if err != nil || len(verdict.Findings) == 0 || verdict.Findings[0].Class != tc.class {
			t.Errorf("%s: %+v, %v; want class %s", tc.name, verdict.Findings, err, tc.class)
		}
	}
}
