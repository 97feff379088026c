package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// The policies must answer whatever the input is: a built-in that fails aborts the whole
// evaluation, and every finding with it. These tests break manifests in every place
// and ask again.

const (
	usualSeed   = 20261121
	usualRounds = 20000
)

func TestTotalOnBrokenManifests(t *testing.T) {
	seed, rounds := search.Seed(t, usualSeed), int64(search.Rounds(usualRounds))
	e := newEngine(t)
	seeds := append(manifests(t, os.DirFS("../rego/headroom/rules")), manifests(t, os.DirFS(repo.Path("tests/manifests")))...)
	if len(seeds) == 0 {
		t.Fatal("no manifests to break")
	}
	seeds = append(seeds, withMeasurements(seeds)...)
	breaks(t, seeds, seed, rounds, func(input any) error { return answer(e, input) })
}

// breaks asks about broken seeds, on all processors.
func breaks(t *testing.T, seeds []any, seed uint64, rounds int64, ask func(input any) error) {
	t.Helper()
	var asked atomic.Int64
	var failed sync.Map // by error, so that one mistake is reported once
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for round := asked.Add(1); round <= rounds; round = asked.Add(1) {
				// A failure names its round, which with the seed makes the same input again.
				random := rand.New(rand.NewPCG(seed, uint64(round)))
				input := DeepCopy(seeds[random.IntN(len(seeds))])
				var broken []string
				for range 1 + random.IntN(3) {
					broken = append(broken, breakOne(random, &input))
				}
				err := ask(input)
				if err == nil {
					continue
				}
				if _, told := failed.LoadOrStore(err.Error(), true); !told {
					text, _ := json.Marshal(input)
					t.Errorf("round %d, broken at %v: %v\ninput: %s", round, broken, err, text)
				}
			}
		})
	}
	group.Wait()
}

