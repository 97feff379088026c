//go:build integration

package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/chromium"
)

const (
	titles = `[...document.querySelectorAll('#list h3')].map(h => h.textContent)`
	status = `document.getElementById('status').textContent`
)

// TestFilters follows links to one page that differ in their hash.
func TestFilters(t *testing.T) {
	address, _ := page(t, "filters", audit(60))
	for _, c := range []struct {
		hash, status string
	}{
		{"", "60 workloads"},
		{"#namespace=shop", "9 of 60 workloads"},
		{"#rule=HR303", "27 of 60 workloads"},
		{"#namespace=shop&rule=HR202", "4 of 60 workloads"},
		{"#severity=warning", "25 of 60 workloads"},
		{"#rule=HR203&severity=error", "0 of 60 workloads: nothing matches; clear the filter to see all"},
		{"#class=unclassified", "10 of 60 workloads"},
		{"#class=batch&namespace=search", "1 of 60 workloads"},
		{"#preview=refused", "27 of 60 workloads"},
		{"#q=invoice-service-13", "1 of 60 workloads"},
		{"#q=INVOICE+platform", "1 of 60 workloads"},
		{"#namespace=nowhere", "0 of 60 workloads: nothing matches; clear the filter to see all"},
		{"#unknown=1", "60 workloads"},
		{"#workloads", "60 workloads"},
	} {
		p := open(t, address+c.hash, 1200, 800, false)
		if got := chromium.Value[string](t, p, status); got != c.status {
			t.Errorf("%s: %s, not %s", c.hash, got, c.status)
		}
		sound(t, p, address+c.hash)
	}
}

// TestFilterByHand chooses, and finds the choice in the address.
func TestFilterByHand(t *testing.T) {
	address, _ := page(t, "hand", audit(60))
	p := open(t, address, 1200, 800, false)
	const shown = `new Promise(done => setTimeout(() => done(` + status + ` + ' ' + location.hash), 400))`
	choose := func(name, value string) string {
		return chromium.Value[string](t, p, `{ const f = document.forms.filter.elements['`+name+`']; f.value = '`+value+
			`'; f.dispatchEvent(new Event('input', {bubbles: true})); } `+shown)
	}
	if got := choose("namespace", "shop"); got != "9 of 60 workloads #namespace=shop" {
		t.Error(got)
	}
	if got := choose("rule", "HR202"); got != "4 of 60 workloads #namespace=shop&rule=HR202" {
		t.Error(got)
	}
	if got := choose("q", "stock-service-35"); got != "1 of 60 workloads #namespace=shop&rule=HR202&q=stock-service-35" {
		t.Error(got)
	}
	got := chromium.Value[string](t, p, `document.querySelector('#filter [type=reset]').click(); `+shown)
	if got != "60 workloads " {
		t.Error(got)
	}
	// The link of a namespace is a filter, as is the hash when a reader edits it.
	got = chromium.Value[string](t, p, `document.querySelector('#sections a[data-value=shop]').click(); `+shown)
	if got != "9 of 60 workloads #namespace=shop" {
		t.Error(got)
	}
	if got := chromium.Value[string](t, p, `location.hash = '#rule=HR303'; `+shown); got != "27 of 60 workloads #rule=HR303" {
		t.Error(got)
	}
	// A place on the page is no filter, and takes none away.
	got = chromium.Value[string](t, p, `document.querySelector('a.skip').click(); `+shown)
	if got != "27 of 60 workloads #workloads" {
		t.Error(got)
	}
	if got := choose("namespace", "shop"); got != "4 of 60 workloads #namespace=shop&rule=HR303" {
		t.Error(got)
	}
	sound(t, p, address)
}

// TestWorstFirst holds the order of the list to what the page says of it.
func TestWorstFirst(t *testing.T) {
	address, _ := page(t, "order", audit(60))
	p := open(t, address, 1200, 800, false)
	type harm struct{ Kills, Throttled, Left float64 }
	order := chromium.Value[[]harm](t, p, `data.workloads.map(w => ({Kills: w.kills || 0, Throttled: w.thr || 0, Left: w.left}))`)
	if len(order) != 60 || order[0].Kills == 0 {
		t.Fatalf("%d workloads, the first with %v", len(order), order[0])
	}
	if !slices.IsSortedFunc(order, func(a, b harm) int { return int(b.Kills - a.Kills) }) {
		t.Error("OOM kills do not come first")
	}
	first := slices.IndexFunc(order, func(h harm) bool { return h.Kills == 0 })
	tenths := func(h harm) int { return int(10*h.Throttled + 0.5) }
	if !slices.IsSortedFunc(order[first:], func(a, b harm) int { return tenths(b) - tenths(a) }) {
		t.Error("throttled cores do not come next")
	}
}

