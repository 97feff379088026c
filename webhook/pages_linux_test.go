package webhook

import (
	"slices"
	"testing"
)

func TestPagesOfTheProgram(t *testing.T) {
	const clean, good = "Rss:  8 kB\nAnonymous:             0 kB\n", "00400000-01db6000 r-xp 00000000 fe:00 1234 /headroom\n"
	first := pages{0x400000, 0x1db6000 - 0x400000}
	for _, tc := range []struct {
		name, maps string
		want       []pages
	}{
		{"none", "", nil},
		{"one", good + clean, []pages{first}},
		{"two", good + clean + "01db6000-01db7000 r--p 00000000 fe:00 1234 /headroom\n" + clean, []pages{first, {0x1db6000, 0x1000}}},
		{"addresses that the loader has written", "01db6000-01db7000 r--p 00000000 fe:00 1234 /headroom\nAnonymous:  4 kB\n" + good + clean, []pages{first}},
		{"one that can be written", "00400000-01db6000 rw-p 00000000 fe:00 1234 /headroom\n" + clean + good + clean, []pages{first}},
		{"of another file", "00400000-01db6000 r-xp 00000000 fe:00 1234 /lib\n" + clean + good + clean, []pages{first}},
		{"of no file", "7f0000000000-7f0000001000 r-xp 00000000 00:00 0\n" + clean + good + clean, []pages{first}},
		{"of a file that is gone", "00400000-01db6000 r-xp 00000000 fe:00 1234 /headroom (deleted)\n" + clean + good + clean, []pages{first}},
		{"from nowhere", "x-01db6000 r-xp 00000000 fe:00 1234 /headroom\n" + clean + good + clean, []pages{first}},
		{"backwards", "01db6000-00400000 r-xp 00000000 fe:00 1234 /headroom\n" + clean + good + clean, []pages{first}},
	} {
		if got := ownPages(tc.maps, "/headroom"); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %x, not %x", tc.name, got, tc.want)
		}
	}
	releasePages() // of the test itself, which goes on
}
