//go:build integration

package browser

import (
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/chromium"
)

// TestMany shows a large cluster: all of its data is in the page, and only a part is drawn.
func TestMany(t *testing.T) {
	const workloads = 10_000
	address, size := page(t, "many", audit(workloads))
	t.Logf("%d workloads: %.1f MiB", workloads, float64(size)/(1<<20))
	if size > 20<<20 {
		t.Errorf("the page has %d bytes", size)
	}
	p := open(t, address, 1200, 800, false)
	t.Logf("loaded after %.0f ms", chromium.Value[float64](t, p, `performance.getEntriesByType('navigation')[0].loadEventEnd`))
	const drawn = `document.querySelectorAll('#list > li').length`
	if n := chromium.Value[int](t, p, drawn); n != 50 {
		t.Errorf("%d workloads are drawn", n)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('*').length`); n > 5000 {
		t.Errorf("%d elements", n)
	}
	if text := chromium.Value[string](t, p, `document.getElementById('more').textContent`); text != "Show 50 more (of 9\u202f950)" {
		t.Error(text)
	}
	chromium.Value[any](t, p, `document.getElementById('more').click()`)
	if n := chromium.Value[int](t, p, drawn); n != 100 {
		t.Errorf("%d workloads are drawn after one more step", n)
	}
	chromium.Value[any](t, p, `location.hash = '#q=mail-service-9998'`)
	const later = `new Promise(done => setTimeout(() => done(` + status + `), 300))`
	if got := chromium.Value[string](t, p, later); got != "1 of 10\u202f000 workloads" {
		t.Error(got)
	}
	sound(t, p, address)
}
