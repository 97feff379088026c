package cluster

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func kindNamed(t *testing.T, name string) Kind {
	t.Helper()
	for _, k := range Kinds {
		if k.Kind == name {
			return k
		}
	}
	t.Fatalf("no kind %s", name)
	return Kind{}
}

func TestReplicasAndEnds(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		replicas   int
		finished   bool
	}{
		{"Deployment", `{"spec":{"replicas":3}}`, 3, false},
		{"Deployment", `{"spec":{}}`, 1, false},
		{"StatefulSet", `{"spec":{"replicas":0}}`, 0, false},
		{"DaemonSet", `{"spec":{},"status":{"desiredNumberScheduled":7}}`, 7, false},
		{"CronJob", `{"spec":{},"status":{"active":[{"name":"a"},{"name":"b"}]}}`, 2, false},
		{"Job", `{"spec":{"parallelism":5},"status":{"active":4}}`, 4, false},
		{"Job", `{"spec":{},"status":{"conditions":[{"type":"Complete","status":"True"}]}}`, 0, true},
		{"Job", `{"spec":{},"status":{"conditions":[{"type":"Failed","status":"True"}]}}`, 0, true},
		{"Job", `{"spec":{},"status":{"active":1,"conditions":[{"type":"Failed","status":"False"}]}}`, 1, false},
		{"Pod", `{"spec":{},"status":{"phase":"Running"}}`, 1, false},
		{"Pod", `{"spec":{},"status":{"phase":"Succeeded"}}`, 1, true},
		{"Pod", `{"spec":{},"status":{"phase":"Failed"}}`, 1, true},
	} {
		o, err := readObject(strings.NewReader(c.text), kindNamed(t, c.kind))
		if err != nil || o.Replicas != c.replicas || o.Finished != c.finished {
			t.Errorf("%s %s: %d replicas, finished %t, %v", c.kind, c.text, o.Replicas, o.Finished, err)
		}
	}
}

// What the policies read of an object is kept, and nothing else.
func TestManifest(t *testing.T) {
	text := `{"apiVersion":"ignored","metadata":{"name":"web","namespace":"shop","uid":"u","managedFields":[{"a":1}],
		"labels":{"app":"web"},"annotations":{"headroom.dev/workload-class":"batch",
		"kubectl.kubernetes.io/last-applied-configuration":"{}"},
		"ownerReferences":[{"apiVersion":"v1","kind":"Config","name":"no","uid":"1"},
		{"apiVersion":"example.com/v1","kind":"App","name":"yes","uid":"2","controller":true}]},
		"spec":{"replicas":2,"template":{}},"status":{"replicas":2}}`
	o, err := readObject(strings.NewReader(text), kindNamed(t, "Deployment"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{
			"name": "web", "namespace": "shop", "labels": map[string]any{"app": "web"},
			"annotations": map[string]any{"headroom.dev/workload-class": "batch"},
			"ownerReferences": []any{map[string]any{
				"apiVersion": "example.com/v1", "kind": "App", "name": "yes", "controller": true,
			}},
		},
		"spec": map[string]any{"replicas": 2.0, "template": map[string]any{}},
	}
	if !reflect.DeepEqual(o.Manifest, want) {
		t.Errorf("%v, want %v", o.Manifest, want)
	}
	again, err := FromManifest(o.Kind, o.Manifest)
	if err != nil || !reflect.DeepEqual(again.Manifest, want) || again.Replicas != 2 {
		t.Errorf("from a manifest %v, %v", again, err)
	}
}

func TestLists(t *testing.T) {
	k := kindNamed(t, "Deployment")
	p, err := readList(strings.NewReader(`{"kind":"DeploymentList","metadata":{"resourceVersion":"7","continue":"more"},
		"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}`), k)
	if err != nil || len(p.items) != 2 || p.next != "more" || p.version != "7" || p.items[1].Name != "b" {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := readList(strings.NewReader(`{"items":null,"metadata":{}}`), k); err != nil || len(p.items) != 0 {
		t.Errorf("an empty list: %+v, %v", p, err)
	}
	for _, text := range []string{"", "{", `{"items":[`, `{"items":[{"metadata":{"name":"a"}}`, `{"items":[{"metadata"`} {
		if _, err := readList(strings.NewReader(text), k); !errors.Is(err, errCut) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"[]", "7", `{"items":[{"metadata":7}]}`, `{"items":[{"status":7}]}`} {
		if _, err := readList(strings.NewReader(text), k); err == nil || errors.Is(err, errCut) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// No name leads to another resource: the author of a workload chooses the ConfigMap's name.
func TestNamesAreNoPaths(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.EscapedPath())
		http.NotFound(w, r)
	}))
	defer server.Close()
	r, err := New(Options{Config: &rest.Config{Host: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	v := NewVariables(r, nil)
	names := []string{"../secrets/hidden", "..", ".", "", "a/b", "a%2fb", "%2e%2e"}
	if found, err := v.Named(context.Background(), "shop", names); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	if len(asked) > 0 {
		t.Errorf("asked for %q", asked)
	}
	if _, err := v.Named(context.Background(), "shop", []string{"flags", "flags"}); err != nil {
		t.Error(err)
	}
	if len(asked) != 1 || asked[0] != "/api/v1/namespaces/shop/configmaps/flags" {
		t.Errorf("asked for %q", asked)
	}
}
