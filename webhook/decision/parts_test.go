package decision

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

func TestExtent(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "1": 0, "{}": 1, "[][]": 1, "[{}]": 2, "[{},[[]]]": 3, `"[["`: 0, `"a\"[["`: 0, `["\\",[]]`: 2, `["\\\"[["]`: 1, `["[[`: 1,
	} {
		if got, _ := extent(text); got != want {
			t.Errorf("%s: %d, not %d", text, got, want)
		}
	}
	for text, want := range map[string]int{"": 0, "[1,22]": 2, "a1": 1, `"123",45`: 2, `{"a1":1.25e-333}`: 3, "-0": 1} {
		if _, got := extent(text); got != want {
			t.Errorf("%s: %d digits, not %d", text, got, want)
		}
	}
	for text, want := range map[string]int{
		`""`: 1, `"a"`: 2, `"\"`: 3, `"\""`: 3, `"\\"`: 3, `"\\\""`: 5, `"\\\\"`: 5, `"a" "`: 2, `"`: 1, `"a\"b\\"c`: 7,
	} {
		if got := closing(text, 0); got != want {
			t.Errorf("%s ends at %d, not %d", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	named := engine.Resource{APIVersion: "1", Kind: "22", Namespace: "333", Name: "4444"}
	const fixed, each = 256, 320
	for _, tc := range []struct {
		name string
		o    outcome
		want int64
	}{
		{"nothing", outcome{}, fixed},
		{"a patch", outcome{patch: make([]byte, 7)}, fixed + 7},
		{
			"findings", outcome{findings: []engine.Finding{
				{Message: "1", Expected: "22", Container: "333", Path: "4444", Resource: named}, {Message: "1"},
			}}, fixed + 2*each + 10 + 10 + 1,
		},
		{"what is skipped", outcome{skipped: []engine.Skip{{What: "1", Reason: "22", Resource: named}}}, fixed + each + 3 + 10},
		{
			"changes",
			outcome{applied: []engine.Applied{{Container: "1", Path: "22", Old: "333", New: "4444", Added: "55555"}}},
			fixed + each + 15,
		},
		{"exemptions", outcome{exempted: []engine.Finding{
			{Container: "1", Suppressed: &engine.Suppression{Reason: "22", Until: "333"}}, {Suppressed: &engine.Suppression{}},
		}}, fixed + 2*(each+48) + 6},
		{
			"all", outcome{
				patch: []byte("1"), findings: []engine.Finding{{}}, skipped: []engine.Skip{{}, {}}, applied: []engine.Applied{{}, {}, {}},
			}, fixed + 1 + 6*each,
		},
	} {
		if got := tc.o.size(); got != tc.want {
			t.Errorf("%s: %d, not %d", tc.name, got, tc.want)
		}
	}
}

func keyFor(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// No decision that takes more than its share is kept, and so many of them fill the cache.
func TestTheLargestDecisions(t *testing.T) {
	const share = 256 << 10
	sized := func(size int) *outcome { return &outcome{patched: true, patch: make([]byte, size-256)} }
	c := newCache(100)
	c.add(keyFor("too large"), sized(share+1))
	if c.len() != 0 || c.bytes.Load() != 0 {
		t.Errorf("%d entries with %d bytes", c.len(), c.bytes.Load())
	}
	for i := range 32 {
		c.add(keyFor(fmt.Sprint(i)), sized(share))
	}
	if c.len() != 32 || c.bytes.Load() != maxCacheBytes {
		t.Errorf("%d entries with %d bytes", c.len(), c.bytes.Load())
	}
	c.add(keyFor("one more"), &outcome{})
	if c.len() != 32 || c.get(keyFor("0")) != nil || c.get(keyFor("one more")) == nil {
		t.Errorf("%d entries with %d bytes", c.len(), c.bytes.Load())
	}
}

func TestWhatIsKept(t *testing.T) {
	plain, fixable := []engine.Finding{{}}, []engine.Finding{{}, {Fixable: true}}
	var none *outcome
	for _, tc := range []struct {
		name             string
		o                *outcome
		judged, andFixed bool
	}{
		{"none", none, false, false},
		{"nothing found", &outcome{}, true, true},
		{"nothing that can be fixed", &outcome{findings: plain}, true, true},
		{"something that can", &outcome{findings: fixable}, true, false},
		{"and is", &outcome{findings: fixable, patched: true}, true, true},
	} {
		if tc.o.answers(false) != tc.judged || tc.o.answers(true) != tc.andFixed {
			t.Errorf("%s: %t, %t", tc.name, tc.o.answers(false), tc.o.answers(true))
		}
	}
	c, key := newCache(10), keyFor("a")
	judged, fixed := &outcome{findings: fixable}, &outcome{findings: fixable, patched: true, patch: []byte("[]")}
	for _, step := range []struct{ add, want *outcome }{{judged, judged}, {fixed, fixed}, {judged, fixed}} {
		c.add(key, step.add)
		if c.get(key) != step.want || c.len() != 1 || c.bytes.Load() != step.want.size() {
			t.Errorf("%+v is kept, with %d bytes, not %+v", c.get(key), c.bytes.Load(), step.want)
		}
	}
}

// No part of a key runs into the next, also where the object has no namespace.
func TestPartsOfAKey(t *testing.T) {
	d, book := &Decider{now: time.Now}, &rulebook{reductions: reductionsFor(false)}
	seen := map[[sha256.Size]byte]Request{}
	for _, r := range []Request{
		{Object: "{}", Namespace: "ab", Fingerprint: "c"},
		{Object: "{}", Namespace: "a", Fingerprint: "bc"},
		{Object: "{}", Namespace: "abc"},
		{Object: "{}", Fingerprint: "abc"},
	} {
		text, _, key, err := d.key(book, r)
		if err != nil || string(text) != "{}" {
			t.Errorf("%s, %v", text, err)
		}
		if other, ok := seen[key]; ok {
			t.Errorf("%+v has the key of %+v", r, other)
		}
		seen[key] = r
	}
}

func TestDefaults(t *testing.T) {
	m := metrics.New(nil)
	for _, tc := range []struct{ given, want Options }{
		{Options{Metrics: m}, Options{CacheEntries: 4096, Deadline: 250 * time.Millisecond, ConfigFile: "headroom.yaml", Metrics: m}},
		{
			Options{CacheEntries: -1, Deadline: -1, Metrics: m},
			Options{CacheEntries: 4096, Deadline: 250 * time.Millisecond, ConfigFile: "headroom.yaml", Metrics: m},
		},
		{
			Options{Config: []byte("a"), CacheEntries: 1, Deadline: 1, ConfigFile: "a", Metrics: m},
			Options{Config: []byte("a"), CacheEntries: 1, Deadline: 1, ConfigFile: "a", Metrics: m},
		},
	} {
		if got := tc.given.complete(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%+v, not %+v", got, tc.want)
		}
	}
	if (Options{}).complete().Metrics == nil {
		t.Error("no metrics")
	}
}

// stated is a judge that says what a test says, and remembers what it was given.
type stated struct {
	given []engine.Review
	fixed func() engine.Fixed
}

func (s *stated) Evaluate(_ context.Context, r engine.Review) (engine.Result, error) {
	s.given = append(s.given, r)
	return s.fixed().Before, nil
}

func (s *stated) Fix(_ context.Context, r engine.Review) (engine.Fixed, error) {
	s.given = append(s.given, r)
	return s.fixed(), nil
}

func TestWhatIsAskedAndAnswered(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	d := newDecider(t, "")
	if now := runtime.GOMAXPROCS(0); now != processors || d.gate.places != processors {
		t.Errorf("%d processors became %d, with %d places", processors, now, d.gate.places)
	}
	skip := []engine.Skip{{What: "a"}}
	change := []engine.Change{{Path: []any{"spec", "a"}}}
	applied := []engine.Applied{{Rule: "HR1", Path: "/spec/a", New: "1"}}
	s := &stated{fixed: func() engine.Fixed {
		return engine.Fixed{
			Before: engine.Result{
				Findings: []engine.Finding{{Rule: "HR1", Fixable: true, Changes: change, Figures: map[string]any{"a": 1}}}, Skipped: skip,
			},
			Patch: []engine.Operation{{Op: "add", Path: "/spec/a", Value: "1"}}, Applied: applied,
		}
	}}
	d.current.Store(&rulebook{judge: s, reductions: reductionsFor(false)})
	known := &engine.Context{Namespace: "known"}
	pod := `{"apiVersion":"v1","kind":"Pod","spec":{"a":1.50}}`
	found := []engine.Finding{{Rule: "HR1", Fixable: true, Resource: engine.Resource{Name: "n"}}}

	for i, want := range []bool{false, true} {
		got, err := d.Validate(t.Context(), Request{Object: pod, Name: "n", Namespace: "shop"})
		if err != nil || !reflect.DeepEqual(got, Verdict{Findings: found, Skipped: skip, Cached: want}) || len(s.given) != 1 {
			t.Errorf("%d: %+v, %v", i, got, err)
		}
	}
	for i, want := range []bool{false, true} {
		got, err := d.Mutate(t.Context(), Request{Object: pod, Name: "n", Namespace: "shop", Around: known})
		patch := `[{"op":"add","path":"/spec/a","value":"1"},{"op":"add","path":"/metadata",` +
			`"value":{"annotations":{"headroom.dev/applied":"[{\"rule\":\"HR1\",\"container\":\"\",\"path\":\"/spec/a\",\"new\":\"1\"}]"}}}]`
		if err != nil || string(got.Patch) != patch || !slices.Equal(got.Applied, applied) ||
			!reflect.DeepEqual(got.Before, found) || !reflect.DeepEqual(got.Skipped, skip) || got.Cached != want {
			t.Errorf("%d: %+v %s, %v", i, got, got.Patch, err)
		}
	}
	if len(s.given) != 2 {
		t.Fatalf("%d questions", len(s.given))
	}
	first, second := s.given[0], s.given[1]
	if first.Around == nil || first.Around.Namespace != "shop" || second.Around != known {
		t.Errorf("around %+v, %+v", first.Around, second.Around)
	}
	if want := map[string]any{"a": json.Number("1.50")}; !reflect.DeepEqual(first.Manifest["spec"], want) {
		t.Errorf("%#v", first.Manifest)
	}
	expectMetric(t, d, `headroom_cache_requests_total{result="hit"} 2`)
	expectMetric(t, d, `headroom_cache_requests_total{result="miss"} 2`)
	expectMetric(t, d, "headroom_cache_entries 1")
	if err := d.Reload(t.Context(), nil); err != nil || d.cache.len() != 0 || d.current.Load().generation != 2 {
		t.Errorf("%d decisions of the config before, in generation %d; %v", d.cache.len(), d.current.Load().generation, err)
	}
}

func TestPatchOf(t *testing.T) {
	one := []engine.Operation{{Op: "remove", Path: "/a"}}
	full := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"a": strings.Repeat("x", 256<<10)}}}
	for _, tc := range []struct {
		fixed engine.Fixed
		want  string
	}{{engine.Fixed{}, ""}, {engine.Fixed{Patch: one}, `[{"op":"remove","path":"/a"}]`}} {
		if got, err := patchOf(tc.fixed, full); err != nil || string(got) != tc.want || (got == nil) != (tc.want == "") {
			t.Errorf("%s, %v, not %s", got, err, tc.want)
		}
	}
}

