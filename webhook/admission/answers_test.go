package admission

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/tidwall/gjson"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

func TestWhatIsConcerned(t *testing.T) {
	for _, tc := range []struct {
		r                review
		mutate, validate bool
	}{
		{review{kind: "Pod", operation: "CREATE", namespace: "a"}, true, true},
		{review{kind: "Pod", operation: "CREATE"}, false, false},
		{review{kind: "Pod", operation: "UPDATE", namespace: "a"}, false, false},
		{review{kind: "Pod", operation: "UPDATE", namespace: "a", subresource: "resize"}, false, true},
		{review{kind: "Pod", operation: "CREATE", namespace: "a", subresource: "resize"}, false, false},
		{review{kind: "Pod", operation: "CREATE", namespace: "a", subresource: "eviction"}, false, false},
		{review{kind: "Job", operation: "CREATE", namespace: "a"}, false, true},
		{review{kind: "Job", operation: "UPDATE", namespace: "a"}, false, true},
		{review{kind: "Job", operation: "DELETE", namespace: "a"}, false, false},
		{review{kind: "Job", operation: "UPDATE", namespace: "a", subresource: "resize"}, false, false},
		{review{kind: "Job", operation: "CREATE"}, false, false},
	} {
		for operation, want := range map[string]bool{metrics.Mutate: tc.mutate, metrics.Validate: tc.validate} {
			if got := (&handler{operation: operation}).concerns(&tc.r); got != want {
				t.Errorf("%s %+v: %t", operation, tc.r, got)
			}
		}
	}
}

// told decides what a test says, and remembers what it was asked.
type told struct {
	verdict  decision.Verdict
	old      decision.Verdict
	oldErr   error
	mutation decision.Mutation
	asked    []decision.Request
}

func (d *told) Validate(_ context.Context, r decision.Request) (decision.Verdict, error) {
	d.asked = append(d.asked, r)
	if len(d.asked) > 1 {
		return d.old, d.oldErr
	}
	return d.verdict, nil
}

func (d *told) Mutate(_ context.Context, r decision.Request) (decision.Mutation, error) {
	d.asked = append(d.asked, r)
	return d.mutation, nil
}

