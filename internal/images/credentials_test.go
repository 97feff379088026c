package images

import (
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
)

const (
	canary        = "canary-of-the-registry"
	canaryToken   = "canary-token"
	canaryRefresh = "canary-refresh"
)

// basic is how the canary looks in a header.
var basic = base64.StdEncoding.EncodeToString([]byte("reader:" + canary))

// host is a server that writes down all that it is sent.
type host struct {
	url  string
	sent strings.Builder
	lock sync.Mutex
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	h.lock.Lock()
	_, _ = fmt.Fprintln(&h.sent, r.Method, r.URL, r.Header, string(body))
	h.lock.Unlock()
	next.ServeHTTP(w, r)
}

// told are those of the secrets that the host was sent.
func (h *host) told() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	told := ""
	for name, secret := range map[string]string{"password": basic, "token": canaryToken, "refresh": canaryRefresh} {
		if strings.Contains(h.sent.String(), secret) || strings.Contains(h.sent.String(), canary) && name == "password" {
			told += name
		}
	}
	return told
}

// keychain has the canary for one registry alone.
type keychain struct {
	registry string
	config   authn.AuthConfig
}

func (k keychain) Resolve(of authn.Resource) (authn.Authenticator, error) {
	if of.RegistryStr() != k.registry {
		return authn.Anonymous, nil
	}
	return authn.FromConfig(k.config), nil
}

// TestCredentialsStayWithTheirHost has a registry, a server of tokens and a store of blobs, each on a host of its
// own. It sends from one to another in each way that HTTP has.
func TestCredentialsStayWithTheirHost(t *testing.T) {
	password := authn.AuthConfig{Username: "reader", Password: canary}
	bearer := func(realm string) string { return `Bearer realm="` + realm + `",service="tests"` }
	for name, test := range map[string]struct {
		credentials authn.AuthConfig
		challenge   func(tokens string) string // "" is Basic
		moved       string                     // what of the registry stands at the store: a part of the path
		tokens      func(store string) http.Handler
		// What each host is told of, and whether the image is read.
		registry, token, store string
		read                   bool
	}{
		"a blob elsewhere, with a password": {
			credentials: password, moved: "/blobs/", registry: "password", read: true,
		},
		"a manifest elsewhere, with a password": {
			credentials: password, moved: "/manifests/", registry: "password", read: true,
		},
		"a blob elsewhere, with a token": {
			credentials: password, challenge: bearer, moved: "/blobs/", registry: "token", token: "password", read: true,
		},
		"a manifest elsewhere, with a token": {
			credentials: password, challenge: bearer, moved: "/manifests/", registry: "token", token: "password", read: true,
		},
		"all of it elsewhere": {
			credentials: password, challenge: bearer, moved: "/v2/", registry: "password", read: true,
		},
		"tokens by http": {
			credentials: password, challenge: func(tokens string) string { return bearer(strings.Replace(tokens, "https:", "http:", 1)) },
		},
		"tokens at an address of the network": {
			credentials: password, challenge: func(string) string { return bearer("https://169.254.169.254/token") },
		},
		"tokens at a path of this machine": {
			credentials: password, challenge: func(string) string { return bearer("file:///etc/passwd") },
		},
		"a server of tokens that sends elsewhere": {
			credentials: password, challenge: bearer, registry: "token", token: "password", read: true,
			tokens: func(store string) http.Handler { return http.RedirectHandler(store+"/token", http.StatusFound) },
		},
		"a refresh token": {
			credentials: authn.AuthConfig{IdentityToken: canaryRefresh}, challenge: bearer, registry: "token", token: "refresh", read: true,
		},
		"a refresh token that is sent elsewhere": {
			credentials: authn.AuthConfig{IdentityToken: canaryRefresh}, challenge: bearer, token: "refresh",
			tokens: func(store string) http.Handler {
				return http.RedirectHandler(store+"/token", http.StatusTemporaryRedirect)
			},
		},
		"a refresh token that is sent elsewhere for good": {
			credentials: authn.AuthConfig{IdentityToken: canaryRefresh}, challenge: bearer, token: "refresh",
			tokens: func(store string) http.Handler {
				return http.RedirectHandler(store+"/token", http.StatusPermanentRedirect)
			},
		},
		"a token that is the registry's own": {
			credentials: authn.AuthConfig{RegistryToken: canaryToken}, challenge: bearer, moved: "/blobs/", registry: "token", read: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			ca := tlstest.NewCA(t)
			start := func(serve http.Handler) *host {
				h := &host{}
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r, serve) }))
				server.TLS = &tls.Config{Certificates: []tls.Certificate{ca.Certificate(t, tlstest.Leaf{})}, MinVersion: tls.VersionTLS12}
				server.StartTLS()
				t.Cleanup(server.Close)
				h.url = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
				return h
			}
			image, _ := good()
			store := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/token" {
					_, _ = fmt.Fprintf(w, `{"token":%q}`, canaryToken)
					return
				}
				image.ServeHTTP(w, r)
			}))
			serve := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, `{"token":%q}`, canaryToken)
			}))
			if test.tokens != nil {
				serve = test.tokens(store.url)
			}
			tokens := start(serve)
			registry := start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				wanted, challenge := "Basic "+basic, `Basic realm="tests"`
				if test.challenge != nil {
					wanted, challenge = "Bearer "+canaryToken, test.challenge(tokens.url+"/token")
				}
				switch {
				case test.moved != "" && strings.Contains(r.URL.Path, test.moved):
					http.Redirect(w, r, store.url+r.URL.Path, http.StatusTemporaryRedirect)
				case r.Header.Get("Authorization") != wanted:
					w.Header().Set("WWW-Authenticate", challenge)
					w.WriteHeader(http.StatusUnauthorized)
				default:
					image.ServeHTTP(w, r)
				}
			}))
			file := filepath.Join(t.TempDir(), "ca.pem")
			tlstest.File(t, file, ca.PEM)
			at, err := url.Parse(registry.url)
			if err != nil {
				t.Fatal(err)
			}
			r, err := New(Options{Authorities: file, Keychain: keychain{at.Host, test.credentials}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = r.Find(t.Context(), at.Host+"/a:1")
			if (err == nil) != test.read {
				t.Errorf("read: %v, wanted %t", err, test.read)
			}
			if err != nil && (strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), basic)) {
				t.Errorf("the message has a secret: %v", err)
			}
			for who, was := range map[string]struct{ told, wanted string }{
				"registry": {registry.told(), test.registry}, "server of tokens": {tokens.told(), test.token}, "store": {store.told(), test.store},
			} {
				if was.told != was.wanted {
					t.Errorf("the %s was told %q, wanted %q", who, was.told, was.wanted)
				}
			}
		})
	}
}
