//go:build integration

package browser

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/tests/harness/chromium"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// TestLint opens the page of real manifests, which are scored by file.
func TestLint(t *testing.T) {
	e := defaults.Engine(t)
	r, err := lint.Run(t.Context(), e, lint.Options{Paths: []string{"../../../samples"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Rules = rules()
	address, _ := page(t, "lint", r)
	p := open(t, address+"#file="+r.Findings[0].File, 1200, 1600, false)
	if got := chromium.Value[string](t, p, status); !strings.HasPrefix(got, "1 of ") {
		t.Errorf("%s for one file", got)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('#list .term').length`); n != 6 {
		t.Errorf("%d of the 6 terms of a budget are drawn", n)
	}
	if head := chromium.Value[string](t, p, `document.querySelector('#sections th').textContent`); head != "File" {
		t.Errorf("the table is by %s", head)
	}
	link := chromium.Value[string](t, p, `document.querySelector('#list .rule a').href`)
	if !strings.Contains(link, "/docs/rules/HR") {
		t.Errorf("a rule leads to %q", link)
	}
	if got := chromium.Value[string](t, p, titles+`.join()`); got != "article-service" {
		t.Errorf("%s is listed", got)
	}
	sound(t, p, address)
}
