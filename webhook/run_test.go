//go:build integration

package webhook

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/certificates"
	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

func TestServes(t *testing.T) {
	r := ready(t, nil)
	answer, err := ask(r.client(), r.address)
	if err != nil || !strings.Contains(answer, "[HR202]") {
		t.Errorf("%s %v", answer, err)
	}
	if r.status("/healthz") != http.StatusOK {
		t.Error("not healthy")
	}
	if r.metric(t, `headroom_decisions_total{operation="validate",verdict="warned"}`) != "1" {
		t.Error("the decision was not counted")
	}
	if r.metric(t, "headroom_certificate_expiry_timestamp_seconds") == "0" {
		t.Error("no expiry of the certificate")
	}
	for _, path := range []string{"/debug/pprof/", "/"} {
		response, err := http.Get("http://" + r.metrics + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
	for _, path := range []string{"/", "/metrics", "/mutate"} { // by GET
		response, err := r.client().Get("https://" + r.address + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode < http.StatusBadRequest {
			t.Errorf("GET %s: %s", path, response.Status)
		}
	}
}

// With MetricsCertDir the metrics port refuses clients without a certificate, and readiness does not depend on it.
func TestMetricsAskForACertificate(t *testing.T) {
	scrapers, dir := tlstest.NewCA(t), t.TempDir()
	r := ready(t, func(o *Options) { o.MetricsCertDir = dir })
	read := func(signer *tlstest.CA, scheme string) error {
		config := &tls.Config{RootCAs: r.ca.Pool, ServerName: "localhost"}
		if signer != nil {
			config.Certificates = []tls.Certificate{signer.Certificate(t, tlstest.Leaf{})}
		}
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
		response, err := client.Get(scheme + "://" + r.metrics + "/metrics")
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	}
	if read(scrapers, "https") == nil {
		t.Error("answers before there is a certificate")
	}
	r.ca.Write(t, dir, tlstest.Leaf{})
	tlstest.File(t, filepath.Join(dir, certificates.ClientCAFile), scrapers.PEM)
	wait.For(t, "metrics with TLS", func() bool { return read(scrapers, "https") == nil })
	if read(nil, "https") == nil || read(r.ca, "https") == nil || read(nil, "http") == nil {
		t.Error("answers who shows no certificate of that CA")
	}
}

// W6, W7 and W42, on the server as it runs.
func TestSpeaksOnlyTLSAndHTTP1(t *testing.T) {
	r := ready(t, nil)
	client := r.client()
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	response, err := client.Post("https://"+r.address+PathValidate, "application/json", strings.NewReader(review))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	state := response.TLS
	if response.ProtoMajor != 1 || state.NegotiatedProtocol != "http/1.1" || state.Version != tls.VersionTLS13 {
		t.Errorf("%s, negotiated %q, TLS %x", response.Proto, state.NegotiatedProtocol, state.Version)
	}
	old := client.Transport.(*http.Transport).TLSClientConfig.Clone()
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	if _, err := tls.Dial("tcp", r.address, old); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	if response, err := http.Get("http://" + r.address + PathValidate); err == nil {
		_ = response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Error("without TLS:", response.Status)
		}
	}
}

// F11: a pair that cannot be read is counted, and the previous one is served.
func TestBrokenCertificateIsCounted(t *testing.T) {
	r := ready(t, nil)
	const name = "certwatcher_read_certificate_errors_total"
	before := r.metric(t, name)
	tlstest.File(t, filepath.Join(r.dir, "tls.key"), []byte("-----BEGIN"))
	wait.For(t, "the broken key to be counted", func() bool { return r.metric(t, name) != before })
	if _, err := ask(r.client(), r.address); err != nil {
		t.Error(err)
	}
	if r.status("/readyz") != http.StatusOK {
		t.Error("not ready, though a good certificate is served")
	}
}

func TestReadiness(t *testing.T) {
	ca := tlstest.NewCA(t)
	r := launch(t, nil, func(o *Options) { o.Service = "headroom-webhook" })
	turns := func(what string, status int) {
		t.Helper()
		wait.For(t, what, func() bool { return r.status("/readyz") == status })
	}
	turns("no certificate: not ready", http.StatusServiceUnavailable)
	name := []string{"headroom-webhook.headroom-system.svc"}
	ca.Write(t, r.dir, tlstest.Leaf{Names: name})
	turns("a certificate: ready", http.StatusOK)
	ca.Write(t, r.dir, tlstest.Leaf{Names: name, NotAfter: time.Now().Add(-time.Minute)})
	turns("expired: not ready", http.StatusServiceUnavailable)
	ca.Write(t, r.dir, tlstest.Leaf{})
	ca.Write(t, r.dir, tlstest.Leaf{Names: name})
	turns("renewed: ready", http.StatusOK)
	ca.Write(t, r.dir, tlstest.Leaf{Names: []string{"other.headroom-system.svc"}})
	turns("another name: not ready", http.StatusServiceUnavailable)
	if r.status("/healthz") != http.StatusOK {
		t.Error("what a restart does not cure must not restart it")
	}
}

func TestWithoutAnAPIServer(t *testing.T) {
	r := launch(t, tlstest.NewCA(t), func(o *Options) { o.Cluster = &rest.Config{Host: "https://127.0.0.1:1"} })
	time.Sleep(200 * time.Millisecond)
	if r.status("/healthz") != http.StatusOK || r.status("/readyz") != http.StatusServiceUnavailable {
		t.Errorf("healthz %d, readyz %d", r.status("/healthz"), r.status("/readyz"))
	}
}

func TestWhatItDoesNotStartWith(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "headroom.yaml")
	tlstest.File(t, bad, []byte("nonsense: true\n"))
	o := Options{
		Listen: "127.0.0.1:0", MetricsListen: "127.0.0.1:0", ProbeListen: "127.0.0.1:0", CertDir: dir,
		Cluster: apiServer.Config, Log: logr.Discard(), DefaultMode: "warn",
	}
	refused := o
	refused.ConfigFile = bad
	if err := Run(t.Context(), refused); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("a bad config: %v", err)
	}
	taken := o
	taken.MetricsListen = "256.0.0.1:0"
	if err := Run(t.Context(), taken); err == nil {
		t.Error("an address that does not exist")
	}
	if _, err := NewLogger(io.Discard, "loud"); err == nil {
		t.Error("a level that does not exist")
	}
}
