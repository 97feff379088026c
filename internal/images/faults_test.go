package images

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
)

func TestFinds(t *testing.T) {
	f, manifest := good()
	other := manifestOf(configType, digestOf("other"), 5)
	attested := fmt.Sprintf(`{"mediaType":%q,"digest":%q,"size":1,"platform":{"os":"unknown","architecture":"unknown"}}`, manifestType, digestOf("x"))
	f["manifests/many"] = indexOf(attested, entryOf(manifestType, other, "arm64"), entryOf(manifestType, manifest, "amd64"))
	f.with(f["manifests/many"])
	r, host := reach(t, f, nil)
	for reference, assumed := range map[string]bool{
		"/a:1": false, "/a:many": true, "/a@" + digestOf(manifest): false, "/a:9@" + digestOf(manifest): false,
	} {
		found, err := r.Find(t.Context(), host+reference)
		if err != nil {
			t.Errorf("%s: %v", reference, err)
			continue
		}
		if found.Digest != digestOf(manifest) || found.Platform != "linux/amd64" || found.Assumed != assumed ||
			len(found.Config.Entrypoint) != 1 || found.Config.Environment["A"] != "2" {
			t.Errorf("%s: %+v", reference, found)
		}
	}
	// All of it is in the cache now, and only a tag has to be asked for.
	for path := range f {
		if strings.Contains(path, "sha256:") {
			delete(f, path)
		}
	}
	if _, err := r.Find(t.Context(), host+"/a:many"); err != nil {
		t.Errorf("from the cache: %v", err)
	}
	entries, err := os.ReadDir(r.options.Cache)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d files are cached: %v", len(entries), err)
	}
	// What somebody has changed there is not believed.
	for _, entry := range entries {
		tlstest.File(t, filepath.Join(r.options.Cache, entry.Name()), []byte(`{"schemaVersion":2}`))
	}
	if found, err := r.Find(t.Context(), host+"/a:many"); err == nil {
		t.Errorf("a changed cache gave %+v", found)
	}
}

func TestFaults(t *testing.T) {
	large := `{"pad":"` + strings.Repeat("x", maxBytes) + `"}`
	deep := manifestOf(configType, digestOf(config), len(config))
	bomb := fake{}
	for range maxIndexes + 1 {
		outer := indexOf(entryOf(indexType, deep, "amd64"))
		bomb.with(deep, outer)
		deep = outer
	}
	bomb["manifests/1"] = deep
	many := make([]string, 10_000)
	for i := range many {
		many[i] = entryOf(manifestType, fmt.Sprint(i), "s390x")
	}
	wrong, manifest := good()
	wrong["blobs/"+digestOf(config)] = strings.Replace(config, "java", "evil", 1)
	swapped, _ := good()
	swapped["manifests/"+digestOf(manifest)] = strings.Replace(manifest, "layers", "Layers", 1)
	of := func(text string) fake { return fake{"manifests/1": text}.with(text) }
	huge := manifestOf(configType, digestOf(large), len(large))
	lying := manifestOf(configType, digestOf(large), 100)
	for name, test := range map[string]struct {
		registry http.Handler
		wanted   string
	}{
		"nothing":              {fake{}, "has no such image"},
		"another config":       {wrong, "error verifying sha256 checksum"},
		"another manifest":     {swapped, "does not match requested digest"},
		"no JSON":              {of("<html>"), "its manifest is not JSON"},
		"schema 1":             {of(`{"schemaVersion":1,"name":"a"}`), "Docker's schema 1"},
		"an artifact":          {of(manifestOf("application/vnd.cncf.helm.config.v1+json", digestOf(config), 10)), "is no image"},
		"a manifest too large": {of(large), "more than 4 MiB"},
		"a config too large":   {of(huge), "more than 4 MiB"},
		"a config that lies":   {of(lying).also("blobs/"+digestOf(large), large), "more than 4 MiB"},
		"many words":           {configured(`"Cmd":["a"` + strings.Repeat(`,"a"`, maxEntries) + `]`), "more than 1024 words or variables"},
		"many variables":       {configured(`"Env":["A=1"` + strings.Repeat(`,"A=1"`, maxEntries) + `]`), "more than 1024 words or variables"},
		"a long word":          {configured(`"Entrypoint":["` + strings.Repeat("a", maxText+1) + `"]`), "one of more than 128 KiB"},
		"a long name of one":   {configured(`"Labels":{"` + strings.Repeat("a", maxText+1) + `":"a"}`), "one of more than 128 KiB"},
		"a long platform":      {configured(`},"architecture":"` + strings.Repeat("a", maxText+1) + `","x":{`), "one of more than 128 KiB"},
		"a long label":         {configured(`"Labels":{"a":"` + strings.Repeat("a", maxText+1) + `"}`), "one of more than 128 KiB"},
		"indexes in indexes":   {bomb, "more than 3 indexes"},
		"10 000 manifests":     {of(indexOf(many...)), "the index has no image for linux/amd64, only for linux/s390x"},
		"no credentials":       {status(http.StatusUnauthorized), "wants other credentials"},
		"forbidden":            {status(http.StatusForbidden), "wants other credentials"},
		"asked too often":      {status(http.StatusTooManyRequests), "takes no more requests"},
		"broken":               {status(http.StatusInternalServerError), "answered 500"},
		"a redirect to http":   {http.RedirectHandler("http://localhost:1/v2/", http.StatusFound), "not reached by https"},
		"a redirect in a circle": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}), ""},
		"cut off": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("{"))
		}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, host := reach(t, test.registry, nil)
			found, err := r.Find(t.Context(), host+"/a:1")
			if err == nil || !strings.Contains(err.Error(), test.wanted) {
				t.Fatalf("%+v, %v; wanted %q", found, err, test.wanted)
			}
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 || strings.Contains(err.Error(), "://") {
				t.Errorf("no short line: %v", err)
			}
		})
	}
}

