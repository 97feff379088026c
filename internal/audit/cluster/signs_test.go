package cluster

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

// Of what stands beside workloads the policies get what they read, and no more.
func TestSigns(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       map[string]any
	}{
		{
			"Service", `{"metadata":{"name":"a"},"spec":{"selector":{"app":"a"},"sessionAffinity":"None"}}`,
			map[string]any{"spec": map[string]any{"selector": map[string]any{"app": "a"}}},
		},
		{
			"VerticalPodAutoscaler",
			`{"metadata":{"name":"a"},"spec":{"targetRef":{"name":"a"},"recommenders":[],"startupBoost":{}},"status":{}}`,
			map[string]any{"spec": map[string]any{"targetRef": map[string]any{"name": "a"}, "startupBoost": map[string]any{}}},
		},
		{
			"StartupCPUBoost", `{"metadata":{"name":"a"},"selector":{"matchLabels":{}},"spec":{"resourcePolicy":{},"durationPolicy":{}}}`,
			map[string]any{
				"selector": map[string]any{"matchLabels": map[string]any{}}, "spec": map[string]any{"resourcePolicy": map[string]any{}},
			},
		},
	} {
		c.want["kind"], c.want["metadata"] = c.kind, map[string]any{"name": "a"}
		o, err := readObject(strings.NewReader(c.text), Kind{Kind: c.kind})
		if err != nil {
			t.Fatal(err)
		}
		if got := Sign(o); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, not %v", c.kind, got, c.want)
		}
	}
}

// Who may not list a kind is told so whether there is one or not: the group's version tells.
func TestServed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/apis/autoscaling.k8s.io/v1":
			_, _ = w.Write([]byte(`{}`))
		case "/apis/autoscaling/v2":
			w.WriteHeader(http.StatusForbidden)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	reader, err := New(Options{Config: &rest.Config{Host: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"HorizontalPodAutoscaler": true, "VerticalPodAutoscaler": true, "StartupCPUBoost": false}
	for _, sign := range Signs {
		if served := reader.Served(t.Context(), sign.Kind); sign.Scale && served != want[sign.Kind.Kind] {
			t.Errorf("%s: %t", sign.Kind.Kind, served)
		}
	}
}
