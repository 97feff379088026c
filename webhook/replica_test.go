//go:build integration

package webhook

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

var apiServer *apitest.Server

func TestMain(m *testing.M) {
	os.Exit(apitest.Run(m, func(s *apitest.Server) error {
		apiServer = s
		_, err := NewLogger(io.Discard, "error") // what the libraries log
		return err
	}))
}

// replica is a running webhook.
type replica struct {
	ca                       *tlstest.CA
	dir                      string
	address, probes, metrics string
	log                      *lines
	terminate                context.CancelFunc
	done                     chan error
}

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// find gives the first line with a message.
func (l *lines) find(message string) map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	for scanner := bufio.NewScanner(bytes.NewReader(l.text.Bytes())); scanner.Scan(); {
		var line map[string]any
		err := json.Unmarshal(scanner.Bytes(), &line)
		if err == nil && strings.Contains(fmt.Sprint(line["msg"]), message) {
			return line
		}
	}
	return nil
}

// launch starts a replica with a certificate of the CA; nil leaves it without one.
func launch(t *testing.T, ca *tlstest.CA, change func(*Options)) *replica {
	t.Helper()
	r := &replica{ca: ca, dir: t.TempDir(), log: &lines{}, done: make(chan error, 1)}
	if ca != nil {
		ca.Write(t, r.dir, tlstest.Leaf{})
	}
	handler, err := newHandler(r.log, "info")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Listen: "127.0.0.1:0", MetricsListen: "127.0.0.1:0", ProbeListen: "127.0.0.1:0", CertDir: r.dir,
		Namespace: "headroom-system", DefaultMode: "warn", CacheEntries: 100, Cluster: apiServer.Config,
		Log: logr.FromSlogHandler(handler),
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.terminate = cancel
	go func() { r.done <- Run(ctx, o) }()
	t.Cleanup(func() { cancel(); <-r.done })
	var started map[string]any
	wait.For(t, "the start", func() bool { started = r.log.find("started"); return started != nil })
	r.address, r.probes, r.metrics = started["listen"].(string), started["probes"].(string), started["metrics"].(string)
	return r
}

// ready launches a replica and waits until it is ready.
func ready(t *testing.T, change func(*Options)) *replica {
	t.Helper()
	r := launch(t, tlstest.NewCA(t), change)
	wait.For(t, "readiness", func() bool { return r.status("/readyz") == http.StatusOK })
	return r
}

func (r *replica) status(path string) int {
	response, err := http.Get("http://" + r.probes + path)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func (r *replica) metric(t *testing.T, name string) string {
	t.Helper()
	response, err := http.Get("http://" + r.metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
		if value, ok := strings.CutPrefix(scanner.Text(), name+" "); ok {
			return value
		}
	}
	return ""
}

// client is one as the API server has: it keeps connections.
func (r *replica) client() *http.Client {
	return &http.Client{Timeout: 10 * time.Minute, Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: r.ca.Pool, ServerName: "localhost"},
		MaxIdleConnsPerHost: 100,
	}}
}

const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1",
"kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},
"namespace":"default","operation":"CREATE","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",
"annotations":{"headroom.dev/workload-class":"latency-sensitive"}},"spec":{"containers":[{"name":"app",
"image":"example.com/app:1","resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}}]}}}}`

// ask has the Pod of the review validated and gives the answer.
func ask(client *http.Client, address string) (string, error) {
	response, err := client.Post("https://"+address+PathValidate, "application/json", strings.NewReader(review))
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"allowed":true`) {
		return "", fmt.Errorf("%s: %s", response.Status, body)
	}
	return string(body), nil
}
