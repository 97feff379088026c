//go:build system

package requests

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/webhook"
)

// trust is TLS as the API server speaks it to the webhook.
func trust(t *testing.T) *tls.Config {
	t.Helper()
	configuration, err := cluster.Client.AdmissionregistrationV1().
		MutatingWebhookConfigurations().Get(t.Context(), plane.Release, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(configuration.Webhooks[0].ClientConfig.CABundle) {
		t.Fatal("caBundle holds no certificate")
	}
	return &tls.Config{RootCAs: pool, ServerName: plane.WebhookName + "." + plane.ReleaseNamespace + ".svc"}
}

// patience is how long an answer may take that a bound of the webhook cuts short: on any machine.
const patience = 10 * time.Minute

func directly(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: trust(t), DisableKeepAlives: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: patience}
}

// review is what the API server would send about the creation of a Pod.
func review(namespace string, object []byte) []byte {
	return fmt.Appendf(nil, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",`+
		`"kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},`+
		`"namespace":%q,"operation":"CREATE","userInfo":{"username":"me"},"object":%s,"oldObject":null,"dryRun":false}}`,
		namespace, object)
}

// ask sends a review to a replica, straight.
func ask(t *testing.T, path, namespace string, object []byte) *admissionv1.AdmissionResponse {
	t.Helper()
	response, err := directly(t).Post("https://"+cluster.Replicas()[0].Webhook+path, "application/json",
		bytes.NewReader(review(namespace, object)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answered admissionv1.AdmissionReview
	if json.Unmarshal(text, &answered) != nil || answered.Response == nil || answered.Response.UID != "u-1" {
		t.Fatalf("%s: %s", response.Status, text)
	}
	return answered.Response
}

// F18: bodies, headers and media types that no API server sends get a bounded answer; the process lives, and the API server is served meanwhile.
func TestF18WhatNoAPIServerSends(t *testing.T) {
	undisturbed(t)
	namespace := cluster.Namespace(t, enforce, mutate)
	meanwhile := others(t, namespace)
	good := review(namespace, []byte(text(t, wrong("a"))))
	whole := func(body []byte) func() io.Reader {
		return func() io.Reader { return bytes.NewReader(body) }
	}
	spaces := bytes.Repeat([]byte(" "), 8<<20)
	as := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for i, c := range []struct {
		name  string
		alter func(*http.Request)
		body  func() io.Reader
		want  int
	}{
		{"a body of 8 MiB", nil, whole(spaces), 413},
		{"a body of 8 MiB of unknown length", nil, func() io.Reader { return io.MultiReader(bytes.NewReader(spaces)) }, 413},
		{"a body that never ends", nil, func() io.Reader { return forever{} }, 413},
		{"a header of 1 MB", as("X-Long", strings.Repeat("a", 1<<20)), whole(good), 431},
		{"a hundred thousand headers", func(r *http.Request) {
			for i := range 100_000 {
				r.Header["X-"+itoa(i)] = []string{"a"}
			}
		}, whole(good), 431},
		{"a path of 1 MB", func(r *http.Request) { r.URL.RawQuery = strings.Repeat("a", 1<<20) }, whole(good), 431},
		{"another media type", as("Content-Type", "text/plain"), whole(good), 415},
		{"protobuf", as("Content-Type", "application/vnd.kubernetes.protobuf"), whole([]byte("k8s\x00")), 415},
		{"no media type", func(r *http.Request) { r.Header.Del("Content-Type") }, whole(good), 415},
		{"a compressed body", as("Content-Encoding", "gzip"), whole([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00")), 400},
		{"half a body", nil, whole(good[:len(good)/2]), 400},
		{"another method", func(r *http.Request) { r.Method = http.MethodDelete }, whole(good), 405},
		{"another path", func(r *http.Request) { r.URL.Path = "/debug/pprof/heap" }, whole(good), 404},
	} {
		for j, path := range []string{webhook.PathMutate, webhook.PathValidate, webhook.PathValidateEnforce} {
			replicas := cluster.Replicas()
			at := "https://" + replicas[(i+j)%len(replicas)].Webhook + path
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, c.body())
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			if c.alter != nil {
				c.alter(request)
			}
			response, err := directly(t).Do(request)
			if err != nil {
				// A server that has answered does not read on; the sender may see that first.
				if cut := strings.Contains(err.Error(), "reset by peer") || strings.Contains(err.Error(), "broken pipe"); !cut {
					t.Errorf("%s to %s: %v", c.name, path, err)
				}
			} else {
				answer, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || len(answer) > 4096 || response.StatusCode != c.want {
					t.Errorf("%s to %s: %s, %d bytes, want %d: %.200s", c.name, path, response.Status, len(answer), c.want, answer)
				}
			}
		}
	}
	meanwhile()
}

// others creates wrong Pods through the API server until the function is called that it
// returns, which fails the test for each that is not fixed.
func others(t *testing.T, namespace string) func() {
	t.Helper()
	stop, done := make(chan struct{}), make(chan []string)
	c := client(t)
	go func() {
		var bad []string
		count, slowest := 0, time.Duration(0)
		for {
			began := time.Now()
			a := create(t.Context(), c, namespace, wrong("other"), true)
			slowest = max(slowest, time.Since(began))
			count++
			if a.err != nil || a.pod.Annotations[applied] == "" {
				bad = append(bad, fmt.Sprint(a.err))
			}
			select {
			case <-stop:
				t.Logf("meanwhile %d Pods, the slowest after %s", count, slowest.Round(time.Millisecond))
				done <- bad
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() {
		close(stop)
		if bad := <-done; len(bad) > 0 {
			t.Errorf("meanwhile %d Pods went wrong: %s", len(bad), bad[0])
		}
	}
}

type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func text(t testing.TB, object any) string {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
