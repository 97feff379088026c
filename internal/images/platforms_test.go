package images

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// Published images have many platforms, and an attestation for each: the wanted one may be the last.
func TestFindsThePlatformBehindManyOthers(t *testing.T) {
	f, manifest := good()
	var entries []string
	for i := range 20 {
		entries = append(entries, entryOf(manifestType, fmt.Sprint(i), fmt.Sprintf("other%d", i)))
	}
	f["manifests/many"] = indexOf(append(entries, entryOf(manifestType, manifest, "amd64"))...)
	f["manifests/none"] = indexOf(entries...)
	f.with(f["manifests/many"], f["manifests/none"])
	r, host := reach(t, f, nil)
	if found, err := r.Find(t.Context(), host+"/a:many"); err != nil || found.Digest != digestOf(manifest) {
		t.Errorf("found %+v, %v", found, err)
	}
	_, err := r.Find(t.Context(), host+"/a:none")
	if err == nil || !strings.Contains(err.Error(), "other6, …") || strings.Contains(err.Error(), "other7") {
		t.Errorf("the message is %v", err)
	}
}

// The author of an index chooses its platforms' names, which a message shows.
func TestErrorsArePrintable(t *testing.T) {
	f, _ := good()
	f["manifests/evil"] = indexOf(entryOf(manifestType, "x", "\u202eevil"),
		`{"digest":"`+digestOf("y")+`","size":1,"platform":{"os":"\u001b[2J","architecture":"a"}}`)
	f["manifests/long"] = indexOf(entryOf(manifestType, "x", strings.Repeat("a", 1<<20)))
	f.with(f["manifests/evil"], f["manifests/long"])
	r, host := reach(t, f, nil)
	for _, tag := range []string{"evil", "long"} {
		_, err := r.Find(t.Context(), host+"/a:"+tag)
		if err == nil || strings.IndexFunc(err.Error(), terminal.Unsafe) >= 0 || len(err.Error()) > 400 {
			t.Errorf("%s: the message is %.400q", tag, fmt.Sprint(err))
		}
	}
}
