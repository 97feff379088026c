//go:build integration

package cluster

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/wait"
	"github.com/headroom-dev/headroom/webhook/admission"
)

// wire is the way to the API server, which can be cut.
type wire struct {
	to       string
	listener net.Listener
	mu       sync.Mutex
	cut      bool
	open     map[net.Conn]bool
}

func newWire(t *testing.T) (*wire, *rest.Config) {
	t.Helper()
	host, err := url.Parse(apiServer.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{to: host.Host, open: map[net.Conn]bool{}}
	if host.Host == "" {
		w.to = apiServer.Config.Host
	}
	if w.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.listener.Close(); w.set(true) })
	go w.accept()
	config := rest.CopyConfig(apiServer.Config)
	config.Host = "https://" + w.listener.Addr().String()
	return w, config
}

func (w *wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		if w.cut {
			_, _ = near.Close(), far.Close()
		} else {
			w.open[near], w.open[far] = true, true
		}
		w.mu.Unlock()
		go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
		go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
	}
}

func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for conn := range w.open {
			_ = conn.Close()
		}
		clear(w.open)
	}
}

// F12, F13: an API server that is away changes nothing of what is known, and what it says
// when it is back is heard.
func TestAnswersFromMemoryWhileTheAPIServerIsAway(t *testing.T) {
	namespace := newNamespace(t, map[string]string{labelMode: "enforce"}, nil)
	w, config := newWire(t)
	c := start(t, config)
	before := around(t, c, namespace)

	w.set(true)
	time.Sleep(300 * time.Millisecond)
	if after := around(t, c, namespace); after.Fingerprint != before.Fingerprint || after.Mode != "enforce" {
		t.Errorf("while the API server is away: %+v, before: %+v", after, before)
	}
	if err := c.Ready(); err != nil {
		t.Errorf("not ready while the API server is away: %v", err)
	}
	// An owner that is not in memory is known by its kind.
	if facts := around(t, c, namespace, controller("apps/v1", "ReplicaSet", "new", "1")); facts.Mode != "enforce" {
		t.Errorf("%+v", facts)
	}
	// F14: a Namespace that is not in memory is an error.
	if _, err := c.Around(t.Context(), "not-seen-before", admission.Owned{}); err == nil {
		t.Error("an answer about a Namespace that nobody knows")
	}

	patchNamespace(t, namespace, `{"metadata":{"labels":{"headroom.dev/mode":"audit"}}}`)
	w.set(false)
	wait.For(t, "the change to be heard", func() bool { return around(t, c, namespace).Mode == "audit" })
}

// A Namespace is asked for where the watch has not told of it yet, and is not remembered:
// nothing would tell when it changes.
func TestYoungNamespaces(t *testing.T) {
	c := start(t, apiServer.Config)
	for range 20 {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			GenerateName: "young-", Labels: map[string]string{labelMode: "enforce"},
		}}
		created, err := api.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if facts := around(t, c, created.Name); facts.Mode != "enforce" {
			t.Errorf("%+v", facts)
		}
	}
	if _, err := c.Around(t.Context(), "there-is-none", admission.Owned{}); err == nil {
		t.Error("an answer about a Namespace that does not exist")
	}
}

func BenchmarkAround(b *testing.B) {
	c, err := New(Options{Config: apiServer.Config, DefaultMode: "warn"})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go func() { _ = c.Start(ctx) }()
	for c.Ready() != nil {
		time.Sleep(10 * time.Millisecond)
	}
	owned := admission.Owned{Owners: []metav1.OwnerReference{controller("example.com/v1", "Rollout", "web", "1")}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Around(ctx, "default", owned); err != nil {
			b.Fatal(err)
		}
	}
}
