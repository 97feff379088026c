package webhook

import (
	"slices"
	"testing"
)

func TestPagesOfTheProgram(t *testing.T) {
	const good = "00400000-01db6000 r-xp 00000000 fe:00 1234 /headroom\n"
	first := pages{0x400000, 0x1db6000 - 0x400000}
	for _, tc := range []struct {
		name, maps string
		want       []pages
	}{
		{"none", "", nil},
		{"one", good, []pages{first}},
		{"two", good + "01db6000-01db7000 r--p 00000000 fe:00 1234 /headroom\n", []pages{first, {0x1db6000, 0x1000}}},
		{"one that can be written", "00400000-01db6000 rw-p 00000000 fe:00 1234 /headroom\n" + good, []pages{first}},
		{"of another file", "00400000-01db6000 r-xp 00000000 fe:00 1234 /lib\n" + good, []pages{first}},
		{"of no file", "7f0000000000-7f0000001000 r-xp 00000000 00:00 0\n" + good, []pages{first}},
		{"of a file that is gone", "00400000-01db6000 r-xp 00000000 fe:00 1234 /headroom (deleted)\n" + good, []pages{first}},
		{"from nowhere", good + "x-01db6000 r-xp 00000000 fe:00 1234 /headroom\n" + good, []pages{first}},
		{"to nowhere", good + "00400000 r-xp 00000000 fe:00 1234 /headroom\n" + good, []pages{first}},
	} {
		if got := ownPages(tc.maps, "/headroom"); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %x, not %x", tc.name, got, tc.want)
		}
	}
	releasePages() // of the test itself, which goes on
}
