package decision

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func reducedOf(t testing.TB, object string, named bool) string {
	t.Helper()
	text, err := reductionsFor(named).reduced(nil, Request{Object: object, Namespace: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReduced(t *testing.T) {
	for _, c := range []struct{ object, want string }{
		{`{}`, `{}`},
		{` { "a" : [ 1 , {"b":null} ] } `, `{"a":[ 1 , {"b":null} ]}`},
		{
			`{"apiVersion":"v1","kind":"Pod","metadata":{}}`,
			`{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop"}}`,
		},
		{`{"apiVersion":"v1","kind":"Pod","metadata":null}`, `{"apiVersion":"v1","kind":"Pod","metadata":null}`},
		{
			`{"apiVersion":"v1","kind":"Pod","status":{},"metadata":{"name":"a","labels":{"b":"c"},"namespace":"x",` +
				`"annotations":{"d":"e"}},"spec":{"volumes":[1,{"name":"v",` +
				`"persistentVolumeClaim":{"claimName":"c","readOnly":true}}],"hostname":"h",` +
				`"containers":[{"volumeMounts":[{"name":"kube-api-access-x7x7x","mountPath":"/t"},` +
				`{"name":"kube-api-access-x7x7x7"}],"volumeDevices":[],"name":"app"},7]}}`,
			`{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{},"namespace":"x","annotations":{"d":"e"},"namespace":"shop"},` +
				`"spec":{"volumes":[1,{"name":"v","persistentVolumeClaim":{"readOnly":true}}],` +
				`"containers":[{"volumeMounts":[{"name":"kube-api-access-","mountPath":"/t"},` +
				`{"name":"kube-api-access-x7x7x7"}],"name":"app"},7]}}`,
		},
		{ // of the wrong kind: as it is
			`{"apiVersion":"v1","kind":"Pod","spec":{"containers":{"volumeMounts":1}},"metadata":{"ownerReferences":"a"}}`,
			`{"apiVersion":"v1","kind":"Pod","spec":{"containers":{"volumeMounts":1}},"metadata":{"ownerReferences":"a",` +
				`"namespace":"shop"}}`,
		},
		{ // of an unknown kind, only what the API server adds
			`{"apiVersion":"example.com/v1","kind":"Pod","metadata":{"name":"a","managedFields":[]},"status":1}`,
			`{"apiVersion":"example.com/v1","kind":"Pod","metadata":{"name":"a","namespace":"shop"},"status":1}`,
		},
		{ // a key in disguise stays
			`{"apiVersion":"v1","kind":"Pod","st\u0061tus":1}`, `{"apiVersion":"v1","kind":"Pod","st\u0061tus":1}`,
		},
	} {
		if got := reducedOf(t, c.object, false); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.object, got, c.want)
		}
	}
	labelled, err := reductionsFor(false, "tier").reduced(nil, Request{Namespace: "shop", Object: `{"apiVersion":"v1","kind":"Pod",` +
		`"metadata":{"labels":{"pod-template-hash":"7d4b9c","tier":"web","t\u0069er":"x"}}}`})
	if want := `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"tier":"web","t\u0069er":"x"},"namespace":"shop"}}`; err != nil ||
		string(labelled) != want {
		t.Errorf("%s, %v, not %s", labelled, err, want)
	}
	named := reducedOf(t, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","generateName":"b"}}`, true)
	if named != `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","generateName":"b","namespace":"shop"}}` {
		t.Error(named)
	}
}

func TestValid(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `[]`: true, `"{[{["`: true, `"\"[["`: true, ``: false, `{`: false, `{}}`: false, `{"a":}`: false,
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth):     true,
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1): false,
		strings.Repeat("[", 3<<20):                                        false,
		strings.Repeat("1", maxDigits) + ".5e9":                           true,
		"1." + strings.Repeat("1", maxDigits+1):                           false,
	} {
		if Valid(text) != want {
			t.Errorf("%.40s", text)
		}
	}
}

// What is judged is JSON, whatever comes, and has lost nothing when it is reduced again.
func FuzzReduced(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(jsonOf(f, s.object))
	}
	f.Add(`{"a":1,"a":2}`)
	f.Fuzz(func(t *testing.T, object string) {
		for _, named := range []bool{false, true} {
			text, err := reductionsFor(named).reduced(nil, Request{Object: object, Namespace: "a\"\u2028"})
			if err != nil {
				continue
			}
			var before, after any
			if json.Unmarshal([]byte(object), &before) != nil {
				continue // text that gjson takes and encoding/json does not: refused before it is judged
			}
			if err := json.Unmarshal(text, &after); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if again := reducedOf(t, string(text), named); len(again) > len(text)+64 {
				t.Errorf("%s\nbecomes %s", text, again)
			}
			if !Valid(object) || reflect.TypeOf(before) != reflect.TypeOf(after) {
				t.Errorf("%s is judged as %s", object, text)
			}
		}
	})
}
