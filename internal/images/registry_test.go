package images

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
)

// A registry that answers whatever a test wants: a real one has none of these faults.

const (
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	indexType    = "application/vnd.oci.image.index.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	config       = `{"os":"linux","architecture":"amd64","config":{"Entrypoint":["java"],"Env":["A=1","A=2"]},"rootfs":{"type":"layers","diff_ids":[]}}`
)

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func manifestOf(kind, digest string, size int) string {
	return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":%q,"digest":%q,"size":%d},"layers":[]}`,
		manifestType, kind, digest, size)
}

func indexOf(entries ...string) string {
	return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"manifests":[%s]}`, indexType, strings.Join(entries, ","))
}

func entryOf(kind, text, architecture string) string {
	return fmt.Sprintf(`{"mediaType":%q,"digest":%q,"size":%d,"platform":{"os":"linux","architecture":%q}}`,
		kind, digestOf(text), len(text), architecture)
}

// fake has what is at each path below /v2/a/: manifests/1, blobs/sha256:….
type fake map[string]string

func (f fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/v2/a/")
	text, ok := f[path]
	if r.URL.Path == "/v2/" {
		return
	}
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if strings.Contains(text, indexType) {
		w.Header().Set("Content-Type", indexType)
	} else if strings.HasPrefix(path, "manifests/") {
		w.Header().Set("Content-Type", manifestType)
	}
	w.Header().Set("Docker-Content-Digest", digestOf(text))
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(text))
	}
}

// with adds manifests under their digests.
func (f fake) with(manifests ...string) fake {
	for _, text := range manifests {
		f["manifests/"+digestOf(text)] = text
	}
	return f
}

func good() (f fake, manifest string) {
	manifest = manifestOf(configType, digestOf(config), len(config))
	return fake{"manifests/1": manifest, "blobs/" + digestOf(config): config}.with(manifest), manifest
}

// reach starts a registry over TLS.
func reach(t *testing.T, handler http.Handler, change func(*Options)) (r *Registries, host string) {
	t.Helper()
	ca, dir := tlstest.NewCA(t), t.TempDir()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{ca.Certificate(t, tlstest.Leaf{})}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	file := filepath.Join(dir, "ca.pem")
	tlstest.File(t, file, ca.PEM)
	options := Options{Authorities: file, Cache: filepath.Join(dir, "cache"), Keychain: authn.NewMultiKeychain()}
	if change != nil {
		change(&options)
	}
	r, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return r, strings.Replace(strings.TrimPrefix(server.URL, "https://"), "127.0.0.1", "localhost", 1)
}
