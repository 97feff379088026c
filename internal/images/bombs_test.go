package images

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
)

// packed is an answer of some KB that unpacks to so many bytes.
func packed(t *testing.T, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte(" "), size)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// challenge is a registry that wants a token of a server.
func challenge(realm func() string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" || r.Header.Get("Authorization") != "" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm=%q,service="a",scope="repository:a:pull"`, realm()))
		w.WriteHeader(http.StatusUnauthorized)
	})
}

// endless sends a body in pieces, with no end and at once.
func endless(w http.ResponseWriter, r *http.Request) {
	piece := bytes.Repeat([]byte(" "), 64<<10)
	for r.Context().Err() == nil {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

// What a registry or its token server answers is bounded after it is unpacked, if it is unpacked at all: in memory, too.
func TestAnswersThatGrow(t *testing.T) {
	const size, most = 128 << 20, 48 << 20
	bomb := packed(t, size)
	grows := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", manifestType)
		_, _ = w.Write(bomb)
	}
	for name, answer := range map[string]http.HandlerFunc{"packed": grows, "endless": endless} {
		f, manifest := good()
		blob := "/v2/a/blobs/" + digestOf(config)
		for place, registry := range map[string]func(address func() string) http.Handler{
			"a manifest": func(func() string) http.Handler { return answer },
			"a config": func(func() string) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == blob {
						answer(w, r)
						return
					}
					f.ServeHTTP(w, r)
				})
			},
			"a token": func(address func() string) http.Handler {
				return challenge(func() string { return address() + "/token" }, answer)
			},
			"a refusal": func(func() string) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.WriteHeader(http.StatusForbidden)
					endless(w, r)
				})
			},
		} {
			t.Run(name+" "+place, func(t *testing.T) {
				var address string
				r, host := reach(t, registry(func() string { return address }), nil)
				address = "https://" + host
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				found, err := r.Find(t.Context(), host+"/a@"+digestOf(manifest))
				runtime.ReadMemStats(&after)
				if err == nil {
					t.Errorf("%+v", found)
				}
				if took := after.TotalAlloc - before.TotalAlloc; took > most {
					t.Errorf("%d MiB were needed to say: %v", took>>20, err)
				}
			})
		}
	}
}

// A registry that sends a byte now and then, or whose token server does, or that asks for a long pause, costs the time
// that there is, and no more.
func TestTrickles(t *testing.T) {
	trickle := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(" ")); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Millisecond)
		}
	}
	for name, registry := range map[string]func(address func() string) http.Handler{
		"manifests": func(func() string) http.Handler { return http.HandlerFunc(trickle) },
		"tokens": func(address func() string) http.Handler {
			return challenge(func() string { return address() + "/token" }, http.HandlerFunc(trickle))
		},
		"pauses": func(func() string) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "999999999")
				w.WriteHeader(http.StatusTooManyRequests)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var address string
			r, host := reach(t, registry(func() string { return address }), nil)
			address = "https://" + host
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if _, err := r.Find(ctx, host+"/a:1"); err == nil || !strings.Contains(err.Error(), "did not answer in time") {
				t.Error(err)
			}
		})
	}
	for asked, most := range map[string]time.Duration{
		"999999999": longestWait, "99999999999999999999": 2 * time.Second, "-1": 2 * time.Second, "": 2 * time.Second,
		"Fri, 01 Jan 2100 00:00:00 GMT": longestWait, "Fri, 01 Jan 1999 00:00:00 GMT": 0,
	} {
		if got := wait(asked, 2); got > most {
			t.Errorf("%q: %v", asked, got)
		}
	}
}

// A token server, a blob's store and a redirect are not asked where a *name* stands for an address further inside. The
// name is looked at when it is dialled. Here 127.0.0.2 counts as the internet, and localhost as this machine.
func TestNamesThatLeadInside(t *testing.T) {
	var asked atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer inside.Close()
	named := strings.Replace(inside.URL, "127.0.0.1", "localhost", 1)
	f, manifest := good()
	for name, registry := range map[string]http.Handler{
		"a realm":    challenge(func() string { return named + "/token" }, f),
		"a redirect": http.RedirectHandler(named, http.StatusTemporaryRedirect),
		"a blob": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/blobs/") {
				http.Redirect(w, r, named, http.StatusTemporaryRedirect)
				return
			}
			f.ServeHTTP(w, r)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(registry)
			startBeside(t, server)
			defer server.Close()
			host := strings.TrimPrefix(server.URL, "http://")
			r, err := newFor(host, strings.TrimPrefix(named, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			asked.Store(0)
			_, err = r.Find(t.Context(), host+"/a@"+digestOf(manifest))
			if err == nil || !strings.Contains(err.Error(), errInside.Error()) || asked.Load() > 0 {
				t.Errorf("%v, asked %d times", err, asked.Load())
			}
		})
	}
}

// newFor reaches two hosts without TLS, of which the user has named none: the second is inside.
func newFor(outside, inside string) (*Registries, error) {
	r, c, err := newRegistries(Options{Insecure: []string{outside, inside}, Keychain: authn.NewMultiKeychain()})
	if err != nil {
		return nil, err
	}
	c.named = nil
	c.dialled.levelOf = func(address netip.Addr) level {
		if address.Unmap() == netip.MustParseAddr("127.0.0.2") {
			return public
		}
		return loopback
	}
	return r, nil
}
