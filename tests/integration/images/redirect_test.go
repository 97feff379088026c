//go:build integration

package images

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/tlstest"
)

// TestBlobsElsewhere: a registry that keeps its blobs in an object store sends there, and the store is told no credential.
func TestBlobsElsewhere(t *testing.T) {
	for kind, auth := range map[string]func(*testing.T, *tlstest.CA) string{
		"password": func(t *testing.T, _ *tlstest.CA) string { t.Helper(); return htpasswd(t) },
		"token":    tokenServer,
	} {
		t.Run(kind, func(t *testing.T) {
			ca := tlstest.NewCA(t)
			var data atomic.Value
			var blobs, credentials atomic.Int64
			store := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				blobs.Add(1)
				if r.Header.Get("Authorization") != "" || strings.Contains(fmt.Sprint(r.URL, r.Header), password) {
					credentials.Add(1)
				}
				http.FileServer(http.Dir(fmt.Sprint(data.Load()))).ServeHTTP(w, r)
			}))
			store.TLS = &tls.Config{Certificates: []tls.Certificate{ca.Certificate(t, tlstest.Leaf{})}, MinVersion: tls.VersionTLS12}
			store.StartTLS()
			t.Cleanup(store.Close)
			r := start(t, ca, auth(t, ca), fmt.Sprintf("middleware: {storage: [{name: redirect, options: {baseurl: '%s'}}]}\n",
				strings.Replace(store.URL, "127.0.0.1", "localhost", 1)))
			data.Store(filepath.Join(r.docker, "data"))
			r.push(t, image(t, "amd64", orders))
			blobs.Store(0)
			dir := t.TempDir()
			program.Write(t, dir, map[string]string{"orders.yaml": manifest(r.host + "/team/orders:1")})
			out, said, code := r.headroom(t, dir, "images", "orders.yaml", "--registry-ca", r.authority)
			if code != 0 || !strings.Contains(out, "entrypoint  java -Xmx2g") {
				t.Errorf("exit code %d\n%s%s", code, out, said)
			}
			if blobs.Load() == 0 || credentials.Load() > 0 {
				t.Errorf("the store had %d requests, %d of them with credentials", blobs.Load(), credentials.Load())
			}
		})
	}
}
