//go:build integration

package browser

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/chromium"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// explanation is a sample explained with its timeline and a change.
func explanation(t *testing.T) *explain.Report {
	t.Helper()
	e := defaults.Engine(t)
	o := explain.Options{Paths: []string{"../../../samples/wrong/article-service.yaml"}, Timeline: true}
	var err error
	if o.WhatIf, err = explain.ParseChanges(change); err != nil {
		t.Fatal(err)
	}
	r, err := explain.Run(t.Context(), e, o)
	if err != nil || len(r.Problems) > 0 {
		t.Fatal(err, r)
	}
	return r
}

// explained writes a report in a format, and gives the address of the file.
func explained(t *testing.T, name, format string, r *explain.Report) string {
	t.Helper()
	var text bytes.Buffer
	if err := explain.Write(&text, format, r, false, 0); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder(t), name+"."+format)
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// change halves the budget, and adds what a second bar and a second timeline show.
const change = "-Xmx=1g,-XX:MaxDirectMemorySize=256m,gc-threads=4"

// TestExplainPage: each region of both bars is as wide as its share of the figures.
func TestExplainPage(t *testing.T) {
	r := explanation(t)
	address := explained(t, "explain", "html", r)
	p := open(t, address, 1200, 1600, false)
	type rect struct{ X, Width float64 }
	drawn := chromium.Value[[][]rect](t, p, `[...document.querySelectorAll('svg.bar')].map(bar => {
		const all = bar.getBoundingClientRect();
		return [...bar.querySelectorAll('.term')].map(r => {
			const box = r.getBoundingClientRect();
			return {X: (box.x - all.x) / all.width, Width: box.width / all.width}; }); })`)
	c := &r.Workloads[0].Containers[0]
	budgets := []*engine.Budget{c.Budget, c.WhatIf.Then.Budget}
	if len(drawn) != len(budgets) {
		t.Fatalf("%d bars are drawn", len(drawn))
	}
	for i, b := range budgets {
		at, scale := 0.0, math.Max(b.LimitMiB, b.TotalMiB)
		if len(drawn[i]) != len(b.Terms) {
			t.Fatalf("%d regions of %d are drawn", len(drawn[i]), len(b.Terms))
		}
		for j, term := range b.Terms {
			got := drawn[i][j]
			if math.Abs(got.X-at) > 0.002 || math.Abs(got.Width-term.MiB/scale) > 0.002 {
				t.Errorf("bar %d, %s: from %.3f, %.3f wide, not from %.3f, %.3f wide",
					i, term.Name, got.X, got.Width, at, term.MiB/scale)
			}
			at += term.MiB / scale
		}
	}
	limit := chromium.Value[float64](t, p, `(() => { const bar = document.querySelector('svg.bar').getBoundingClientRect();
		const line = document.querySelector('line.limit').getBoundingClientRect();
		return (line.x + line.width / 2 - bar.x) / bar.width; })()`)
	if want := c.Budget.LimitMiB / c.Budget.TotalMiB; math.Abs(limit-want) > 0.004 {
		t.Errorf("the limit stands at %.3f, not %.3f", limit, want)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('.timeline svg').length`); n != 2 {
		t.Errorf("%d timelines of 2", n)
	}
	if n := chromium.Value[int](t, p, `document.querySelectorAll('s').length + document.querySelectorAll('script').length`); n != 0 {
		t.Errorf("%d flags have lost, or a script runs", n)
	}
	sound(t, p, address)
}

// TestExplainLooks reads the pixels, by day and by night: the picture within the page has its own
// style, which the page's policy has to allow.
func TestExplainLooks(t *testing.T) {
	address := explained(t, "looks", "html", explanation(t))
	for name, c := range map[string]struct {
		dark             bool
		heap, page, card string
	}{
		"explain-light": {false, "3a6fb5", "f6f7f9", "ffffff"},
		"explain-dark":  {true, "5c92da", "12161c", "1a2029"},
	} {
		p := open(t, address, 1280, 3000, c.dark)
		at := chromium.Value[[]float64](t, p, `(() => { const heap = document.querySelector('svg.bar .term').getBoundingClientRect();
			const card = document.querySelector('article').getBoundingClientRect();
			return [heap.x + heap.width / 4, heap.y + heap.height / 2, card.x + 6, card.y + 40]; })()`)
		shot, err := png.Decode(bytes.NewReader(picture(t, p, name)))
		if err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string][2]string{
			"the heap": {hex(shot.At(int(at[0]), int(at[1]))), c.heap}, "the page": {hex(shot.At(1, 1)), c.page},
			"the card": {hex(shot.At(int(at[2]), int(at[3]))), c.card},
		} {
			if got[0] != got[1] {
				t.Errorf("%s: %s is #%s, not #%s", name, what, got[0], got[1])
			}
		}
		// The picture of the timeline follows its reader too.
		fill := chromium.Value[string](t, p, `getComputedStyle(document.querySelector('.timeline svg .hr-ground')).fill`)
		if fill == "rgb(0, 0, 0)" || (fill == "rgb(255, 255, 255)") == c.dark {
			t.Errorf("%s: the timeline stands on %s", name, fill)
		}
		sound(t, p, address)
	}
}

// TestExplainNarrow: nothing is wider than a telephone but what scrolls by itself.
func TestExplainNarrow(t *testing.T) {
	address := explained(t, "narrow", "html", explanation(t))
	for _, width := range []int{320, 380, 768} {
		p := open(t, address, width, 900, false)
		if wide := chromium.Value[int](t, p, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("%d pixels wide on a screen of %d", wide, width)
		}
		picture(t, p, "explain-"+strconv.Itoa(width))
		sound(t, p, address)
	}
}

// TestExplainPicture opens the picture by itself.
func TestExplainPicture(t *testing.T) {
	r := explanation(t)
	address := explained(t, "explain-picture", "svg", r)
	p := open(t, address, 960, 1700, false)
	picture(t, p, "explain-svg")
	// Two bars of six regions and their tracks.
	if n := chromium.Value[int](t, p, `[...document.querySelectorAll('rect')].filter(r =>
		/^m-(t[0-5]|track)$/.test(r.getAttribute('class')) && r.getAttribute('height') === '34').length`); n != 14 {
		t.Errorf("%d rectangles of 14", n)
	}
	overlap := chromium.Value[bool](t, p, `(() => { let last = 0; for (const part of document.documentElement.children) {
		if (part.tagName !== 'svg') continue;
		if (part.y.baseVal.value < last) return true; last = part.y.baseVal.value + part.height.baseVal.value; }
		return last !== document.documentElement.viewBox.baseVal.height; })()`)
	if overlap {
		t.Error("the parts of the picture do not stand below each other")
	}
	sound(t, p, address)
}

// TestExplainHostile: names that would run, load or leave the page, were they taken for markup.
func TestExplainHostile(t *testing.T) {
	const server = "https://attacker.example"
	r := explanation(t)
	c := &r.Workloads[0].Containers[0]
	for _, evil := range hostileTexts(server) {
		w := r.Workloads[0]
		w.Resource.Name, w.Resource.Kind, w.File, w.Notes = evil, evil, evil, []string{evil}
		one := *c
		one.Container, one.Class, one.ClassEvidence, one.Unknown = evil, evil, evil, []string{evil}
		one.Flags = []engine.FlagLine{{Text: evil, Source: evil, Note: evil}}
		one.Findings = []engine.Finding{{Rule: evil, Slug: evil, Severity: evil, Message: evil, Expected: evil}}
		one.Passing.Block, one.Passing.ToolOptions = evil, evil
		line := *c.Timeline
		line.Title, line.Loads = evil, append(line.Loads[:0:0], line.Loads...)
		for i := range line.Loads {
			line.Loads[i].Name = evil
		}
		one.Timeline = &line
		w.Containers = []explain.Container{one}
		r.Workloads = append(r.Workloads, w)
	}
	for _, format := range []string{"html", "svg"} {
		address := explained(t, "explain-hostile", format, r)
		p := open(t, address, 1200, 900, false)
		if owned := chromium.Value[string](t, p, `String(window.owned)`); owned != "undefined" {
			t.Errorf("%s: a name was run: %s", format, owned)
		}
		if n := chromium.Value[int](t, p, `document.querySelectorAll('script, img, iframe, link[rel=stylesheet]').length`); n != 0 {
			t.Errorf("%s: %d elements that a name brought", format, n)
		}
		for _, request := range p.Requests() {
			if strings.HasPrefix(request, server) {
				t.Errorf("%s: asks for %s", format, request)
			}
		}
		sound(t, p, address)
	}
}
