package certificates

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

// follow starts certificates that look at their files often.
func follow(t *testing.T, o Options) *Certificates {
	t.Helper()
	return followAt(t, o, time.Now)
}

func followAt(t *testing.T, o Options, now func() time.Time) *Certificates {
	t.Helper()
	o.Interval, o.Log = 50*time.Millisecond, logr.Discard()
	c := New(o)
	c.now = now
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := c.Start(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return c
}

func ready(c *Certificates) func() bool { return func() bool { return c.Ready() == nil } }

// serve answers with TLS and gives the address.
func serve(t *testing.T, c *Certificates) string {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", c.TLS())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}

func dial(address string, config *tls.Config) (tls.ConnectionState, error) {
	return dialAs(address, config, "localhost")
}

func dialAs(address string, config *tls.Config, name string) (tls.ConnectionState, error) {
	config.ServerName = name
	conn, err := tls.DialWithDialer(&net.Dialer{Timeout: 10 * time.Minute}, "tcp", address, config)
	if err != nil {
		return tls.ConnectionState{}, err
	}
	defer func() { _ = conn.Close() }()
	// In TLS 1.3 the server refuses a client's certificate after the client's handshake.
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		return tls.ConnectionState{}, err
	}
	if _, err := conn.Read(make([]byte, 16)); err != nil {
		return tls.ConnectionState{}, err
	}
	return conn.ConnectionState(), nil
}

func TestMissingThenThere(t *testing.T) {
	dir, ca := t.TempDir(), tlstest.NewCA(t)
	var expires atomic.Int64
	c := follow(t, Options{Dir: dir, Expires: func(at time.Time) { expires.Store(at.Unix()) }})
	if err := c.Ready(); !errors.Is(err, errMissing) {
		t.Errorf("without a certificate: %v", err)
	}
	if _, err := dial(serve(t, c), &tls.Config{RootCAs: ca.Pool}); err == nil {
		t.Error("a handshake without a certificate")
	}
	end := time.Now().Add(30 * time.Minute).Truncate(time.Second)
	ca.Write(t, dir, tlstest.Leaf{NotAfter: end})
	wait.For(t, "the certificate", ready(c))
	wait.For(t, "its expiry", func() bool { return expires.Load() == end.Unix() })
}

// F8 and F10, and clocks that differ.
func TestCertificatesThatNobodyAccepts(t *testing.T) {
	now := time.Now()
	for name, tc := range map[string]struct {
		leaf tlstest.Leaf
		says string
	}{
		"expired":                 {tlstest.Leaf{NotAfter: now.Add(-time.Minute)}, "expired at"},
		"not yet valid":           {tlstest.Leaf{NotBefore: now.Add(61 * time.Minute)}, "not valid before"},
		"issued by a clock ahead": {tlstest.Leaf{NotBefore: now.Add(59 * time.Minute)}, ""},
		"another name":            {tlstest.Leaf{Names: []string{"other.headroom-system.svc"}}, "another name"},
		"good":                    {tlstest.Leaf{Names: []string{"x", "headroom-webhook.headroom-system.svc"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ca := tlstest.NewCA(t)
			if tc.leaf.Names == nil {
				tc.leaf.Names = []string{"headroom-webhook.headroom-system.svc"}
			}
			ca.Write(t, dir, tc.leaf)
			c := follow(t, Options{Dir: dir, DNSName: "headroom-webhook.headroom-system.svc"})
			wait.For(t, "the certificate", func() bool { _, err := c.leaf(); return err == nil })
			err := c.Ready()
			if tc.says == "" && err != nil || tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
				t.Errorf("ready: %v, want %q", err, tc.says)
			}
			ca.Write(t, dir, tlstest.Leaf{Names: []string{"headroom-webhook.headroom-system.svc"}})
			wait.For(t, "a good certificate to make it ready", ready(c))
		})
	}
}

func TestExpiryIsSeenWithoutANewFile(t *testing.T) {
	dir := t.TempDir()
	tlstest.NewCA(t).Write(t, dir, tlstest.Leaf{})
	var passed atomic.Int64
	c := followAt(t, Options{Dir: dir}, func() time.Time { return time.Now().Add(time.Duration(passed.Load())) })
	wait.For(t, "the certificate", ready(c))
	passed.Store(int64(2 * time.Hour))
	if c.Ready() == nil {
		t.Error("ready with a certificate that has expired meanwhile")
	}
}

func TestFloorOfTLS(t *testing.T) {
	dir, ca := t.TempDir(), tlstest.NewCA(t)
	ca.Write(t, dir, tlstest.Leaf{})
	c := follow(t, Options{Dir: dir})
	wait.For(t, "the certificate", ready(c))
	address := serve(t, c)
	old := &tls.Config{RootCAs: ca.Pool, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	if _, err := dial(address, old); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	weak := &tls.Config{
		RootCAs: ca.Pool, MaxVersion: tls.VersionTLS12,
		CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, tls.TLS_RSA_WITH_AES_128_GCM_SHA256},
	}
	if _, err := dial(address, weak); err == nil {
		t.Error("a weak cipher suite is accepted")
	}
	state, err := dial(address, &tls.Config{RootCAs: ca.Pool, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	if state.NegotiatedProtocol != "http/1.1" || state.Version != tls.VersionTLS13 {
		t.Errorf("negotiated %q, TLS %x", state.NegotiatedProtocol, state.Version)
	}
	if _, err := dial(address, &tls.Config{RootCAs: ca.Pool, NextProtos: []string{"h2"}}); err == nil {
		t.Error("HTTP/2 is accepted")
	}
}

func TestClientsMustShowACertificate(t *testing.T) {
	dir, ca, clients, later := t.TempDir(), tlstest.NewCA(t), tlstest.NewCA(t), tlstest.NewCA(t)
	ca.Write(t, dir, tlstest.Leaf{})
	file := filepath.Join(dir, "clients.crt")
	c := follow(t, Options{Dir: dir, ClientCA: file})
	address := serve(t, c)
	wait.For(t, "the certificate", func() bool { _, err := c.leaf(); return err == nil })
	if c.Ready() == nil {
		t.Error("ready without the CA of the clients")
	}
	with := func(signer *tlstest.CA) error {
		config := &tls.Config{RootCAs: ca.Pool}
		if signer != nil {
			config.Certificates = []tls.Certificate{signer.Certificate(t, tlstest.Leaf{})}
		}
		_, err := dial(address, config)
		return err
	}
	if with(clients) == nil {
		t.Error("let in before the CA was there")
	}
	tlstest.File(t, file, clients.PEM)
	wait.For(t, "the CA of the clients", ready(c))
	if err := with(clients); err != nil {
		t.Error(err)
	}
	if with(nil) == nil || with(ca) == nil {
		t.Error("let in without a certificate of that CA")
	}
	tlstest.File(t, file, []byte("no certificate"))
	time.Sleep(200 * time.Millisecond)
	if err := with(clients); err != nil {
		t.Error("a broken file replaced a good one:", err)
	}
	tlstest.File(t, file, later.PEM)
	wait.For(t, "the next CA", func() bool { return with(later) == nil && with(clients) != nil })
}

func TestLookingIsEnough(t *testing.T) {
	dir, ca := t.TempDir(), tlstest.NewCA(t)
	ca.Write(t, dir, tlstest.Leaf{Names: []string{"one"}})
	c := New(Options{Dir: dir, Interval: 20 * time.Millisecond, Log: logr.Discard()})
	watcher, err := c.wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.watcher.Store(watcher)
	go c.look(t.Context(), watcher)
	tlstest.File(t, filepath.Join(dir, KeyFile), []byte("broken"))
	time.Sleep(60 * time.Millisecond)
	ca.Write(t, dir, tlstest.Leaf{Names: []string{"two"}})
	wait.For(t, "the second", func() bool { leaf, err := c.leaf(); return err == nil && leaf.DNSNames[0] == "two" })
}