func TestTotalOnAnyJSON(t *testing.T) {
	e := newEngine(t)
	for _, text := range anyJSON {
		input := decodeJSON(t, text)
		if err := answer(e, input); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := explains(e, input); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzTotal(f *testing.F) {
	for _, text := range anyJSON {
		f.Add([]byte(text))
	}
	for _, seed := range manifests(f, os.DirFS("../rego/headroom/rules")) {
		text, err := json.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	e := newEngine(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		var input any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&input) != nil {
			t.Skip("no JSON") // the fuzzer's bytes never reach the policies then
		}
		if err := answer(e, input); err != nil {
			t.Error(err)
		}
	})
}

// anyJSON is input that is no manifest, or hardly one.
var anyJSON = []string{
	`null`, `true`, `false`, `0`, `-1.5e300`, `""`, `"text"`, `[]`, `{}`, `[null]`, `[1,"a",[],{}]`, `{"items":null}`,
	`{"items":[]}`, `{"items":[null,1,"a",[],{}]}`, `{"items":[{"items":[null,1,{}]}]}`, `{"items":{"a":1}}`,
	`[{"contents":null}]`, `[{"contents":[null,1,{}]}]`, `[{"contents":{"items":[{"items":[1,{"kind":1}]}]}}]`,
	`{"kind":"AdmissionReview"}`, `{"kind":"AdmissionReview","request":null}`,
	`{"kind":"AdmissionReview","request":{"object":null,"oldObject":{"spec":{"template":{"spec":{"containers":[]}}}}}}`,
	`{"kind":"AdmissionReview","request":{"namespace":5,"object":{"apiVersion":"v1","kind":"Pod"}}}`,
	`{"apiVersion":"headroom.dev/v1alpha1","kind":"Review"}`,
	`{"apiVersion":"headroom.dev/v1alpha1","kind":"Review","object":"a","prefix":"b","namespace":[],"context":"c"}`,
	`{"apiVersion":"headroom.dev/v1alpha1","kind":"Review","object":{"apiVersion":"v1","kind":"Pod"},` +
		`"context":{"owners":7,"namespaces":["a",null],"limit_ranges":{"a":1},"config_maps":[[]],"resource_quotas":null}}`,
	`{"apiVersion":"headroom.dev/v1alpha1","kind":"Review","object":{"apiVersion":"v1","kind":"Pod"},` +
		`"context":{"owners":[{"kind":[],"annotations":[]}],"namespaces":[{"metadata":{"annotations":{` +
		`"headroom.dev/allow-ignore":1,"headroom.dev/allowed-classes":{},"headroom.dev/default-class":[]}}}]}}`,
	`{"apiVersion":"headroom.dev/v1alpha1","kind":"Review","object":{"apiVersion":"v1","kind":"Pod",` +
		`"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":5}]}},"context":{"measured":{"a":null,` +
		`"b":{"source":[],"samples":"1e9","oom_kills":{},"throttled":1e300,"periods":1e-300,"cpu_average":7,` +
		`"cpu_peak":"1e18","memory_peak":"-1","age_seconds":-5}}}}`,
	`{"apiVersion":"apps/v1","kind":"Deployment","spec":null}`, `{"apiVersion":["apps/v1"],"kind":{"a":1}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":null,"spec":{"containers":null,"initContainers":"a"}}`,
	`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":["a"],"name":5,"namespace":{}},` +
		`"spec":{"containers":{"a":{}}}}`,
}

// answer evaluates any input and checks the shape of what comes back.
func answer(e *Engine, input any) error {
	value, err := plan.FromGo(input)
	if err != nil {
		return fmt.Errorf("convert the input: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	v, err := e.decide(ctx, value)
	if err != nil {
		return err
	}
	if len(v.Failed) > 0 {
		return fmt.Errorf("%w: %w", v.Failed[0], v.Failed[0].Err)
	}
	for _, f := range v.Findings {
		switch {
		case f.Severity != SeverityError && f.Severity != SeverityWarning && f.Severity != SeverityInfo:
			return fmt.Errorf("%s has severity %q", f.Rule, f.Severity)
		case strings.Contains(f.Message, "%!") || strings.Contains(f.Expected, "%!"):
			return fmt.Errorf("%s is badly worded: %q, %q", f.Rule, f.Message, f.Expected)
		case len(f.Message) > 1<<15:
			return fmt.Errorf("%s says %d bytes", f.Rule, len(f.Message))
		}
	}
	details, err := e.detail(ctx, value)
	if err != nil {
		return err
	}
	containers := 0
	for _, object := range v.Objects {
		containers += len(object.Containers)
	}
	if len(details) != containers {
		return fmt.Errorf("details of %d containers, verdicts on %d", len(details), containers)
	}
	return nil
}

// withMeasurements are reviews of the same manifests with something measured of every name.
func withMeasurements(manifests []any) []any {
	var reviews []any
	for _, manifest := range manifests {
		measured := map[string]any{}
		for _, at := range collect(&manifest) {
			if name, ok := at.get().(string); ok && strings.HasSuffix(at.path, "/name") {
				measured[name] = map[string]any{
					"source": "Prometheus", "window_seconds": 604800, "samples": 10080, "age_seconds": 40,
					"cpu_average": "1200m", "cpu_peak": "1900m", "memory_peak": "900Mi",
					"periods": 1000, "throttled": 100, "throttled_seconds": 12.5, "oom_kills": 1, "restarts": 1,
				}
			}
		}
		reviews = append(reviews, map[string]any{
			"apiVersion": "headroom.dev/v1alpha1", "kind": "Review",
			"object": manifest, "context": map[string]any{"measured": measured},
		})
	}
	return reviews
}

func newEngine(tb testing.TB) *Engine {
	tb.Helper()
	e, err := New(context.Background(), Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// manifests reads every document below a directory, and every file of several as a List.
func manifests(tb testing.TB, dir fs.FS) []any {
	tb.Helper()
	var found []any
	err := fs.WalkDir(dir, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := fs.ReadFile(dir, path)
		if err != nil {
			return err
		}
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		var documents []any
		for {
			var document map[string]any
			if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			// The largest are definitions that no rule reads; copying them is all they cost.
			if document["kind"] != "CustomResourceDefinition" {
				documents = append(documents, document)
			}
		}
		if len(documents) > 1 && len(text) < 1<<15 {
			found = append(found, map[string]any{"apiVersion": "v1", "kind": "List", "items": documents})
		}
		found = append(found, documents...)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func decodeJSON(tb testing.TB, text string) any {
	tb.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		tb.Fatal(err)
	}
	return value
}
