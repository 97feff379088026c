//go:build integration

package measure_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// ask asks for the namespace shop and gives what was measured and what was wrong.
func ask(t *testing.T, o measure.PrometheusOptions) (measure.Use, string) {
	t.Helper()
	use, err := source(t, o).Namespace(t.Context(), "shop", owned{"web-0": key("StatefulSet", "web")})
	if err == nil {
		return use, ""
	}
	return use, err.Error()
}

func says(t *testing.T, problem string, wanted ...string) {
	t.Helper()
	for _, text := range wanted {
		if !strings.Contains(problem, text) {
			t.Errorf("the problem does not say %q: %s", text, problem)
		}
	}
}

// web is one Pod at half a core.
func web() *history.History {
	h := history.New()
	runs(h, "web-0", "app", day, history.Constant(0.5))
	return h
}

// before puts a proxy in front of Prometheus.
func before(t *testing.T, s *history.Server, handle func(http.ResponseWriter, *http.Request, http.Handler)) string {
	t.Helper()
	target, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	next := httputil.NewSingleHostReverseProxy(target)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(w, r, next) }))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	use, problem := ask(t, measure.PrometheusOptions{URL: "http://" + listener.Addr().String()})
	says(t, problem, "http://"+listener.Addr().String(), "connection refused", "port right?")
	if len(use) != 0 {
		t.Error("something was measured")
	}
}

// What does not answer is waited for once, not once for each namespace.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	o := measure.PrometheusOptions{URL: silent.URL, Timeout: time.Millisecond}
	s := source(t, o)
	_, first := s.Namespace(t.Context(), "shop", owned{})
	if first == nil {
		t.Fatal("no problem")
	}
	says(t, first.Error(), "did not answer within", "--prometheus-timeout")
	silent.Close() // who asks again is refused
	_, second := s.Namespace(t.Context(), "other", owned{})
	if second == nil || second.Error() != first.Error() {
		t.Errorf("the second problem is not the first: %v", second)
	}
}

func TestEmptyAndPartial(t *testing.T) {
	t.Parallel()
	t.Run("empty", func(t *testing.T) {
		server := history.Start(t, history.New(), history.Options{})
		use, problem := ask(t, measure.PrometheusOptions{URL: server.URL})
		says(t, problem, "has no series container_cpu_usage_seconds_total", "in the last 2d", "/metrics/cadvisor")
		if len(use) != 0 {
			t.Error("something was measured")
		}
	})
	t.Run("no kube-state-metrics", func(t *testing.T) {
		h := history.New()
		h.Run(history.Container{
			Namespace: "shop", Pod: "web-0", Name: "app", ID: "web", From: h.Ago(day), To: h.End,
			CPU: history.Constant(0.5), Memory: history.Constant(mi), Throttled: -1,
		})
		server := history.Start(t, h, history.Options{})
		use, problem := ask(t, measure.PrometheusOptions{URL: server.URL})
		says(t, problem, "kube_pod_container_status_restarts_total", "is kube-state-metrics scraped?",
			"restarts and OOM kills")
		got := use[key("StatefulSet", "web")]["app"]
		near(t, "average CPU", got.CPUAverage, 0.5)
		if got.Restarts != -1 || got.OOMKills != -1 {
			t.Errorf("measured %+v", got)
		}
		_, err := source(t, measure.PrometheusOptions{URL: server.URL}).Namespace(t.Context(), "shop", owned{})
		if lacks, failed := measure.Lacks(err); len(lacks) != 1 || lacks[0] != problem || len(failed) != 0 {
			t.Errorf("lacks %q, and %v failed", lacks, failed)
		}

		_, problem = ask(t, measure.PrometheusOptions{URL: server.URL, Matchers: []string{`cluster="b"`}})
		says(t, problem, "has no series", `that match cluster="b"`)
	})
	t.Run("two clusters", func(t *testing.T) {
		h := history.New()
		for i, name := range []string{"a", "b"} {
			h.Run(history.Container{
				Namespace: "shop", Pod: "web-0", Name: "app", ID: name, From: h.Ago(day), To: h.End,
				CPU: history.Constant(float64(i + 1)), Memory: history.Constant(mi), Throttled: -1,
				Labels: history.Labels{"cluster": name},
			})
		}
		server := history.Start(t, h, history.Options{})
		use, problem := ask(t, measure.PrometheusOptions{URL: server.URL})
		says(t, problem, "series of 2 clusters (a, b)", `--prometheus-matcher 'cluster="a"'`)
		if len(use) != 0 {
			t.Error("two clusters were mixed up")
		}
		use, _ = ask(t, measure.PrometheusOptions{URL: server.URL, Matchers: []string{`cluster="b"`}})
		near(t, "average CPU", use[key("StatefulSet", "web")]["app"].CPUAverage, 2)
	})
}