func TestFailure(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failed := &topdown.Error{Code: topdown.BuiltinErr, Message: "canary", Location: ast.NewLocation(nil, "a.rego", 3, 1)}
	for _, tc := range []struct {
		name string
		ctx  context.Context
		err  error
		is   error
		want string
	}{
		{"a deadline", ended, errors.New("canary"), ErrDeadline, ErrDeadline.Error()},
		{"a stop", t.Context(), &topdown.Error{Code: topdown.CancelErr}, ErrDeadline, ErrDeadline.Error()},
		{"a built-in", t.Context(), fmt.Errorf("canary: %w", failed), ErrPolicies, "the policies failed: eval_builtin_error at a.rego:3"},
		{"something else", t.Context(), errors.New("canary"), ErrPolicies, ErrPolicies.Error()},
	} {
		if got := failure(tc.ctx, tc.err); !errors.Is(got, tc.is) || got.Error() != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// Who has left, was turned away or waited in vain does not count as waiting.
func TestTheGateCountsWhoWaits(t *testing.T) {
	g := newGate(2)
	if g.queue != maxWaiting || g.wait != maxWait || g.places != 2 {
		t.Errorf("%+v", g)
	}
	g.queue, g.wait = 0, time.Minute
	first, err := g.enter("a", 1)
	if err != nil {
		t.Fatal(err)
	}
	second, err := g.enter("a", 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := g.enter("a", 1); !errors.Is(err, ErrBusy) || g.waits() != 0 {
			t.Errorf("%v, %d wait", err, g.waits())
		}
	}
	g.queue, g.wait = 1, time.Millisecond
	for range 3 {
		if _, err := g.enter("a", 1); !errors.Is(err, ErrBusy) || g.waits() != 0 {
			t.Errorf("%v, %d wait", err, g.waits())
		}
	}
	first()
	second()
	if g.running != 0 || len(g.lanes) != 0 {
		t.Errorf("%d places are taken, by %v", g.running, g.lanes)
	}
}

// What of an object is left out depends on where its pod template is.
func TestCutsByKind(t *testing.T) {
	const metadata = `"metadata":{"uid":"u","managedFields":[],"labels":{},"annotations":{` +
		`"kubectl.kubernetes.io/last-applied-configuration":"x","batch.kubernetes.io/job-completion-index":"1"},` +
		`"ownerReferences":[{"kind":"K","name":"n","uid":"u"}]}`
	const spec = `"spec":{"affinity":{},"nodeName":"n","initContainers":[{"volumeDevices":[],"name":"i"}],"volumes":[{"name":"v"}]}`
	const template = `"spec":{"template":{"metadata":{"labels":{},"name":"t"},` + spec + `}}`
	const less = `"spec":{"initContainers":[{"name":"i"}],"volumes":[{"name":"v"}]}`
	const lessTemplate = `"spec":{"template":{"metadata":{"labels":{},"name":"t"},` + less + `}}`
	ours := func(annotation string) string {
		return `"metadata":{"labels":{},"annotations":{` + annotation + `},"ownerReferences":[{"kind":"K"}],"namespace":"shop"}`
	}
	last, index := `"kubectl.kubernetes.io/last-applied-configuration":"x"`, `"batch.kubernetes.io/job-completion-index":"1"`
	for object, want := range map[string]string{
		`{"apiVersion":"v1","kind":"Pod","status":1,` + metadata + `,` + spec + `}`:                                        `{"apiVersion":"v1","kind":"Pod",` + strings.Replace(ours(last), `"K"`, `"K","name":"n"`, 1) + `,` + less + `}`,
		`{"apiVersion":"batch/v1","kind":"Job","status":1,` + metadata + `,` + template + `}`:                              `{"apiVersion":"batch/v1","kind":"Job",` + ours(index) + `,` + lessTemplate + `}`,
		`{"apiVersion":"batch/v1","kind":"CronJob","status":1,` + metadata + `,"spec":{"jobTemplate":{` + template + `}}}`: `{"apiVersion":"batch/v1","kind":"CronJob",` + ours(index) + `,"spec":{"jobTemplate":{` + lessTemplate + `}}}`,
	} {
		if got := reducedOf(t, object, false); got != want {
			t.Errorf("%s\n got %s\nwant %s", object, got, want)
		}
	}
}

func TestObjectsAtTheLimit(t *testing.T) {
	for more, want := range map[int]error{0: nil, 1: ErrTooLarge} {
		object := `{"a":"` + strings.Repeat("a", maxObject-len(`{"a":""}`)+more) + `"}`
		if _, err := reductionsFor(false).reduced(nil, Request{Object: object}); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v", len(object), err)
		}
	}
	// What is part of a text that was looked at is not looked at again.
	deep := `{"a":` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + `}`
	for checked, want := range map[bool]error{true: nil, false: ErrMalformed} {
		got, err := reductionsFor(false).reduced([]byte("head"), Request{Object: deep, Checked: checked})
		if !errors.Is(err, want) || want == nil && !bytes.Equal(got, []byte("head"+deep)) {
			t.Errorf("checked %t: %v", checked, err)
		}
	}
}