// Every answer is counted under its verdict and its source, and is in the log.
func TestAnswersAreCounted(t *testing.T) {
	skip := []engine.Skip{{What: "a", Reason: "b"}}
	info := []engine.Finding{{Rule: "HR202", Severity: "info", Message: "m"}}
	warned := []engine.Finding{{Rule: "HR202", Severity: "warning", Message: "m"}}
	bad := append(info[:1:1], engine.Finding{Rule: "HR202", Severity: "error", Message: "worse"})
	applied := []engine.Applied{{Rule: "HR202", Container: "app", Path: "/a", New: "1"}, {Rule: "HR202", Container: "app", Path: "/b", New: "1"}}
	for _, tc := range []struct {
		name                        string
		place                       *place
		decide                      *told
		operation, verdict, source  string
		logged, warning, annotation string
		more                        string // another metric
	}{
		{"nothing found", in(ModeWarn), &told{}, "validate", "allowed", "miss", `"judged"`, "", "", ""},
		{"remembered", in(ModeWarn), &told{verdict: decision.Verdict{Cached: true}}, "validate", "allowed", "hit", `"cache"="hit"`, "", "", ""},
		{"skipped", in(ModeWarn), &told{verdict: decision.Verdict{Skipped: skip}}, "validate", "skipped", "miss", `"verdict"="skipped"`, "", "", ""},
		{
			"skipped in part", in(ModeEnforce), &told{verdict: decision.Verdict{Findings: warned, Skipped: skip}},
			"validate", "warned", "miss", `"findings"=1`, "[HR202] m", "", `headroom_findings_total{rule="HR202",severity="warning"} 1`,
		},
		{
			"infos alone", in(ModeEnforce), &told{verdict: decision.Verdict{Findings: info}},
			"validate", "allowed", "miss", `"findings"=1`, "", "", `headroom_findings_total{rule="HR202",severity="info"} 1`,
		},
		{"refused", in(ModeEnforce), &told{verdict: decision.Verdict{Findings: bad}}, "validate", "refused", "miss", `"findings"=2`, "", "", `headroom_findings_total{rule="HR202",severity="error"} 1`},
		{
			"exempted", in(ModeEnforce), &told{verdict: decision.Verdict{Exempted: []engine.Finding{{
				Rule: "HR202", Severity: "error", Suppressed: &engine.Suppression{Reason: "known", Source: "annotation"},
			}}}}, "validate", "allowed", "miss", `"findings"=0`, "[HR202] exempted by ignore.headroom.dev: known", "",
			`headroom_exemptions_total{rule="HR202",source="annotation"} 1`,
		},
		{"the worst first", in(ModeWarn), &told{verdict: decision.Verdict{Findings: bad}}, "validate", "warned", "miss", `"mode"="warn"`, "[HR202] worse", "", ""},
		{"off", in(ModeOff), &told{}, "validate", "skipped", "none", "", "", "", ""},
		{"nothing to change", mutating(ModeWarn), &told{}, "mutate", "allowed", "miss", `"fixed"`, "", "", ""},
		{
			"changed", mutating(ModeWarn), &told{mutation: decision.Mutation{Patch: []byte("[]"), Applied: applied, Cached: true}},
			"mutate", "mutated", "hit", `"changes"=2`, "[HR202] container app: set a to 1, set b to 1", "HR202 app, HR202 app",
			`headroom_patches_total{rule="HR202"} 1`,
		},
		{"nothing to do", mutating(ModeWarn), &told{mutation: decision.Mutation{Skipped: skip}}, "mutate", "skipped", "miss", `"verdict"="skipped"`, "", "", ""},
		{"not asked for", in(ModeWarn), &told{}, "mutate", "skipped", "none", "", "", "", ""},
	} {
		h, m, log := registry(tc.place, tc.decide)
		path := h.Validate
		if tc.operation == "mutate" {
			path = h.Mutate
		}
		r := answerTo(t, path, ask{object: pod(goodSpec)})
		for _, want := range []string{
			fmt.Sprintf("headroom_decisions_total{operation=%q,verdict=%q} 1", tc.operation, tc.verdict),
			fmt.Sprintf("headroom_decision_duration_seconds_count{cache=%q,operation=%q} 1", tc.source, tc.operation), tc.more,
		} {
			w := httptest.NewRecorder()
			m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: no %s", tc.name, want)
			}
		}
		if r.Result != nil && !strings.Contains(r.Result.Message, "\n1 more that refuse nothing: ") {
			t.Errorf("%s: %s", tc.name, r.Result.Message)
		}
		warning := ""
		if len(r.Warnings) > 0 {
			warning = r.Warnings[0]
		}
		if !strings.Contains(log.String(), tc.logged) || (tc.logged == "") != (log.Len() == 0) {
			t.Errorf("%s: the log says %s", tc.name, log)
		}
		if warning != tc.warning || r.AuditAnnotations[auditMode] != tc.place.facts.Mode || r.AuditAnnotations[auditChange] != tc.annotation {
			t.Errorf("%s: %+v", tc.name, r)
		}
		for _, asked := range tc.decide.asked {
			if asked.Object != pod(goodSpec) || !asked.Checked || asked.Name != "web" || asked.Namespace != "shop" {
				t.Errorf("%s: asked %+v", tc.name, asked)
			}
		}
	}
}

func TestAResizeIsHeldToWhatItBrings(t *testing.T) {
	of := func(rule, container, severity string) engine.Finding {
		return engine.Finding{Rule: rule, Container: container, Severity: severity}
	}
	one := decision.Verdict{Findings: []engine.Finding{of("HR1", "a", "error")}}
	for _, tc := range []struct {
		name string
		old  decision.Verdict
		err  error
		was  string
		want string
	}{
		{"it had that", one, nil, `{}`, ""},
		{"of another container", decision.Verdict{Findings: []engine.Finding{of("HR1", "b", "error")}}, nil, `{}`, "HR1 a"},
		{"of another rule", decision.Verdict{Findings: []engine.Finding{of("HR2", "a", "error")}}, nil, `{}`, "HR1 a"},
		{"less severe", decision.Verdict{Findings: []engine.Finding{of("HR1", "a", "info")}}, nil, `{}`, "HR1 a"},
		{"the object before is not in the request", one, nil, `null`, "HR1 a"},
		{"it cannot be judged as it was", one, errTest, `{}`, ""},
	} {
		h, _, _ := registry(in(ModeWarn), &told{verdict: one, old: tc.old, oldErr: tc.err})
		r := answerTo(t, h.Validate, ask{operation: "UPDATE", subresource: "resize", object: pod(goodSpec), old: tc.was})
		if r.AuditAnnotations[auditRefuse] != tc.want || (r.AuditAnnotations[auditError] != "") != (tc.err != nil) {
			t.Errorf("%s: %+v", tc.name, r)
		}
	}
}

