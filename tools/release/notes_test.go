package main

import (
	"testing"

	"github.com/headroom-dev/headroom/tools/release/manifest"
)

// A note says what the file would be: headroom.yaml is elsewhere a config.
func TestNoteOfWhatIsMissing(t *testing.T) {
	var r release
	missing := &manifest.MissingError{Archive: "headroom_linux_amd64.tar.gz"}
	if err := r.unlessMissing("headroom.yaml", "krew's manifest", nil, missing); err != nil {
		t.Fatal(err)
	}
	want := "not made: headroom.yaml, krew's manifest: headroom_linux_amd64.tar.gz was not built"
	if len(r.notes) != 1 || r.notes[0] != want {
		t.Errorf("%q, want %s", r.notes, want)
	}
}
