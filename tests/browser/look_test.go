package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/headroom-dev/headroom/tests/browser/chromium"
)

func picture(t *testing.T, p *chromium.Page, name string, whole bool) []byte {
	t.Helper()
	data, err := p.Screenshot(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder(t), name+".png"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLooks(t *testing.T) {
	address, size := page(t, "audit", audit(60))
	t.Log(size)
	for name, look := range map[string]struct {
		width, height int
		dark, whole   bool
	}{
		"light": {1280, 1600, false, false}, "dark": {1280, 1600, true, false}, "narrow": {400, 1600, false, false},
		"whole": {1280, 1000, false, true},
	} {
		p := open(t, address, look.width, look.height, look.dark)
		picture(t, p, name, look.whole)
		t.Log(p.Complaints(), p.Requests())
	}
}