// configured is a registry whose image has that in its config.
func configured(text string) fake {
	text = `{"os":"linux","architecture":"amd64","config":{` + text + `},"rootfs":{"type":"layers","diff_ids":[]}}`
	manifest := manifestOf(configType, digestOf(text), len(text))
	return fake{"manifests/1": manifest, "blobs/" + digestOf(text): text}.with(manifest)
}

func (f fake) also(path, text string) fake {
	f[path] = text
	return f
}

func status(code int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(code)
	})
}

// A registry that asks for a pause gets it.
func TestComesBackAfterAPause(t *testing.T) {
	f, _ := good()
	var asked atomic.Int64
	r, host := reach(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.Contains(request.URL.Path, "manifests") && asked.Add(1)%2 == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		f.ServeHTTP(w, request)
	}), nil)
	if _, err := r.Find(t.Context(), host+"/a:1"); err != nil {
		t.Error(err)
	}
	for asked, wanted := range map[string]time.Duration{"0": 0, "3": 3 * time.Second, "100000": longestWait, "soon": time.Second, "-1": time.Second} {
		if got := wait(asked, 1); got != wanted {
			t.Errorf("Retry-After %q: %s, wanted %s", asked, got, wanted)
		}
	}
}

func TestReferences(t *testing.T) {
	sum := digestOf("")
	r, err := New(Options{Mirrors: map[string]string{"docker.io": "mirror.example:5000", "quay.io": "q.example"}})
	if err != nil {
		t.Fatal(err)
	}
	for given, wanted := range map[string]string{
		"nginx":                         "mirror.example:5000/library/nginx:latest",
		"nginx:1.27":                    "mirror.example:5000/library/nginx:1.27",
		"bitnami/redis":                 "mirror.example:5000/bitnami/redis:latest",
		"docker.io/bitnami/redis:7":     "mirror.example:5000/bitnami/redis:7",
		"quay.io/a/b@" + sum:            "q.example/a/b@" + sum,
		"r.example:5000/a/b":            "r.example:5000/a/b:latest",
		"r.example:5000/a/b:1@" + sum:   "r.example:5000/a/b@" + sum,
		"r.example:5000/a/b:5000":       "r.example:5000/a/b:5000",
		"":                              "",
		"UPPER/case":                    "",
		"a b":                           "",
		"a@sha256:12":                   "",
		"a:" + strings.Repeat("x", 200): "",
	} {
		ref, err := r.parse(given)
		if got := fmt.Sprint(ref); err == nil && got != wanted || err != nil && wanted != "" {
			t.Errorf("%q: %v, %v; wanted %q", given, ref, err, wanted)
		}
	}
	for _, platform := range []string{"linux", "/", "a/b/c/d/e"} {
		if _, err := New(Options{Platform: platform}); err == nil {
			t.Errorf("platform %q is no error", platform)
		}
	}
}

