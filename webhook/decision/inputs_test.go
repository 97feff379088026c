package decision

import (
	"crypto/sha256"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies"
)

func TestEveryOtherInputIsInTheKey(t *testing.T) {
	d := newDecider(t, "")
	request := Request{Object: podOf(t, "jvms"), Name: "a", Namespace: "shop", Fingerprint: "f"}
	seen := map[[sha256.Size]byte]string{keyOf(t, d, request): "nothing"}
	is := func(what string, key [sha256.Size]byte) {
		t.Helper()
		if other, ok := seen[key]; ok {
			t.Errorf("%s has the same key as %s", what, other)
		}
		seen[key] = what
	}
	moved := request
	moved.Namespace = "shopf" // nor may one part run into the next
	moved.Fingerprint = ""
	is("namespace", keyOf(t, d, moved))
	other := request
	other.Fingerprint = "g"
	is("surroundings", keyOf(t, d, other))
	other = request
	other.Before = request.Object
	is("a resize", keyOf(t, d, other))
	d.now = func() time.Time { return time.Now().Add(24 * time.Hour) }
	is("day", keyOf(t, d, request))
	for _, config := range []string{"tolerance: 0.5\n", "defaultClass: batch\n", "tolerance: 0.5\n"} {
		if err := d.Reload(t.Context(), []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n"+config)); err != nil {
			t.Fatal(err)
		}
		is(config, keyOf(t, d, request))
	}
	moved.Name = "b"
	if keyOf(t, d, moved) == keyOf(t, d, request) {
		t.Error("another namespace has the same key")
	}
}

// An exemption of the config may go by the object's name, which is then an input.
func TestNamesCountWhereTheConfigReadsThem(t *testing.T) {
	d := newDecider(t, "ignore:\n- {rules: ['*'], name: legacy-*, reason: known}\n")
	found := func(metadata string) int {
		t.Helper()
		v, err := d.Validate(t.Context(), Request{
			Object: `{"apiVersion":"v1","kind":"Pod","metadata":` + metadata + `,"spec":{"containers":[{"name":"app"}]}}`,
			Name:   "whatever", Namespace: "shop",
		})
		if err != nil {
			t.Fatal(err)
		}
		return len(v.Findings)
	}
	if n := found(`{"name":"legacy-1"}`); n != 0 {
		t.Errorf("an exempted Pod has %d findings", n)
	}
	if found(`{"name":"web-1"}`) == 0 || found(`{"generateName":"web-"}`) == 0 {
		t.Error("another Pod is exempted too")
	}
	if n := found(`{"generateName":"legacy-"}`); n != 0 {
		t.Errorf("an exempted Pod without a name yet has %d findings", n)
	}
}

// neverRead are fields that are left out wherever they stand. No policy may name one; what
// other fields are left out, policies read in other places.
var neverRead = regexp.MustCompile(
	`\.hostname\b|\b(volumeDevices|affinity|tolerations|nodeName|claimName|managedFields|finalizers|uid|` +
		`resourceVersion|creationTimestamp|deletionTimestamp|deletionGracePeriodSeconds|selfLink|` +
		`last-applied-configuration|job-completion-index)\b`)

func TestNoPolicyReadsWhatIsLeftOut(t *testing.T) {
	files := 0
	err := fs.WalkDir(policies.Files, "rego/headroom", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".rego") || strings.HasSuffix(path, "_test.rego") {
			return err
		}
		files++
		text, err := policies.Files.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, "#")
			if found := neverRead.FindString(code); found != "" {
				t.Errorf("%s:%d reads %s, which left_out.go leaves out", path, i+1, found)
			}
		}
		return err
	})
	if err != nil || files < 60 {
		t.Errorf("%d files, %v", files, err)
	}
}
