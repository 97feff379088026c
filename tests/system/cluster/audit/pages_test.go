//go:build system

package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit"
)

// between is a rest.Config whose requests a test may look at, answer or let wait.
func between(do func(request *http.Request, next http.RoundTripper) (*http.Response, error)) *rest.Config {
	config := rest.CopyConfig(cluster.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(request *http.Request) (*http.Response, error) { return do(request, next) })
	})
	return config
}

type tripper func(*http.Request) (*http.Response, error)

func (t tripper) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

// lists says whether a request lists this resource.
func lists(request *http.Request, resource string) bool {
	return strings.HasSuffix(request.URL.Path, "/"+resource)
}

func several(t *testing.T, count int) (namespace string, want []string) {
	t.Helper()
	namespace = cluster.Namespace(t)
	manifest := ""
	for i := range count {
		name := fmt.Sprintf("web-%02d", i)
		manifest += workload("Deployment", name, "replicas: 0")
		want = append(want, "Deployment/"+name+" ×0")
	}
	apply(t, namespace, manifest)
	return namespace, want
}

// A token that has expired: the API server says how to go on, and nothing counts twice.
func TestExpiredList(t *testing.T) {
	namespace, want := several(t, 12)
	for _, keepsToken := range []bool{true, false} {
		var pages, expired atomic.Int32
		config := between(func(request *http.Request, next http.RoundTripper) (*http.Response, error) {
			if !lists(request, "deployments") {
				return next.RoundTrip(request)
			}
			if pages.Add(1) == 3 {
				// etcd forgets what was, and so does an API server that starts anew: the next page is not
				// there any more. A change makes the revision another than the list's.
				cluster.Must(t, "label", "-n", namespace, "deployment/web-00", "--overwrite",
					fmt.Sprintf("changed=%t", keepsToken))
				if err := forget(request.Context()); err != nil {
					t.Error(err)
				}
			}
			response, err := next.RoundTrip(request)
			if err == nil && response.StatusCode == http.StatusGone {
				expired.Add(1)
				if !keepsToken {
					_ = response.Body.Close()
					response.Body = http.NoBody
				}
			}
			return response, err
		})
		r := sound(t, run(t, audit.Options{Config: config, Namespaces: []string{namespace}, PageSize: 4}))
		if expired.Load() == 0 {
			t.Error("the API server did not say that the list has expired")
		}
		if got := workloads(r); !slices.Equal(got, want) {
			t.Errorf("with a token to go on %t: %d of %d: %q", keepsToken, len(got), len(want), got)
		}
		if r.Summary.Documents != len(want)+1 { // the Namespace
			t.Errorf("%d documents", r.Summary.Documents)
		}
	}
}

func forget(ctx context.Context) error {
	if err := cluster.Compact(ctx); err != nil {
		return err
	}
	cluster.APIServer.Stop(5 * time.Second)
	if err := cluster.APIServer.Start(); err != nil {
		return err
	}
	return cluster.WaitHealthy(ctx)
}

// A page that breaks off is asked for again, and counts once.
func TestBrokenPage(t *testing.T) {
	namespace, want := several(t, 7)
	var broken atomic.Int32
	config := between(func(request *http.Request, next http.RoundTripper) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil && lists(request, "deployments") && broken.Add(1)%2 == 0 {
			response.Body = &breaking{ReadCloser: response.Body, left: 3000}
		}
		return response, err
	})
	r := sound(t, run(t, audit.Options{Config: config, Namespaces: []string{namespace}, PageSize: 3}))
	if got := workloads(r); !slices.Equal(got, want) {
		t.Errorf("%d of %d: %q", len(got), len(want), got)
	}
}

// An API server that is away for good after some pages: what was read is reported, and what
// was not is named.
func TestFailingMidway(t *testing.T) {
	namespace, _ := several(t, 6)
	for _, failure := range []struct{ name, want string }{
		{"refused", "connection refused"},
		{"internal", "internal error"},
	} {
		var pages atomic.Int32
		config := between(func(request *http.Request, next http.RoundTripper) (*http.Response, error) {
			if lists(request, "deployments") {
				pages.Add(1)
			}
			if pages.Load() < 2 {
				return next.RoundTrip(request)
			}
			if failure.name == "refused" {
				return nil, errors.New("connection refused")
			}
			return answer(request, http.StatusInternalServerError,
				`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"internal error","code":500}`), nil
		})
		r := run(t, audit.Options{Config: config, Namespaces: []string{namespace}, PageSize: 4})
		if got := workloads(r); len(got) != 4 {
			t.Errorf("%s: %q are reported, want the first page", failure.name, got)
		}
		said := problems(r)
		if !strings.Contains(said, failure.want) || !strings.Contains(said, "deployments.apps") ||
			!strings.Contains(said, "replicasets.apps") {
			t.Errorf("%s: %s", failure.name, said)
		}
	}
}

// What is deleted after it was listed is named, and the rest is judged. Pods that are read at the beginning, and are gone by
// the time that they would be judged, are left out.
func TestDeletedWhileListed(t *testing.T) {
	t.Run("read at the beginning", func(t *testing.T) { deletedWhileListed(t, "", "") })
	t.Run("listed again", func(t *testing.T) {
		deletedWhileListed(t, "!none", "Pod %s/pod-1 was deleted before it could be judged")
	})
}

func deletedWhileListed(t *testing.T, selector, want string) {
	namespace := cluster.Namespace(t)
	manifest := ""
	for i := range 3 {
		manifest += bare(fmt.Sprintf("pod-%d", i), "Always", "")
	}
	// So many that are managed that the others are read one by one.
	apply(t, namespace, manifest+workload("Deployment", "web", "replicas: 30"))
	cluster.Pods(t, namespace, "app=web", 30)
	config := between(func(request *http.Request, next http.RoundTripper) (*http.Response, error) {
		if strings.HasSuffix(request.URL.Path, "/pods/pod-1") {
			zero := int64(0)
			_ = cluster.Client.CoreV1().Pods(namespace).Delete(request.Context(), "pod-1",
				metav1.DeleteOptions{GracePeriodSeconds: &zero})
		}
		return next.RoundTrip(request)
	})
	r := run(t, audit.Options{Config: config, Namespaces: []string{namespace}, Selector: selector})
	left := []string{"Deployment/web ×30", "Pod/pod-0 ×1", "Pod/pod-2 ×1"}
	if got := workloads(r); !slices.Equal(got, left) {
		t.Errorf("%q, want %q", got, left)
	}
	if said := problems(r); said != strings.Replace(want, "%s", namespace, 1) {
		t.Errorf("problems: %s", said)
	}
}