// Everything that can stand between us and a Prometheus that is sound.
func TestInBetween(t *testing.T) {
	t.Parallel()
	server := history.Start(t, web(), history.Options{})
	for name, test := range map[string]func(*testing.T, *history.Server){
		"token": token, "too slow": tooSlow, "partial answers": partialAnswers, "endless answer": endlessAnswer,
		"too often": tooOften,
		"not TLS": func(t *testing.T, server *history.Server) {
			_, problem := ask(t, measure.PrometheusOptions{URL: strings.Replace(server.URL, "http", "https", 1)})
			says(t, problem, "does not speak TLS")
		},
	} {
		t.Run(name, func(t *testing.T) { test(t, server) })
	}
}

// A token is wanted, and one in a file may change between two requests.
func token(t *testing.T, server *history.Server) {
	const secret = "s3cret-token"
	valid := secret
	proxied := before(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		switch {
		case r.Header.Get("Authorization") != "Bearer "+valid:
			http.Error(w, "who are you, "+r.Header.Get("Authorization")+"?", http.StatusUnauthorized)
		case r.Header.Get("X-Scope-OrgID") != "team-a":
			http.Error(w, "not yours", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
	tenant := map[string]string{"X-Scope-OrgID": "team-a"}
	_, problem := ask(t, measure.PrometheusOptions{URL: proxied})
	says(t, problem, "401", "--prometheus-token-file")
	_, problem = ask(t, measure.PrometheusOptions{URL: proxied, Token: "wrong-" + secret})
	says(t, problem, "401")
	if strings.Contains(problem, secret) {
		t.Errorf("the problem tells the token: %s", problem)
	}
	_, problem = ask(t, measure.PrometheusOptions{URL: proxied, Token: secret})
	says(t, problem, "403", "--prometheus-header")
	use, problem := ask(t, measure.PrometheusOptions{URL: proxied, Token: secret, Headers: tenant})
	if problem != "" || len(use) != 1 {
		t.Errorf("measured %v: %s", use, problem)
	}

	file := filepath.Join(t.TempDir(), "token")
	for _, valid = range []string{"first", "second"} {
		if err := os.WriteFile(file, []byte(valid+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		use, problem := ask(t, measure.PrometheusOptions{URL: proxied, TokenFile: file, Token: "not this", Headers: tenant})
		if problem != "" || len(use) != 1 {
			t.Errorf("measured %v: %s", use, problem)
		}
	}

	// A redirect would take the query's body, and the token, elsewhere.
	elsewhere := before(t, server, func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, "https://login.example/?from=prometheus", http.StatusFound)
	})
	_, problem = ask(t, measure.PrometheusOptions{URL: elsewhere, Token: secret})
	says(t, problem, "redirects elsewhere (302)")
	page := before(t, server, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		fmt.Fprint(w, "<html>\x1b[31mSign in</html>")
	})
	_, problem = ask(t, measure.PrometheusOptions{URL: page})
	says(t, problem, "not Prometheus' API", "login page")
	_, problem = ask(t, measure.PrometheusOptions{URL: server.URL + "/elsewhere"})
	says(t, problem, "404", "lack a path")
}

// TLS is Prometheus' own.
func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	roots := certificate(t, dir)
	server := history.Start(t, web(), history.Options{
		Scheme: "https",
		Web: fmt.Sprintf("tls_server_config: {cert_file: %s, key_file: %s}\n",
			filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")),
		Client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}},
	})
	_, problem := ask(t, measure.PrometheusOptions{URL: server.URL})
	says(t, problem, "authority that is not trusted", "--prometheus-ca-file")
	ca := filepath.Join(dir, "cert.pem")
	for _, o := range []measure.PrometheusOptions{
		{URL: server.URL, CAFile: ca},
		{URL: server.URL, Insecure: true},
	} {
		use, problem := ask(t, o)
		if problem != "" || len(use) != 1 {
			t.Errorf("measured %v: %s", use, problem)
		}
	}
	byName := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	_, problem = ask(t, measure.PrometheusOptions{URL: byName, CAFile: ca})
	says(t, problem, "certificate for another name", "localhost")
	_, problem = ask(t, measure.PrometheusOptions{URL: strings.Replace(server.URL, "https", "http", 1)})
	says(t, problem, "want https")
}

// certificate writes one for 127.0.0.1 that signs itself.
func certificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "prometheus"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	for name, content := range map[string][]byte{
		"cert.pem": text, "key.pem": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return pool
}
