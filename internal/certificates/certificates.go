// Package certificates holds the certificate that the webhook serves with: taken from a
// directory and changed while it serves, or made and rotated by the webhook itself.
package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// Names of the files in the directory, as cert-manager and kubectl create secret tls name
// the keys of a Secret.
const (
	CertFile = "tls.crt"
	KeyFile  = "tls.key"
)

// Intervals between looks at the files. They are watched too; looking is for file systems
// that send no events.
const (
	waitInterval  = time.Second
	checkInterval = 10 * time.Second
)

// clockSkew is how far a machine's clock may be behind that of the issuer (F24). Whether the certificate is
// valid yet is for the API server to say: its clock may be right, and all replicas have the same
// certificate. Taking them out for it gains nothing.
const clockSkew = time.Hour

// Options say where the certificate is and whom it is for.
type Options struct {
	// Dir holds tls.crt and tls.key.
	Dir string
	// ClientCA is a file with the CAs whose certificates a client must show one of. Without
	// it clients need none. It is not the ca.crt beside the certificate, which with
	// cert-manager is the CA that has signed the webhook's own.
	ClientCA string
	// DNSName is the name that the API server calls the webhook by; empty is not checked.
	DNSName string
	// Expires is told until when the certificate is good, whenever another is served.
	Expires func(time.Time)
	Log     logr.Logger
	// Interval between looks at the files; 0 for the default.
	Interval time.Duration
}

// ClientCAFile is where the CAs of those who may read the metrics stand, beside that port's certificate.
const ClientCAFile = "ca.crt"

// ForMetrics are the certificate of a metrics port, and the CAs of those who may read it.
func ForMetrics(dir string, log logr.Logger) *Certificates {
	return New(Options{Dir: dir, ClientCA: filepath.Join(dir, ClientCAFile), Log: log.WithName("metrics-certificates")})
}

// Serve answers on a listener, with TLS where the server has a configuration of it.
func Serve(server *http.Server, listener net.Listener) error {
	if server.TLSConfig == nil {
		return server.Serve(listener)
	}
	return server.ServeTLS(listener, "", "")
}

// Certificates are the webhook's certificate and the CAs of its clients as they are now.
type Certificates struct {
	options Options
	watcher atomic.Pointer[certwatcher.CertWatcher]
	clients atomic.Pointer[x509.CertPool]
	now     func() time.Time
}

// New prepares the certificates; Start reads them.
func New(o Options) *Certificates {
	if o.Interval == 0 {
		o.Interval = checkInterval
	}
	if o.Expires == nil {
		o.Expires = func(time.Time) {}
	}
	return &Certificates{options: o, now: time.Now}
}

// Start waits for the files, then follows their changes until the context ends. A pair that
// cannot be read or does not fit together leaves the previous one in use (F11).
func (c *Certificates) Start(ctx context.Context) error {
	c.options.Expires(time.Time{})
	if c.options.ClientCA != "" {
		go c.followClientCA(ctx)
	}
	watcher, err := c.wait(ctx)
	if err != nil {
		return nil //nolint:nilerr // the context has ended
	}
	c.watcher.Store(watcher)
	// The watcher holds its lock while it calls back for the first time.
	watcher.RegisterCallback(func(tls.Certificate) { go c.observe() })
	if err := watcher.WithWatchInterval(c.options.Interval).Start(ctx); err != nil {
		c.options.Log.Error(err, "the certificate is not watched, only looked at", "interval", c.options.Interval.String())
		c.look(ctx, watcher)
	}
	return nil
}

// look reads the files again and again: where a node has no watches left, a new certificate
// is still served soon enough.
func (c *Certificates) look(ctx context.Context, watcher *certwatcher.CertWatcher) {
	tick := time.NewTicker(c.options.Interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := watcher.ReadCertificate(); err != nil {
			c.options.Log.Error(err, "certificate not read, the one before it is served")
		}
	}
}