// gone is a client that does not wait for its answer.
type gone struct{ *httptest.ResponseRecorder }

func (gone) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestTransport(t *testing.T) {
	h, m, log := registry(in(ModeWarn), &told{})
	if w := post(t, h.Validate, ask{object: pod(goodSpec)}.body()); w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%v", w.Header())
	}
	for announced, want := range map[int64]int{maxBody: 400, maxBody + 1: 413} {
		r := httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		r.ContentLength = announced
		w := httptest.NewRecorder()
		h.Validate.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%d bytes announced: %d", announced, w.Code)
		}
	}
	log.Reset()
	r := httptest.NewRequest(http.MethodPut, "/validate", nil)
	w := httptest.NewRecorder()
	h.Validate.ServeHTTP(w, r)
	if got := strings.TrimSpace(w.Body.String()); got != `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"headroom: only POST is answered","code":405}` ||
		w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Allow") != http.MethodPost {
		t.Errorf("%s %v", got, w.Header())
	}
	if !strings.Contains(log.String(), `"not an admission request" "status"=405 "why"="only POST is answered"`) {
		t.Errorf("the log says %s", log)
	}
	want := "# HELP headroom_errors_total Requests that could not be judged, by kind of error.\n" +
		"# TYPE headroom_errors_total counter\nheadroom_errors_total{kind=\"request\"} 3\n"
	if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "headroom_errors_total"); err != nil {
		t.Error(err)
	}
	r = httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader(ask{object: pod(goodSpec)}.body()))
	r.Header.Set("Content-Type", "application/json")
	h.Validate.ServeHTTP(gone{httptest.NewRecorder()}, r)
	if !strings.Contains(log.String(), `"the API server went away before it had its answer" "uid"="u-1"`) {
		t.Errorf("the log says %s", log)
	}
}

func TestBodiesFillWhatThereIs(t *testing.T) {
	h := newHandlers(&told{}, in(ModeWarn), nil, logr.Discard())
	inner := h.Validate.(*handler)
	body := ask{object: pod(goodSpec)}.body() + strings.Repeat(" ", usualBody)
	for more, want := range map[int64]int{0: http.StatusOK, 1: http.StatusTooManyRequests} {
		inner.held.Store(maxHeld - int64(len(body)) + usualBody + more)
		if w := post(t, h.Validate, body); w.Code != want {
			t.Errorf("%d bytes too many: %d", more, w.Code)
		}
	}
	inner.held.Store(maxHeld)
	if w := post(t, h.Validate, strings.TrimSpace(body)); w.Code != http.StatusOK {
		t.Errorf("a usual body beside many large ones: %d", w.Code)
	}
	b := &bounded{held: &inner.held}
	if _, err := b.Write(make([]byte, usualBody)); err != nil || b.taken != 0 {
		t.Errorf("%v, %d taken", err, b.taken)
	}
	if n, err := b.Write([]byte("a")); n != 0 || !errors.Is(err, errFull) || b.taken != 1 || b.text.Len() != usualBody {
		t.Errorf("%d bytes are written, %v, %d taken", n, err, b.taken)
	}
}

