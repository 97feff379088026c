//go:build integration

package diagnose_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/diagnose"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

const (
	gone = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \"x\" not found",` +
		`"reason":"NotFound","code":404}`
	pending = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"cart-0","namespace":"shop"},` +
		`"spec":{"containers":[{"name":"app","image":"example.com/cart:1","resources":{"limits":{"memory":"1Gi"}}}]},` +
		`"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable",` +
		`"message":"0/1 nodes are available: 1 Insufficient memory."}]}}`
)

// server is an API server that knows one Pod, and on which no command may be run.
func server(t *testing.T) *rest.Config {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		text := pending
		if r.URL.Path != "/api/v1/namespaces/shop/pods/cart-0" {
			w.WriteHeader(http.StatusNotFound)
			text = gone
		}
		if strings.HasSuffix(r.URL.Path, "/exec") {
			t.Errorf("%s is asked for", r.URL)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return &rest.Config{Host: s.URL}
}

func TestNoSuchPod(t *testing.T) {
	_, err := diagnose.Live(t.Context(), defaults.Engine(t), server(t),
		diagnose.Target{Namespace: "shop", Pod: "cart-1"}, diagnose.Options{})
	want := "there is no Pod cart-1 in namespace shop: kubectl get pods -n shop lists those that are there"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A Pod without a node has no container to run a command in, and its status was read all the same.
func TestPendingPod(t *testing.T) {
	r, err := diagnose.Live(t.Context(), defaults.Engine(t), server(t),
		diagnose.Target{Namespace: "shop", Pod: "cart-0"}, diagnose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := diagnose.WriteTable(&table, []*diagnose.Report{r}, false, 100); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(table.String()), " ")
	for _, want := range []string{
		"Pod shop/cart-0, container app pending",
		"Pod cart-0 is pending: it runs nowhere yet, so that nothing could be read in it. The scheduler says: " +
			"0/1 nodes are available: 1 Insufficient memory.",
		"kubectl get pod cart-0 -n shop -o yaml | headroom lint -",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("does not say %q:\n%s", want, table.String())
		}
	}
	if len(r.Problems) > 0 || strings.Contains(text, "status was not read") {
		t.Errorf("problems %q:\n%s", r.Problems, table.String())
	}
}