func (c *Certificates) wait(ctx context.Context) (*certwatcher.CertWatcher, error) {
	var said string
	for {
		watcher, err := certwatcher.New(filepath.Join(c.options.Dir, CertFile), filepath.Join(c.options.Dir, KeyFile))
		if err == nil {
			return watcher, nil
		}
		if said != err.Error() {
			said = err.Error()
			c.options.Log.Info("waiting for the serving certificate", "directory", c.options.Dir, "reason", said)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(waitInterval, c.options.Interval)):
		}
	}
}

// observe tells what is served from now on.
func (c *Certificates) observe() {
	leaf, err := c.leaf()
	if err != nil {
		c.options.Log.Error(err, "no serving certificate")
		return
	}
	c.options.Expires(leaf.NotAfter)
	c.options.Log.Info("serving certificate loaded",
		"names", leaf.DNSNames, "serial", leaf.SerialNumber.String(), "expires", leaf.NotAfter.UTC().Format(time.RFC3339))
	if err := c.Ready(); err != nil {
		c.options.Log.Error(err, "the API server will not accept the serving certificate")
	}
}

func (c *Certificates) leaf() (*x509.Certificate, error) {
	certificate, err := c.get(nil)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(certificate.Certificate[0])
}

var errMissing = errors.New("there is no serving certificate yet")

func (c *Certificates) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	watcher := c.watcher.Load()
	if watcher == nil {
		return nil, errMissing
	}
	return watcher.GetCertificate(hello)
}

// Ready says why the API server would not accept the certificate: it is missing, expired,
// not yet valid, or for another name (F8, F10).
func (c *Certificates) Ready() error {
	leaf, err := c.leaf()
	if err != nil {
		return err
	}
	now := c.now()
	if now.After(leaf.NotAfter) {
		return fmt.Errorf("the serving certificate expired at %s", leaf.NotAfter.UTC().Format(time.RFC3339))
	}
	if now.Add(clockSkew).Before(leaf.NotBefore) {
		return fmt.Errorf("the serving certificate is not valid before %s", leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	if c.options.DNSName != "" {
		if err := leaf.VerifyHostname(c.options.DNSName); err != nil {
			return fmt.Errorf("the serving certificate is for another name: %w", err)
		}
	}
	if c.options.ClientCA != "" && c.clients.Load() == nil {
		return fmt.Errorf("no client CA has been read from %s", c.options.ClientCA)
	}
	return nil
}

// TLS is how the webhook serves: TLS 1.2 with forward secrecy and authenticated encryption
// only, or 1.3; no HTTP/2, which the API server does not speak to webhooks (W42).
func (c *Certificates) TLS() *tls.Config {
	config := &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"},
		CipherSuites: []uint16{
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
		GetCertificate: c.get,
	}
	if c.options.ClientCA == "" {
		return config
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	config.ClientCAs = x509.NewCertPool() // until the file is read, no client is accepted
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		pool := c.clients.Load()
		if pool == nil {
			return nil, errors.New("there is no client CA yet")
		}
		current := config.Clone()
		current.GetConfigForClient = nil
		current.ClientCAs = pool
		return current, nil
	}
	return config
}

// followClientCA reads the clients' CAs again and again. A file that holds none leaves
// those before it in place.
func (c *Certificates) followClientCA(ctx context.Context) {
	var last, said string
	tick := time.NewTicker(c.options.Interval)
	defer tick.Stop()
	for {
		content, err := os.ReadFile(c.options.ClientCA)
		if err == nil && string(content) != last {
			pool := x509.NewCertPool()
			if pool.AppendCertsFromPEM(content) {
				c.clients.Store(pool)
				last, said = string(content), ""
				c.options.Log.Info("client CA loaded", "file", c.options.ClientCA)
			} else {
				err = errors.New("no certificate in it")
			}
		}
		if err != nil && said != err.Error() {
			said = err.Error()
			c.options.Log.Error(err, "client CA not loaded", "file", c.options.ClientCA)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