// The stack of a panic is in the log, and nowhere else.
func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	h, _, log := registry(mutating(ModeWarn), stub{panic: true})
	r := answerTo(t, h.Validate, ask{object: pod(goodSpec)})
	if !strings.Contains(log.String(), `"stack"="goroutine`) || strings.Contains(r.Warnings[0], "goroutine") {
		t.Errorf("%s, %+v", log, r)
	}
	other, _, log := registry(mutating(ModeWarn), stub{err: decision.ErrPolicies})
	answerTo(t, other.Validate, ask{object: pod(goodSpec)})
	if strings.Contains(log.String(), "stack") || !strings.Contains(log.String(), `"operation"="CREATE" "kind"="Pod" "namespace"="shop" "name"="web"`) {
		t.Errorf("%s", log)
	}
}

func TestUnchanged(t *testing.T) {
	const deployed = `{"apiVersion":"apps/v1","kind":"Deployment",`
	long := func(rest string) string {
		return deployed + `"spec":{"template":{"a":"` + strings.Repeat("x", longestRead) + `",` + rest + `}}}`
	}
	for _, tc := range []struct {
		name, object, old string
		want              bool
	}{
		{"the same", deployed + `"spec":{"template":{"a":1}}}`, deployed + `"spec":{"template":{"a":1},"replicas":2}}`, true},
		{"written otherwise", deployed + `"spec":{"template":{"a":1,"b":2}}}`, deployed + `"spec":{"template":{"b":2, "a":1}}}`, true},
		{"long, and written otherwise", long(`"b":2`), long(`"b": 2`), false},
		{"long, and the same", long(`"b":2`), long(`"b":2`), true},
		{"another number", deployed + `"spec":{"template":{"a":1}}}`, deployed + `"spec":{"template":{"a":1.0}}}`, false},
		{"another template", deployed + `"spec":{"template":{"a":1}}}`, deployed + `"spec":{"template":{"a":2}}}`, false},
		{"a template more", deployed + `"spec":{"template":{"a":1}}}`, deployed + `"spec":{}}`, false},
		{"a template less", deployed + `"spec":{}}`, deployed + `"spec":{"template":{"a":1}}}`, false},
		{"no templates", deployed + `"spec":{}}`, deployed + `"spec":{}}`, true},
		{"no old object", deployed + `"spec":{}}`, `null`, false},
		{"a Pod", `{"apiVersion":"v1","kind":"Pod"}`, `{"apiVersion":"v1","kind":"Pod"}`, false},
		{"an operator's kind", `{"apiVersion":"a.b/v1","kind":"C","spec":{"a":1}}`, `{"apiVersion":"a.b/v1","kind":"C","spec":{"a":1},"status":2}`, true},
		{"another of its specs", `{"apiVersion":"a.b/v1","kind":"C","spec":{"a":1}}`, `{"apiVersion":"a.b/v1","kind":"C","spec":{"a":2}}`, false},
		{"a kind without a template", `{"apiVersion":"v1","kind":"Service"}`, `{"apiVersion":"v1","kind":"Service"}`, false},
		{
			"an annotation of ours", deployed + `"metadata":{"annotations":{"ignore.headroom.dev/HR1":"a","b":"c"}}}`,
			deployed + `"metadata":{"annotations":{"ignore.headroom.dev/HR1":"b","b":"c"}}}`, false,
		},
		{
			"an annotation of others", deployed + `"metadata":{"annotations":{"headroom.dev/a":"a","b":"c"}}}`,
			deployed + `"metadata":{"annotations":{"b":"d","headroom.dev/a":"a"}}}`, true,
		},
	} {
		s := &subject{review: &review{object: gjson.Parse(tc.object), oldObject: gjson.Parse(tc.old)}}
		if got := s.unchanged(); got != tc.want {
			t.Errorf("%s: %t", tc.name, got)
		}
	}
}

func TestNamesInMetadata(t *testing.T) {
	for _, tc := range []struct{ request, object, want string }{
		{"a", `{}`, "a"},
		{"a", `{"metadata":{"name":"b"}}`, "b"},
		{"", `{"metadata":{"generateName":"c-"}}`, "c-*"},
		{"a", `{"metadata":{"generateName":"c-"}}`, "a"},
		{"", `{"metadata":{"generateName":"c-","name":"b"}}`, "b"},
		{"", `{"metadata":{}}`, ""},
	} {
		r := &review{name: tc.request, object: gjson.Parse(tc.object)}
		if got := r.metadata().name; got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
}
