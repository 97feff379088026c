//go:build integration

// Package images looks into images of a real registry, over TLS, with credentials.
package images

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"golang.org/x/crypto/bcrypt"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/ports"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/tlstest"
)

var binary string

func TestMain(m *testing.M) { os.Exit(program.Main(m, &binary)) }

const (
	user     = "reader"
	password = "canary-of-the-registry"
)

// registry is a real one, and how to reach it.
type registry struct {
	host      string
	authority string // file
	docker    string // folder with the credentials and the data
	transport http.RoundTripper
	said      *bytes.Buffer
}

// start runs the registry with a way to tell who asks.
func start(t *testing.T, ca *tlstest.CA, auth string, more ...string) *registry {
	t.Helper()
	dir := t.TempDir()
	ca.Write(t, dir, tlstest.Leaf{})
	tlstest.File(t, filepath.Join(dir, "ca.crt"), ca.PEM)
	free, err := ports.Free("127.0.0.1", 1)
	if err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf("version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: %s/data}}\n"+
		"http: {addr: '127.0.0.1:%d', secret: none, tls: {certificate: %s/tls.crt, key: %s/tls.key}}\nauth: %s\n%s",
		dir, free[0], dir, dir, auth, strings.Join(more, "\n"))
	tlstest.File(t, filepath.Join(dir, "config.yml"), []byte(config))
	r := &registry{
		host: fmt.Sprintf("localhost:%d", free[0]), authority: filepath.Join(dir, "ca.crt"), docker: dir, said: &bytes.Buffer{},
		transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: ca.Pool, MinVersion: tls.VersionTLS12}},
	}
	credentials := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	tlstest.File(t, filepath.Join(dir, "config.json"), fmt.Appendf(nil, `{"auths":{%q:{"auth":%q}}}`, r.host, credentials))
	server := exec.CommandContext(t.Context(), program.Tool(t, "registry"), "serve", filepath.Join(dir, "config.yml"))
	server.Stdout, server.Stderr = r.said, r.said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	plane.Eventually(t, "the registry to answer", func() error {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+r.host+"/v2/", http.NoBody)
		if err != nil {
			return err
		}
		answer, err := (&http.Client{Transport: r.transport}).Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Body.Close() }()
		if answer.StatusCode != http.StatusUnauthorized {
			return fmt.Errorf("it answered %s to somebody without credentials", answer.Status)
		}
		return nil
	})
	return r
}

// passwords is a registry that knows a password.
func passwords(t *testing.T) *registry {
	t.Helper()
	return start(t, tlstest.NewCA(t), htpasswd(t))
}

func htpasswd(t *testing.T) string {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "htpasswd")
	tlstest.File(t, file, append([]byte(user+":"), hash...))
	return fmt.Sprintf("{htpasswd: {realm: tests, path: %s}}", file)
}

// tokens is a registry that sends to a server of tokens.
func tokens(t *testing.T) *registry {
	t.Helper()
	ca := tlstest.NewCA(t)
	return start(t, ca, tokenServer(t, ca))
}

func tokenServer(t *testing.T, ca *tlstest.CA) string {
	t.Helper()
	certificate, key := ca.Pair(t, tlstest.Leaf{})
	signer := newSigner(t, certificate, key)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, given, ok := r.BasicAuth(); !ok || name != user || given != password {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		scope := strings.Split(r.URL.Query().Get("scope"), ":")
		access := []map[string]any{}
		if len(scope) == 3 {
			access = append(access, map[string]any{"type": scope[0], "name": scope[1], "actions": strings.Split(scope[2], ",")})
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"token": signer.token(access)})
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{ca.Certificate(t, tlstest.Leaf{})}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	bundle := filepath.Join(t.TempDir(), "bundle.pem")
	tlstest.File(t, bundle, ca.PEM)
	realm := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/token"
	return fmt.Sprintf("{token: {realm: '%s', service: tests, issuer: tests, rootcertbundle: %s}}", realm, bundle)
}

// signer makes tokens as the distribution's specification has them.
type signer struct {
	key   *ecdsa.PrivateKey
	chain string
}

func newSigner(t *testing.T, certificate, key []byte) signer {
	t.Helper()
	leaf, _ := pem.Decode(certificate)
	secret, _ := pem.Decode(key)
	parsed, err := x509.ParsePKCS8PrivateKey(secret.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		t.Fatalf("a key of type %T", parsed)
	}
	return signer{private, base64.StdEncoding.EncodeToString(leaf.Bytes)}
}

func (s signer) token(access []map[string]any) string {
	part := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	now := time.Now().Unix()
	text := part(map[string]any{"typ": "JWT", "alg": "ES256", "x5c": []string{s.chain}}) + "." + part(map[string]any{
		"iss": "tests", "sub": user, "aud": "tests", "exp": now + 300, "nbf": now - 10, "iat": now, "jti": "1", "access": access,
	})
	sum := sha256.Sum256([]byte(text))
	r, v, err := ecdsa.Sign(rand.Reader, s.key, sum[:])
	if err != nil {
		panic(err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	v.FillBytes(signature[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// image has a config, and no layer.
func image(t *testing.T, architecture string, config v1.Config) v1.Image {
	t.Helper()
	made, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		OS: "linux", Architecture: architecture, Config: config, RootFS: v1.RootFS{Type: "layers", DiffIDs: []v1.Hash{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// push gives the registry team/orders:1, an image or one for each of several platforms.
func (r *registry) push(t *testing.T, images ...v1.Image) {
	t.Helper()
	reference, err := name.NewTag(r.host + "/team/orders:1")
	if err != nil {
		t.Fatal(err)
	}
	options := []remote.Option{
		remote.WithTransport(r.transport), remote.WithAuth(&authn.Basic{Username: user, Password: password}), remote.WithContext(t.Context()),
	}
	if len(images) == 1 {
		if err := remote.Write(reference, images[0], options...); err != nil {
			t.Fatalf("%v\n%s", err, r.said)
		}
		return
	}
	var index v1.ImageIndex = empty.Index
	for _, one := range images {
		file, err := one.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: one, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: file.OS, Architecture: file.Architecture}},
		})
	}
	if err := remote.WriteIndex(reference, index, options...); err != nil {
		t.Fatalf("%v\n%s", err, r.said)
	}
}

// headroom runs the program as somebody who has the registry's credentials.
func (r *registry) headroom(t *testing.T, dir string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "DOCKER_CONFIG="+r.docker, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"))
	return program.Run(t, command)
}