// Only what was named may be asked without TLS.
func TestWithoutTLS(t *testing.T) {
	f, _ := good()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	for _, insecure := range [][]string{nil, {host}} {
		r, err := New(Options{Insecure: insecure, Keychain: authn.NewMultiKeychain()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Find(t.Context(), host+"/a:1"); (err == nil) != (insecure != nil) {
			t.Errorf("insecure %q: %v", insecure, err)
		}
	}
}

// A cache that is full, not there or somebody else's is no error.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	sum, err := v1.NewHash(digestOf(config))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"", filepath.Join(dir, "deep", "er"), "/proc/none"} {
		c := cache{folder}
		c.store(sum, []byte("another"))
		if c.get(sum) != nil {
			t.Errorf("%q: another text was kept", folder)
		}
		c.store(sum, []byte(config))
		if kept := c.get(sum); (kept != nil) != strings.HasPrefix(folder, dir) {
			t.Errorf("%q: kept %q", folder, kept)
		}
	}
}

// Docker's own types are read as OCI's, in a list of manifests, too.
func TestDockersTypes(t *testing.T) {
	docker := strings.NewReplacer(
		manifestType, "application/vnd.docker.distribution.manifest.v2+json",
		indexType, "application/vnd.docker.distribution.manifest.list.v2+json",
		configType, "application/vnd.docker.container.image.v1+json",
	)
	manifest := docker.Replace(manifestOf(configType, digestOf(config), len(config)))
	list := docker.Replace(indexOf(entryOf(manifestType, manifest, "amd64")))
	f := fake{"manifests/1": list, "blobs/" + digestOf(config): config}.with(manifest, list)
	r, host := reach(t, f, nil)
	found, err := r.Find(t.Context(), host+"/a:1")
	if err != nil || found.Digest != digestOf(manifest) || !found.Assumed {
		t.Errorf("%+v, %v", found, err)
	}
}

// A registry that never answers costs the time that there is, and no more.
func TestSlow(t *testing.T) {
	done := make(chan struct{})
	r, host := reach(t, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		select {
		case <-done:
		case <-request.Context().Done():
		}
	}), nil)
	t.Cleanup(func() { close(done) })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := r.Find(ctx, host+"/a:1"); err == nil || !strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("a registry that never answers: %v", err)
	}
}

// Many images are read some at once, and each is told once.
func TestAtOnce(t *testing.T) {
	f, _ := good()
	var now, most, manifests atomic.Int64
	var together sync.Once
	two := make(chan struct{})
	r, host := reach(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		running := now.Add(1)
		defer now.Add(-1)
		for seen := most.Load(); running > seen && !most.CompareAndSwap(seen, running); seen = most.Load() {
			continue
		}
		// The first manifest waits for a second: read one after the other, they would never end.
		if strings.Contains(request.URL.Path, "/manifests/") {
			if manifests.Add(1) > 1 {
				together.Do(func() { close(two) })
			}
			<-two
		}
		f.ServeHTTP(w, request)
	}), func(o *Options) { o.Cache = "" })
	references := make([]string, 4*atOnce)
	for i := range references {
		references[i] = fmt.Sprintf("%s/a:%d", host, i)
		f[fmt.Sprintf("manifests/%d", i)] = f["manifests/1"]
	}
	told := map[string]int{}
	r.All(t.Context(), references, func(reference string, found Found) {
		if told[reference]++; found.Err != nil {
			t.Errorf("%s: %v", reference, found.Err)
		}
	})
	if len(told) != len(references) || most.Load() > atOnce {
		t.Errorf("%d of %d told, at most %d at once", len(told), len(references), most.Load())
	}
}
