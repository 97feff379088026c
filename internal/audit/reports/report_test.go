package reports

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	outcome "github.com/headroom-dev/headroom/internal/render/policyreport/result"
	"github.com/headroom-dev/headroom/policies/engine"
)

var cart = Subject{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "cart", UID: "1"}

func finding(rule, severity, container string) engine.Finding {
	return engine.Finding{
		Rule: rule, Slug: "slug-of-" + rule, Severity: severity, Container: container, Class: "batch",
		Path: "/spec", Message: "wrong", Expected: "right",
		Figures: map[string]any{"cores": json.Number("2"), "ratio": 1.23456, "path": "taken", "terms": []any{1}},
		Fixable: severity == engine.SeverityError,
	}
}

func written(t *testing.T, r *Report, previous *unstructured.Unstructured, now time.Time) *unstructured.Unstructured {
	t.Helper()
	packed, digest, err := r.packed()
	if err != nil {
		t.Fatal(err)
	}
	content := &Report{}
	if err := packed.Decode(content); err != nil {
		t.Fatal(err)
	}
	o, err := content.object(APIs[0], previous, digest, now)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestNothingToSay(t *testing.T) {
	if r := Of(cart, engine.Result{}, nil); r != nil {
		t.Error(r)
	}
}

func TestResults(t *testing.T) {
	exempted := finding("HR202", engine.SeverityError, "app")
	exempted.Suppressed = &engine.Suppression{Reason: "known", Until: "2027-01-31", Source: "annotation"}
	r := Of(cart, engine.Result{
		Findings: []engine.Finding{
			finding("HR301", engine.SeverityError, "app"), finding("HR413", engine.SeverityInfo, "app"),
		},
		Exempted: []engine.Finding{exempted},
	}, map[string]string{"HR301": "memory"})
	if r.Summary[outcome.Fail] != 1 || r.Summary[outcome.Warn] != 1 || r.Summary[outcome.Skip] != 1 {
		t.Error(r.Summary)
	}
	first := r.Results[0]
	if first.Result != outcome.Fail || first.Severity != "high" || !first.Scored || first.Category != "memory" ||
		first.Policy != "slug-of-HR301" {
		t.Errorf("%+v", first)
	}
	for key, want := range map[string]string{
		"container": "app", "path": "/spec", "class": "batch", "expected": "right", "fixable": "true",
		"cores": "2", "ratio": "1.235", "terms": "",
	} {
		if got := first.Properties[key]; got != want {
			t.Errorf("property %s is %q, want %q", key, got, want)
		}
	}
	if info := r.Results[1]; info.Result != outcome.Warn || info.Severity != "info" || info.Scored {
		t.Errorf("%+v", info)
	}
	if skip := r.Results[2]; skip.Result != outcome.Skip || skip.Scored || skip.Properties["reason"] != "known" {
		t.Errorf("%+v", skip)
	}
}

// TestBounded: whatever a manifest holds, etcd takes the report.
func TestBounded(t *testing.T) {
	long := finding("HR301", engine.SeverityError, strings.Repeat("é", 100_000))
	long.Message = strings.Repeat("é", 100_000)
	for i := range 1000 {
		long.Figures[strings.Repeat("k", i)] = strings.Repeat("v", 1000)
	}
	var result engine.Result
	for range 5000 {
		result.Findings = append(result.Findings, long)
	}
	r := Of(cart, result, nil)
	o := written(t, r, nil, time.Now())
	text, err := json.Marshal(o)
	if err != nil || len(text) > 1<<20 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if got, _, _ := unstructured.NestedInt64(o.Object, "summary", outcome.Fail); got != 5000 {
		t.Errorf("the summary counts %d", got)
	}
	if message := r.Results[0].Message; len(message) > outcome.MaxMessage || !strings.HasSuffix(message, "é…") {
		t.Errorf("%d bytes: …%s", len(message), message[len(message)-8:])
	}
}

// TestTimesStay: a result that stays keeps its time, a new one has a new one, and what others
// wrote into the report's metadata is left.
func TestTimesStay(t *testing.T) {
	a, b := finding("HR301", engine.SeverityError, "app"), finding("HR302", engine.SeverityError, "app")
	begin := time.Unix(1_800_000_000, 0)
	first := written(t, Of(cart, engine.Result{Findings: []engine.Finding{a}}, nil), nil, begin)
	first.SetLabels(with(first.GetLabels(), "team", "shop"))
	digest := first.GetAnnotations()[annotationDigest]
	second := written(t, Of(cart, engine.Result{Findings: []engine.Finding{a, b}}, nil), first.DeepCopy(), begin.Add(time.Hour))
	for i, want := range []int64{begin.Unix(), begin.Unix() + 3600} {
		results, _, _ := unstructured.NestedSlice(second.Object, "results")
		got, _, err := unstructured.NestedInt64(results[i].(map[string]any), "timestamp", "seconds")
		if err != nil || got != want {
			t.Errorf("result %d is of %d, want %d (%v)", i, got, want, err)
		}
	}
	if second.GetLabels()["team"] != "shop" || second.GetAnnotations()[annotationDigest] == digest {
		t.Errorf("%v %v", second.GetLabels(), second.GetAnnotations())
	}
	again := written(t, Of(cart, engine.Result{Findings: []engine.Finding{a}}, nil), nil, begin.Add(time.Hour))
	if again.GetAnnotations()[annotationDigest] != digest {
		t.Error("the same content has another digest at another time")
	}
}

func TestUnjudged(t *testing.T) {
	r := Unjudged(cart, errors.New(strings.Repeat("x", 5000)))
	first := r.Results[0]
	if first.Result != outcome.Error || r.Summary[outcome.Error] != 1 || len(first.Message) > outcome.MaxMessage {
		t.Errorf("%+v", r)
	}
}

// TestSubjects: what owns a report is what it is about, and a Job of Volcano's is no Job.
func TestSubjects(t *testing.T) {
	for apiVersion, want := range map[string]string{
		"batch/v1": "Job", "batch.volcano.sh/v1alpha1": "Job.batch.volcano.sh",
	} {
		about := cart
		about.APIVersion, about.Kind = apiVersion, "Job"
		o := written(t, Of(about, engine.Result{Findings: []engine.Finding{finding("HR301", "error", "")}}, nil), nil, time.Now())
		if got := subjectOf(o); got.Kind != want || got.Namespace != "shop" || got.Name != "cart" {
			t.Errorf("%s: %v", apiVersion, got)
		}
	}
	successor := cart
	successor.UID = "2"
	if successor.reportName() == cart.reportName() {
		t.Error("a successor has the report of the one before")
	}
}
