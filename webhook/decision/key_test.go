package decision

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

func newDecider(t testing.TB, config string) *Decider {
	t.Helper()
	o := Options{Deadline: time.Minute} // the tests' machine may be busy
	if config != "" {
		o.Config = []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n" + config)
	}
	d, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now() // a day that ends meanwhile makes every question a new one
	d.now = func() time.Time { return today }
	return d
}

// whole is the verdict on an object with nothing left out, as JSON, but for its name.
func whole(t testing.TB, d *Decider, s seed, object map[string]any) string {
	t.Helper()
	manifest := plain(t, object)
	child(manifest, "metadata")["namespace"] = "shop"
	fixed, err := d.current.Load().judge.Fix(t.Context(), engine.Review{Manifest: manifest, Around: s.around})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	patch, err := fixed.Recorded(manifest)
	if err != nil {
		t.Fatal(err)
	}
	return verdict(t, lean(fixed.Before.Findings, manifest), fixed.Before.Skipped, patch)
}

func verdict(t testing.TB, findings []engine.Finding, skipped []engine.Skip, patch any) string {
	t.Helper()
	findings, skipped = slices.Clone(findings), slices.Clone(skipped)
	for i := range findings {
		findings[i].Resource.Name, findings[i].Figures, findings[i].Changes = "", nil, nil
	}
	for i := range skipped {
		skipped[i].Resource.Name = ""
	}
	text := jsonOf(t, patch)
	if text == "null" || text == "[]" {
		text = ""
	}
	return jsonOf(t, []any{findings, skipped}) + text
}

func (s seed) request(t testing.TB, object map[string]any) Request {
	return Request{Object: jsonOf(t, object), Name: "a", Namespace: "shop", Around: s.around, Fingerprint: "f"}
}

// What is left out of the key is also left out of what is judged. This shows that it makes
// no difference: the verdict is that of the whole object, as the linter gives it.
func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	d := newDecider(t, "")
	all := seeds(t)
	for i := 0; i < len(all); i += len(all) / search.Rounds(len(all)) {
		s := all[i]
		want := whole(t, d, s, s.object)
		request := s.request(t, s.object)
		mutation, err := d.Mutate(t.Context(), request)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		var patch any
		if mutation.Patch != nil {
			patch = json.RawMessage(mutation.Patch)
		}
		if got := verdict(t, mutation.Before, mutation.Skipped, patch); got != want {
			t.Errorf("%s:\n got %s\nwant %s", s.name, got, want)
		}
		judged, err := d.Validate(t.Context(), request)
		if err != nil || !reflect.DeepEqual(judged.Findings, mutation.Before) {
			t.Errorf("%s: %v, to validate differs from to mutate", s.name, err)
		}
	}
}

func keyOf(t testing.TB, d *Decider, r Request) [sha256.Size]byte {
	t.Helper()
	_, _, key, err := d.key(d.current.Load(), r)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
