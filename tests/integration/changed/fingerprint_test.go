//go:build integration

package changed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/internal/render"
	rendered "github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/random"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var policies = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.New(context.Background(), engine.Options{})
})

// tester is what tests and generated checks report to.
type tester interface {
	Helper()
	Fatal(arguments ...any)
}

// written renders what is found in paths.
func written(t tester, format string, paths ...string) []byte {
	t.Helper()
	e, err := policies()
	if err != nil {
		t.Fatal(err)
	}
	r, err := lint.Run(context.Background(), e, lint.Options{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := render.Write(&out, format, r, render.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fingerprints are those of all findings, each with its rule and container, sorted.
func fingerprints(t tester, paths ...string) []string {
	t.Helper()
	var r struct {
		Findings, Exempted []struct{ Rule, Container, Fingerprint string }
	}
	if err := json.Unmarshal(written(t, "json", paths...), &r); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range slices.Concat(r.Findings, r.Exempted) {
		list = append(list, f.Rule+" "+f.Container+" "+f.Fingerprint)
	}
	slices.Sort(list)
	return list
}

// verdicts are fingerprints by all that was said; what was said twice is left out.
func verdicts(t tester, path string) map[string]string {
	t.Helper()
	var r struct {
		Findings []struct {
			Rule, Container, Fingerprint, Message string
			Resource                              engine.Resource
		}
	}
	if err := json.Unmarshal(written(t, "json", path), &r); err != nil {
		t.Fatal(err)
	}
	said, twice := map[string]string{}, map[string]bool{}
	for _, f := range r.Findings {
		verdict := fmt.Sprint(f.Rule, f.Resource, f.Container, f.Message)
		twice[verdict] = twice[verdict] || said[verdict] != ""
		said[verdict] = f.Fingerprint
	}
	for verdict := range twice {
		if twice[verdict] {
			delete(said, verdict)
		}
	}
	return said
}

// manifest is objects as a file of documents, with so many lines of comments before each.
func manifest(objects []map[string]any, comments int) string {
	var b strings.Builder
	for _, o := range objects {
		text, err := json.MarshalIndent(o, "", "  ") // JSON is YAML
		if err != nil {
			panic(err) // it came from JSON
		}
		fmt.Fprintf(&b, "---\n%s%s\n", strings.Repeat("# more\n\n", comments), text)
	}
	return b.String()
}

func place(t tester, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFingerprintsStay moves what can be moved without making another finding of one: lines,
// documents, containers, files, and objects into a List.
func TestFingerprintsStay(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "fingerprints")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var objects []map[string]any
		for i := range rapid.IntRange(1, 4).Draw(t, "objects") {
			o := random.New(t).Object
			meta, _ := o["metadata"].(map[string]any)
			if meta == nil {
				meta = map[string]any{}
				o["metadata"] = meta
			}
			meta["name"] = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, fmt.Sprint("name", i))
			objects = append(objects, o)
		}
		want := fingerprints(t, place(t, dir+"/0", map[string]string{"x.yaml": manifest(objects, 0)}))
		found += len(want)
		if twice := duplicate(want); twice != "" {
			t.Fatalf("%s is there twice", twice)
		}
		moved := slices.Clone(objects)
		slices.Reverse(moved)
		items := []any{}
		for _, o := range moved {
			items = append(items, o)
		}
		apart := map[string]string{}
		for i, o := range objects {
			apart[fmt.Sprintf("deep/%d/%d.yml", 9-i, i)] = manifest([]map[string]any{o}, i)
		}
		for i, c := range []struct {
			what  string
			files map[string]string
		}{
			{"lines", map[string]string{"x.yaml": manifest(objects, 7)}},
			{"documents", map[string]string{"x.yaml": manifest(moved, 1)}},
			{"a file", map[string]string{"other/name.yaml": manifest(objects, 0)}},
			{"files", apart},
			{"a List", map[string]string{"l.json": manifestOf(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})}},
		} {
			if got := fingerprints(t, place(t, fmt.Sprintf("%s/%d", dir, i+1), c.files)); !slices.Equal(got, want) {
				t.Fatalf("moved %s: %q, not %q", c.what, got, want)
			}
		}
		// Of containers, the first is the one that some annotations speak of, so that a verdict may
		// be another one; where it is not, it has the same fingerprint.
		before := verdicts(t, dir+"/0")
		after := verdicts(t, place(t, dir+"/turned", map[string]string{"x.yaml": manifest(turned(objects), 0)}))
		for verdict, print := range before {
			if other := after[verdict]; other != "" && other != print {
				t.Fatalf("moved containers: %s has %s, not %s", verdict, other, print)
			}
		}
	})
	if found < 100 {
		t.Errorf("only %d findings", found)
	}
}

func manifestOf(o map[string]any) string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func duplicate(sorted []string) string {
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return sorted[i]
		}
	}
	return ""
}

// turned are copies of objects whose containers come in the other order.
func turned(objects []map[string]any) []map[string]any {
	var all []map[string]any
	for _, o := range objects {
		var c map[string]any
		if err := json.Unmarshal([]byte(manifestOf(o)), &c); err != nil {
			panic(err)
		}
		turn(c)
		all = append(all, c)
	}
	return all
}

func turn(value any) {
	m, _ := value.(map[string]any)
	for key, entry := range m {
		if list, ok := entry.([]any); ok && key == "containers" {
			slices.Reverse(list)
		}
		turn(entry)
	}
}

// TestFingerprintsOfManifests are each there once, and the same in every format.
func TestFingerprintsOfManifests(t *testing.T) {
	paths := append(repo.SaidProjects(t), repo.Path("tests/manifests"), repo.Path("samples"))
	prints := fingerprints(t, paths...)
	if len(prints) < 200 {
		t.Fatalf("only %d findings", len(prints))
	}
	var bare []string
	for _, p := range prints {
		bare = append(bare, p[strings.LastIndex(p, " ")+1:])
	}
	slices.Sort(bare)
	if twice := duplicate(bare); twice != "" {
		t.Errorf("%s is there twice", twice)
	}

	var log struct {
		Runs []struct {
			Results []struct{ PartialFingerprints map[string]string }
		}
	}
	if err := json.Unmarshal(written(t, "sarif", paths...), &log); err != nil {
		t.Fatal(err)
	}
	var sarif []string
	for _, r := range log.Runs[0].Results {
		sarif = append(sarif, r.PartialFingerprints["headroom/v1"])
	}
	if slices.Sort(sarif); !slices.Equal(sarif, bare) {
		t.Error("SARIF has other fingerprints than JSON")
	}

	var issues []struct {
		Fingerprint string
		CheckName   string `json:"check_name"`
	}
	if err := json.Unmarshal(written(t, "gitlab", paths...), &issues); err != nil {
		t.Fatal(err)
	}
	for _, i := range issues {
		// What could not be read is an issue to GitLab, and a problem of its own to JSON.
		if _, known := slices.BinarySearch(bare, i.Fingerprint); !known && i.CheckName != rendered.NotRead {
			t.Errorf("%s is in the GitLab report alone", i.Fingerprint)
		}
	}
}
