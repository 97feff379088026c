package drawing

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/cfs"
)

func TestBars(t *testing.T) {
	b := Bars{Title: "<Table II>", Heading: "3 busy threads", Rows: []Bar{
		{"period 100 ms, none", cfs.Spread{Mean: 0.0644, Max: 0.215}},
		{"]]>\x1b" + strings.Repeat("a", 100), cfs.Spread{Mean: 1, Min: 1, Max: 1}},
		{"", cfs.Spread{}},
	}}
	picture := b.SVG()
	checkSVG(t, "bars", picture)
	for _, part := range []string{
		"6.4 % (0.0 to 21.5)</text>", "&lt;Table II&gt;: 3 busy threads</title>", "period 100 ms, none: 6.4 % (0.0 to 21.5).",
	} {
		if !strings.Contains(string(picture), part) {
			t.Errorf("no %q", part)
		}
	}
	checkSVG(t, "none", Bars{}.SVG())
	checkSVG(t, "both", Stack([]Picture{b, b, gcBurst(t)}))
}
