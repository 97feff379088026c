//go:build integration

// Package playground looks at the playground in a real Chromium.
package playground

import (
	"compress/gzip"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/chromium"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var keep = flag.String("keep", "", "keep the page and its pictures in this `FOLDER`")

// maxPacked is how much a visitor loads, in bytes.
const maxPacked = 12 << 20

// awaited is an expression that waits until a condition holds, and gives the time since the page was opened, in ms.
func awaited(condition string) string {
	return `new Promise((done, fail) => { let tries = 0; const look = () => {
		if (` + condition + `) done(performance.now());
		else if (++tries > 3000) fail(new Error('waited in vain: ' + document.getElementById('status').textContent));
		else setTimeout(look, 20); }; look(); })`
}

// done holds when the page has shown all of an answer.
const done = `document.body.dataset.done === 'true'`

func folder(t *testing.T) string {
	t.Helper()
	if *keep == "" {
		return t.TempDir()
	}
	return *keep
}

// serve makes the playground, and serves its files as any server does.
func serve(t *testing.T) (dir, address string) {
	t.Helper()
	dir = folder(t)
	if out, err := exec.CommandContext(t.Context(), "sh", repo.Path("playground", "build.sh"), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return dir, server.URL + "/"
}

func TestPlayground(t *testing.T) {
	dir, address := serve(t)
	browser, err := chromium.Start(t.Context(), repo.Path(".tools", "browser", "chromium"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	}()
	// The first finding of an example was written down; a page is used when headroom itself has judged.
	open := func(t *testing.T, width int, dark bool) *chromium.Page {
		p, err := browser.Open(address, width, 900, dark)
		if err != nil {
			t.Fatal(err)
		}
		after := chromium.Value[float64](t, p, awaited(`document.querySelector('#findings article')`))
		all := chromium.Value[float64](t, p, awaited(done))
		t.Logf("the first finding stood there %.0f ms after the page was opened; headroom itself had judged after %.0f ms",
			after, all)
		return p
	}
	picture := func(t *testing.T, p *chromium.Page, name string) {
		data, err := p.Screenshot()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644)
		}
		if err != nil {
			t.Error(err)
		}
	}
	t.Run("size", func(t *testing.T) { size(t, dir) })
	t.Run("examples", func(t *testing.T) { examples(t, open(t, 1280, false)) })
	for _, part := range []struct {
		name string
		dark bool
		look func(*testing.T, *chromium.Page)
	}{{"findings", false, findings}, {"fixed", true, tabs}, {"broken", false, broken}} {
		t.Run(part.name, func(t *testing.T) {
			p := open(t, 1280, part.dark)
			part.look(t, p)
			picture(t, p, part.name)
			sound(t, p, address)
		})
	}
	t.Run("hostile", func(t *testing.T) {
		p := open(t, 1280, false)
		hostile(t, p)
		sound(t, p, address)
	})
	t.Run("policy", func(t *testing.T) { policy(t, open(t, 1280, false)) })
	t.Run("written", func(t *testing.T) {
		p, err := browser.Open(address, 1280, 900, false)
		if err != nil {
			t.Fatal(err)
		}
		const shown = `document.getElementById('findings').innerText`
		chromium.Value[float64](t, p, awaited(`document.querySelector('#findings article')`))
		before := chromium.Value[string](t, p, shown)
		chromium.Value[float64](t, p, awaited(done))
		if after := chromium.Value[string](t, p, shown); before == "" || after != before {
			t.Errorf("what was written down differs from what headroom says:\n%s\n\n%s", before, after)
		}
	})
	t.Run("narrow", func(t *testing.T) {
		p := open(t, 390, false)
		if w := chromium.Value[int](t, p, `document.documentElement.scrollWidth`); w > 390 {
			t.Errorf("a page of 390 pixels is %d wide", w)
		}
		picture(t, p, "narrow")
	})
}

// sound says that nothing was complained of, and nothing asked for but the page's own files.
func sound(t *testing.T, p *chromium.Page, address string) {
	t.Helper()
	for _, complaint := range p.Complaints() {
		t.Errorf("the console says: %s", complaint)
	}
	for _, request := range p.Requests() {
		if !strings.HasPrefix(request, address) && !strings.HasPrefix(request, "blob:"+address) && request != "data:," {
			t.Errorf("the page asks for %s", request)
		}
	}
}

// size holds what is loaded to its bound, and what is packed to what a browser runs.
func size(t *testing.T, dir string) {
	file, err := os.Open(filepath.Join(dir, "headroom.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, unpacked)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes compressed, %d of WebAssembly", info.Size(), n)
	if info.Size() > maxPacked {
		t.Errorf("%d bytes compressed, more than %d", info.Size(), maxPacked)
	}
}

// examples chooses each of the repository's samples, and wants all of them to be there.
func examples(t *testing.T, p *chromium.Page) {
	listed := chromium.Value[[]string](t, p, `[...document.querySelectorAll('#example option')].map(o => o.value)`)
	found, err := filepath.Glob(repo.Path("samples", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := filepath.Glob(repo.Path("samples", "wrong", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(found) + len(wrong); len(listed) != want {
		t.Errorf("%d of %d samples are listed", len(listed), want)
	}
	for _, name := range listed {
		text, err := os.ReadFile(repo.Path("samples", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		chromium.Value[any](t, p, `{ const e = document.getElementById('example'); e.value = '`+name+`';
			document.body.dataset.done = ''; e.dispatchEvent(new Event('change')); }`)
		chromium.Value[float64](t, p, awaited(done))
		if got := chromium.Value[string](t, p, `document.getElementById('manifest').value`); got != string(text) {
			t.Errorf("%s is shown as %.80q", name, got)
		}
		n := chromium.Value[int](t, p, `document.querySelectorAll('#findings .error').length`)
		if strings.HasPrefix(name, "wrong/") != (n > 0) {
			t.Errorf("%s has %d errors", name, n)
		}
	}
}

// typed puts a text into the editor as a person does, and waits for what is said of it.
func typed(t *testing.T, p *chromium.Page, text string) {
	t.Helper()
	quoted := strings.NewReplacer(`\`, `\\`, "`", "\\`", "$", `\$`).Replace(text)
	chromium.Value[any](t, p, "document.body.dataset.done = ''; const m = document.getElementById('manifest');"+
		" m.value = `"+quoted+"`; m.dispatchEvent(new Event('input', {bubbles: true}));")
	chromium.Value[float64](t, p, awaited(done))
}

func findings(t *testing.T, p *chromium.Page) {
	first := chromium.Value[string](t, p, `document.querySelector('#findings article').innerText`)
	for _, want := range []string{"error", "jvm-heap-reaches-limit", "HR304", "line 27", "news/article-service", "OOMKilled", "Wanted: "} {
		if !strings.Contains(first, want) {
			t.Errorf("the first finding does not say %q: %s", want, first)
		}
	}
	chosen := chromium.Value[string](t, p, `(() => { document.querySelector('#findings .line').click();
		const m = document.getElementById('manifest'); return m.value.slice(m.selectionStart, m.selectionEnd); })()`)
	if !strings.Contains(chosen, "-Xmx4g") {
		t.Errorf("the line of the heap is %q", chosen)
	}
}

// tabs go by keyboard, and the fixed manifest takes the place of the first.
func tabs(t *testing.T, p *chromium.Page) {
	chromium.Value[any](t, p, `document.getElementById('tab-findings').focus()`)
	shown := func() string {
		return chromium.Value[string](t, p, `[...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(e => e.id).join()`)
	}
	if err := p.Key("ArrowRight", 39); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != "explain" {
		t.Errorf("the key leads to %q", got)
	}
	if text := chromium.Value[string](t, p, `document.getElementById('explain').innerText`); !strings.Contains(text, "memory") {
		t.Errorf("the explanation is %q", text)
	}
	if err := p.Key("ArrowRight", 39); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != "fixed" {
		t.Errorf("the key leads to %q", got)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('#diff .plus').length`); n == 0 {
		t.Error("no line of the diff is an added one")
	}
	before := chromium.Value[string](t, p, `document.getElementById('manifest').value`)
	chromium.Value[any](t, p, `document.body.dataset.done = ''; document.getElementById('take').click()`)
	chromium.Value[float64](t, p, awaited(done))
	if after := chromium.Value[string](t, p, `document.getElementById('manifest').value`); after == before {
		t.Error("the fixed manifest is the first one")
	}
	if chromium.Value[bool](t, p, `!document.getElementById('take').hidden`) {
		t.Error("what is fixed is to be fixed again")
	}
	chromium.Value[any](t, p, `document.getElementById('example').dispatchEvent(new Event('change'))`)
	chromium.Value[float64](t, p, awaited(`document.querySelector('#diff .plus')`))
}

// broken shows where a text cannot be read.
func broken(t *testing.T, p *chromium.Page) {
	typed(t, p, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: [\n")
	text := chromium.Value[string](t, p, `document.getElementById('findings').innerText`)
	if !strings.Contains(text, "not read") || !strings.Contains(text, "line 3") {
		t.Errorf("%q", text)
	}
	if got := chromium.Value[string](t, p, `document.querySelector('#numbers .wrong').textContent`); got != "3" {
		t.Errorf("line %s is marked", got)
	}
}

// hostile texts are shown, and neither run nor load anything.
func hostile(t *testing.T, p *chromium.Page) {
	const evil = `<img src=x onerror="window.owned=1"><script>window.owned=2</script>`
	typed(t, p, "apiVersion: v1\nkind: Pod\nmetadata: {name: '"+evil+"', namespace: '"+evil+"'}\nspec:\n  containers:\n"+
		"  - {name: '"+evil+"', image: 'a', resources: {limits: {memory: 1Gi}, requests: {memory: 1Mi}}}\n")
	if n := chromium.Value[int](t, p, `document.querySelectorAll('#findings article').length`); n == 0 {
		t.Error("nothing was found")
	}
	if chromium.Value[bool](t, p, `'owned' in window || document.querySelectorAll('img, main script').length > 0`) {
		t.Error("a name of the manifest became a part of the page")
	}
}

// policy asks for another host, from the page and from a worker as the page makes it: the browser refuses.
func policy(t *testing.T, p *chromium.Page) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	const from = `new Promise(done => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('URL').then(() => 'sent', () => 'refused').then(postMessage)"])));
		w.onmessage = e => done(e.data); })`
	for name, ask := range map[string]string{
		"page":   `fetch('URL').then(() => 'sent', () => 'refused')`,
		"worker": from,
	} {
		if got := chromium.Value[string](t, p, strings.ReplaceAll(ask, "URL'", other.URL+"'")); got != "refused" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if reached {
		t.Error("another host was asked")
	}
}
