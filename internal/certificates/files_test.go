package certificates

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

// record is a log that counts what is said.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) logger() logr.Logger {
	return funcr.New(func(_, args string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.lines = append(r.lines, args)
	}, funcr.Options{Verbosity: 1})
}

func (r *record) count(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, line := range r.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

func TestDefaults(t *testing.T) {
	c := New(Options{})
	if c.options.Interval != checkInterval || c.now == nil {
		t.Errorf("%+v", c.options)
	}
	c.options.Expires(time.Now()) // of no interest to anybody
	var told time.Time
	c = New(Options{Interval: time.Nanosecond, Expires: func(at time.Time) { told = at }})
	if c.options.Expires(time.Unix(7, 0)); c.options.Interval != time.Nanosecond || told.Unix() != 7 {
		t.Errorf("%+v, %s", c.options, told)
	}
}

// What goes wrong again and again is said once, and what is read once, too.
func TestLogsSayThingsOnce(t *testing.T) {
	dir, ca, log := t.TempDir(), tlstest.NewCA(t), &record{}
	clients := filepath.Join(dir, "clients.crt")
	var mu sync.Mutex
	var expires []time.Time
	c := New(Options{
		Dir: dir, ClientCA: clients, DNSName: "other", Interval: time.Millisecond, Log: log.logger(),
		Expires: func(at time.Time) { mu.Lock(); defer mu.Unlock(); expires = append(expires, at) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Start(ctx) }()
	says := func(text string) {
		t.Helper()
		wait.For(t, text, func() bool { return log.count(text) > 0 })
		time.Sleep(5 * time.Millisecond)
		if n := log.count(text); n != 1 {
			t.Errorf("%q is said %d times", text, n)
		}
	}
	says(`"waiting for the serving certificate" "directory"`)
	says(`"client CA not loaded"`)
	ca.Write(t, dir, tlstest.Leaf{})
	says(`"serving certificate loaded" "names"=["localhost"`)
	says(`the API server will not accept the serving certificate`)
	tlstest.File(t, clients, []byte("nonsense"))
	says("no certificate in it")
	pem, err := os.ReadFile(filepath.Join(dir, CertFile))
	if err != nil {
		t.Fatal(err)
	}
	tlstest.File(t, clients, pem)
	says(`"client CA loaded"`)
	tlstest.File(t, clients, []byte("other nonsense"))
	wait.For(t, "the same complaint", func() bool { return log.count("no certificate in it") == 2 })
	if c.clients.Load() == nil {
		t.Error("the CA before it is gone")
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(expires) < 2 || !expires[0].IsZero() || expires[1].IsZero() {
		t.Errorf("told of %v", expires)
	}
}

func TestWithoutACertificateThereIsNothingToTell(t *testing.T) {
	log := &record{}
	c := New(Options{Log: log.logger(), Expires: func(time.Time) { t.Error("told of an end") }})
	if c.observe(); log.count("no serving certificate") != 1 {
		t.Errorf("%v", log.lines)
	}
}

// Where nothing is watched, what cannot be read is said, and what can be is served.
func TestLooking(t *testing.T) {
	dir, ca, log := t.TempDir(), tlstest.NewCA(t), &record{}
	ca.Write(t, dir, tlstest.Leaf{})
	c := New(Options{Dir: dir, Interval: time.Millisecond, Log: log.logger()})
	watcher, err := c.wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); c.look(ctx, watcher) }()
	tlstest.File(t, filepath.Join(dir, KeyFile), []byte("nonsense"))
	wait.For(t, "a word on it", func() bool { return log.count("certificate not read, the one before it is served") > 0 })
	cancel()
	<-done
	if _, err := New(Options{Dir: t.TempDir(), Log: log.logger()}).wait(ctx); err == nil {
		t.Error("waited for ever")
	}
}

func TestWritingTheSecret(t *testing.T) {
	secret := func(cert, key string) *corev1.Secret {
		return &corev1.Secret{Data: map[string][]byte{CertFile: []byte(cert), KeyFile: []byte(key)}}
	}
	dir, log := t.TempDir(), &record{}
	write := SelfSigned{Dir: dir, Log: log.logger()}.writer(t.Context(), nil)
	has := func(cert, key string) {
		t.Helper()
		for name, want := range map[string]string{CertFile: cert, KeyFile: key} {
			if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
				t.Errorf("%s is %q, not %q", name, got, want)
			}
		}
	}
	write.OnAdd(secret("", "k"), true)
	write.OnAdd(secret("c", ""), true)
	write.OnAdd(&corev1.ConfigMap{}, true)
	has("", "")
	write.OnAdd(secret("c", "k"), true)
	has("c", "k")
	before, err := os.Stat(filepath.Join(dir, CertFile))
	if err != nil {
		t.Fatal(err)
	}
	write.OnUpdate(secret("c", "k"), secret("c", "l"))
	has("c", "l")
	after, err := os.Stat(filepath.Join(dir, CertFile))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("a file that is as it should be was written again; %v", err)
	}
	write.OnDelete(secret("c", "k"))
	has("c", "l")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 || len(log.lines) > 0 {
		t.Errorf("%v, %v, %v", entries, err, log.lines)
	}
	SelfSigned{Dir: filepath.Join(dir, "none"), Log: log.logger()}.writer(t.Context(), nil).OnAdd(secret("c", "k"), true)
	if log.count("the certificate was not written") != 1 {
		t.Errorf("%v", log.lines)
	}
}

// Without a pool of its own, a server would accept whom the system trusts.
func TestClientsAreNeverTheSystems(t *testing.T) {
	config := New(Options{ClientCA: "none"}).TLS()
	if config.ClientCAs == nil || len(config.ClientCAs.Subjects()) > 0 { //nolint:staticcheck // a pool of ours
		t.Errorf("%+v", config.ClientCAs)
	}
	if _, err := config.GetConfigForClient(nil); err == nil || err.Error() != "there is no client CA yet" {
		t.Error(err)
	}
}