// TestBars measures the rectangles of a budget that is known.
func TestBars(t *testing.T) {
	address, _ := page(t, "bars", audit(60))
	p := open(t, address+"#q=export-service-49", 1200, 800, false)
	type rect struct {
		Class    string
		X, Width float64
	}
	const rects = `[...document.querySelector('figure.budget svg').children].map(r => {
		const all = r.parentNode.getBoundingClientRect(), box = r.getBoundingClientRect();
		return {Class: r.getAttribute('class'), X: (box.x - all.x) / all.width, Width: box.width / all.width}; })`
	drawn := chromium.Value[[]rect](t, p, rects)
	var terms []rect
	var hatched int
	for _, r := range drawn {
		switch {
		case strings.HasPrefix(r.Class, "term "):
			terms = append(terms, r)
		case r.Class == "hatched":
			hatched++
		case r.Class == "limit" && (r.X < 0.9 || r.X > 0.99): // 4096 of the 4520 MiB that the terms add up to
			t.Errorf("the limit stands at %.3f", r.X)
		}
	}
	if len(terms) != 6 || hatched != 4 {
		t.Fatalf("%d terms, %d of them assumed", len(terms), hatched)
	}
	at := 0.0
	for i, mib := range []float64{3328, 256, 240, 256, 250, 190} {
		want := mib / 4520
		if diff := terms[i].Width - want; diff < -0.002 || diff > 0.002 || terms[i].X-at > 0.002 || at-terms[i].X > 0.002 {
			t.Errorf("term %d: from %.3f, %.3f wide, not from %.3f, %.3f wide", i, terms[i].X, terms[i].Width, at, want)
		}
		at += want
	}
	dom, err := p.DOM()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"over the limit by 424 MiB", "-Xmx", "JVM default", "2016 samples of 7 days, the newest 4 minutes old", "1 OOM kill",
		`aria-label="CPU of app: request 2 cores, limit 2 cores, average 0.31 cores, peak 1.9 cores"`,
	} {
		if !strings.Contains(dom, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

// TestKeyboard opens a workload without a mouse.
func TestKeyboard(t *testing.T) {
	address, _ := page(t, "keyboard", audit(60))
	p := open(t, address, 1200, 800, false)
	chromium.Value[any](t, p, `document.querySelectorAll('#list summary')[4].focus()`)
	if err := p.Key("Enter", 13); err != nil {
		t.Fatal(err)
	}
	const opened = `new Promise(done => setTimeout(() => { const d = document.querySelectorAll('#list details')[4];
		done(d.open && d.querySelectorAll('figure svg').length > 0); }, 100))`
	if !chromium.Value[bool](t, p, opened) {
		t.Error("Enter does not open a workload")
	}
	if err := p.Key("Tab", 9); err != nil {
		t.Fatal(err)
	}
	if where := chromium.Value[string](t, p, `document.activeElement.closest('section').id`); where != "workloads" {
		t.Errorf("Tab leads to %q", where)
	}
}

// TestPaper prints: what is on the screen is open, and nothing that paper cannot do is there.
func TestPaper(t *testing.T) {
	address, _ := page(t, "paper", audit(60))
	p := open(t, address+"#namespace=shop", 1200, 800, false)
	paper, err := p.PDF()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(paper), "%PDF") {
		t.Error("no PDF")
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('#list details[open] .container').length`); n != 18 {
		t.Errorf("%d of 18 containers are printed", n)
	}
	if err := p.Media("print"); err != nil {
		t.Fatal(err)
	}
	if !chromium.Value[bool](t, p, `getComputedStyle(document.getElementById('filter')).display === 'none'`) {
		t.Error("the filter is printed")
	}
	picture(t, p, "paper")
}

// TestNoScripts reads the page where scripts do not run, as a mail program shows it.
func TestNoScripts(t *testing.T) {
	address, _ := page(t, "noscript", audit(60))
	p := open(t, "about:blank", 1200, 800, false)
	if err := p.NoScripts(); err != nil {
		t.Fatal(err)
	}
	if err := p.Go(address); err != nil {
		t.Fatal(err)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('noscript tbody tr').length`); n != 50 {
		t.Errorf("%d workloads are listed", n)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('#sections tbody tr').length`); n != 7 {
		t.Errorf("%d namespaces are listed", n)
	}
	picture(t, p, "noscript")
}

func TestNarrow(t *testing.T) {
	address, _ := page(t, "narrow", audit(60))
	p := open(t, address, 400, 800, false)
	if w := chromium.Value[int](t, p, `document.documentElement.scrollWidth`); w > 400 {
		t.Errorf("a page of 400 pixels is %d wide", w)
	}
}

func names(list []string, part string) int {
	n := 0
	for _, name := range list {
		if strings.Contains(name, part) {
			n++
		}
	}
	return n
}
