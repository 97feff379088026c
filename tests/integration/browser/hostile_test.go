//go:build integration

package browser

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/chromium"
)

// sound holds a page to what every one must be: quiet, and alone.
func sound(t testing.TB, p *chromium.Page, address string) {
	t.Helper()
	for _, complaint := range p.Complaints() {
		t.Errorf("the console says: %s", complaint)
	}
	address, _, _ = strings.Cut(address, "#")
	for _, request := range p.Requests() {
		if request != address && !strings.HasPrefix(request, "data:") {
			t.Errorf("the page asks for %s", request)
		}
	}
}

// hostileTexts would run, load or leave the page, were they taken for markup.
func hostileTexts(server string) []string {
	return []string{
		`</script><img src="` + server + `/1" onerror="window.owned=1">`,
		`<script src="` + server + `/2"></script><script>window.owned=2</script>`,
		`"><svg onload="window.owned=3"><style>@import "` + server + `/3";</style>`,
		`<!--<script>`, `]]>`, `{{.Script}}`, `javascript:window.owned=4`, "' onclick=window.owned=5 '",
		`<link rel=stylesheet href="` + server + `/4">`, "\u202egnp.exe", "\u2028window.owned=6", "__proto__", "constructor",
		`<iframe srcdoc="<script>parent.owned=7</script>">`,
	}
}

func hostile(texts []string) *report.Report {
	r := audit(3)
	for i, a := range texts {
		b := texts[(i+1)%len(texts)]
		resource := engine.Resource{APIVersion: a, Kind: b, Namespace: a, Name: a}
		f := engine.Finding{
			Rule: a, Slug: b, Severity: b, Class: a, Resource: resource, Container: b, File: a, Message: a + b, Expected: b,
		}
		detail := *r.Workloads[0].Containers[0].Detail
		detail.Budget = &engine.Budget{
			LimitMiB: 100, TotalMiB: 50, LeftMiB: 50, Terms: []engine.Term{{Name: a, MiB: 50, Source: b}},
		}
		r.Workloads = append(r.Workloads, report.Workload{
			Resource: resource, File: a, Replicas: 1, Containers: []report.Container{{
				Name: b, Class: a, Evidence: b, Runtime: a, Runs: a, Detail: &detail,
				Measured: &engine.Measured{Source: a, CPUAverage: b, CPUPeak: a, MemoryPeak: b},
			}},
		})
		exempted := f
		exempted.Suppressed = &engine.Suppression{Reason: a, Until: b, Source: a}
		r.Findings, r.Exempted = append(r.Findings, f), append(r.Exempted, exempted)
		r.Skipped = append(r.Skipped, report.Skip{File: a, Resource: resource, What: a, Reason: b})
		r.Problems = append(r.Problems, report.Problem{File: a, Message: b})
		r.Stale = append(r.Stale, report.Stale{Rule: a, Kind: b, Name: a, File: b})
		r.Cluster.Namespaces = append(r.Cluster.Namespaces, report.Namespace{Name: a, Mode: b, Mutate: a})
		r.Preview.Items = append(r.Preview.Items, report.PreviewItem{
			Resource: resource, File: a, Refused: []engine.Finding{f}, Warned: []engine.Finding{f},
			Changed: []engine.Applied{{Rule: a, Container: b, Path: a, Old: b, New: a}},
		})
		r.Rules = append(r.Rules, report.Rule{ID: a, Slug: b, Title: a, HelpURI: b})
	}
	r.Cluster.Name, r.Cluster.Measured, r.Version, r.Preview.Mode = texts[0], texts[1], texts[2], texts[0]
	return r
}

func TestHostile(t *testing.T) {
	asked := &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	texts := hostileTexts(server.URL)
	address, _ := page(t, "hostile", hostile(texts))
	p := open(t, address, 1200, 800, false)
	chromium.Value[any](t, p, `document.querySelectorAll('#list summary').forEach(s => s.click())`)
	chromium.Value[any](t, p, `new Promise(done => setTimeout(done, 300))`)
	if owned := chromium.Value[any](t, p, `window.owned === undefined ? null : window.owned`); owned != nil {
		t.Errorf("the text %v ran", owned)
	}
	const foreign = `document.querySelectorAll('img, iframe, link[rel=stylesheet], a[href^="javascript" i]').length`
	if n := chromium.Value[int](t, p, foreign); n != 0 {
		t.Errorf("%d elements were made of texts", n)
	}
	if n := chromium.Value[int](t, p, `document.scripts.length`); n != 2 {
		t.Errorf("%d scripts, not the data and ours", n)
	}
	if n := names(chromium.Value[[]string](t, p, titles), "onerror"); n != 1 {
		t.Errorf("%d workloads show the name with an image in it", n)
	}
	if asked.Load() != 0 {
		t.Errorf("%d requests reached the server", asked.Load())
	}
	sound(t, p, address)
	picture(t, p, "hostile")
}

// proxy remembers the hosts that a browser asks it for. A browser has connections of its own, for
// its updates and lists: only a host that the page could have meant is the page's.
type proxy struct {
	mutex sync.Mutex
	hosts []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.hosts = append(p.hosts, (&url.URL{Host: r.Host}).Hostname())
	w.WriteHeader(http.StatusBadGateway)
}

// named are the hosts it was asked for that the text names.
func (p *proxy) named(text string) []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(p.hosts), func(host string) bool { return !strings.Contains(text, host) })
}

// TestNoNetwork looks at what a browser that sends everything through a proxy asks it for.
func TestNoNetwork(t *testing.T) {
	seen := &proxy{}
	server := httptest.NewServer(seen)
	defer server.Close()
	proxied, err := chromium.Start(t.Context(), program, "--proxy-server="+server.URL, "--proxy-bypass-list=<-loopback>")
	if err != nil {
		t.Fatal(err)
	}
	defer proxied.Close()
	address, _ := page(t, "network", audit(60))
	text, err := os.ReadFile(strings.TrimPrefix(address, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := proxied.Open(address, 1200, 800, false)
	if err != nil {
		t.Fatal(err)
	}
	chromium.Value[any](t, p, `document.querySelectorAll('#list summary').forEach(s => s.click())`)
	sound(t, p, address)
	if hosts := seen.named(string(text)); len(hosts) != 0 {
		t.Errorf("the page asks for %q", hosts)
	}
	// The page's policy holds even what is put into the page later.
	const tries = `(async () => {
		const results = [];
		for (const attempt of [
			() => fetch('http://headroom.test/a'),
			() => new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = no;
				i.src = 'http://headroom.test/b'; }),
			() => new Promise((ok, no) => { const s = document.createElement('script'); s.onload = ok; s.onerror = no;
				s.src = 'http://headroom.test/c'; document.body.append(s); }),
			() => { navigator.sendBeacon('http://headroom.test/d'); throw 0; },
		]) {
			try { await attempt(); results.push('done'); } catch { results.push('refused'); }
		}
		return results.join(' ');
	})()`
	if got := chromium.Value[string](t, p, tries); got != "refused refused refused refused" {
		t.Error(got)
	}
	if hosts := seen.named("headroom.test"); len(hosts) != 0 {
		t.Errorf("the page asks for %q when told to", hosts)
	}
	// The test can see one: a page without a policy.
	bare, err := proxied.Open("about:blank", 100, 100, false)
	if err != nil {
		t.Fatal(err)
	}
	chromium.Value[any](t, bare, `fetch('http://headroom.test/').catch(() => 0)`)
	if len(seen.named("headroom.test")) == 0 {
		t.Error("the proxy sees nothing at all")
	}
}
