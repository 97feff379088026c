//go:build integration

package browser

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/chromium"
)

// picture takes a screenshot, which stays where -keep says so.
func picture(t *testing.T, p *chromium.Page, name string) []byte {
	t.Helper()
	data, err := p.Screenshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder(t), name+".png"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestLooks reads the pixels: bars have the colours of their terms, by day and by night.
func TestLooks(t *testing.T) {
	address, _ := page(t, "audit", audit(60))
	for _, c := range []struct {
		name       string
		dark       bool
		heap, page string
	}{
		{"light", false, "3a6fb5", "f6f7f9"},
		{"dark", true, "5c92da", "12161c"},
	} {
		p := open(t, address, 1280, 3600, c.dark)
		// The heap is no guess, so no hatching covers the middle of its bar.
		at := chromium.Value[[]float64](t, p, `(() => { const b = document.querySelector('#list .term').getBoundingClientRect();
			return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
		shot, err := png.Decode(bytes.NewReader(picture(t, p, c.name)))
		if err != nil {
			t.Fatal(err)
		}
		if got := hex(shot.At(int(at[0]), int(at[1]))); got != c.heap {
			t.Errorf("%s: the heap is drawn in #%s, not #%s", c.name, got, c.heap)
		}
		if got := hex(shot.At(1, 1)); got != c.page {
			t.Errorf("%s: the page is #%s, not #%s", c.name, got, c.page)
		}
	}
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)
}
