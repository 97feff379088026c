package admission

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/decision"
)

// What we cannot judge is admitted with a warning, but for the path for enforce, where it
// is refused (W46, F14, F15, F16).
func TestOurOwnErrors(t *testing.T) {
	huge := `{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"a":"` + strings.Repeat("a", 3<<20) + `"}}`
	for _, c := range []struct {
		name   string
		place  *place
		decide decider
		object string
		kind   string
	}{
		{"the namespace is not known", &place{err: errTest}, the(), pod(badSpec), "surroundings"},
		{"a mode that nobody knows", mutating("enforced"), the(), pod(badSpec), "surroundings"},
		{"no object", mutating(ModeWarn), the(), "", "object"},
		{"an object that is none", mutating(ModeWarn), the(), `"text"`, "object"},
		{"an object that is too large", mutating(ModeWarn), the(), huge, "object"},
		{"the deadline", mutating(ModeWarn), stub{err: decision.ErrDeadline}, pod(badSpec), "deadline"},
		{"the policies", mutating(ModeWarn), stub{err: decision.ErrPolicies}, pod(badSpec), "evaluation"},
		{"something else", mutating(ModeWarn), stub{err: errors.New("canary")}, pod(badSpec), "evaluation"},
		{"a panic while judging", mutating(ModeWarn), stub{err: decision.Panic{}}, pod(badSpec), "panic"},
		{"a panic", mutating(ModeWarn), stub{panic: true}, pod(badSpec), "panic"},
		{"a panic around the object", &place{panic: true}, the(), pod(badSpec), "panic"},
	} {
		h, m, log := registry(c.place, c.decide)
		for path, handler := range map[string]http.Handler{"mutate": h.Mutate, "validate": h.Validate} {
			r := answerTo(t, handler, ask{object: c.object})
			if !r.Allowed || len(r.Warnings) != 1 || r.Patch != nil || r.Result != nil ||
				!strings.HasPrefix(r.Warnings[0], "headroom could not judge this Pod: ") {
				t.Errorf("%s, %s: %+v", c.name, path, r)
			}
		}
		r := answerTo(t, h.ValidateEnforce, ask{object: c.object})
		if r.Allowed || r.Result.Code != http.StatusInternalServerError || len(r.Warnings) > 0 ||
			!strings.Contains(r.Result.Message, "kubectl label namespace shop headroom.dev/mode=warn") ||
			!strings.Contains(r.Result.Message, "docs/break-glass.md") {
			t.Errorf("%s: %+v", c.name, r.Result)
		}
		want := fmt.Sprintf("# HELP headroom_errors_total Requests that could not be judged, by kind of error.\n"+
			"# TYPE headroom_errors_total counter\nheadroom_errors_total{kind=%q} 3\n", c.kind)
		if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "headroom_errors_total"); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !strings.Contains(log.String(), "could not judge an object") || !strings.Contains(log.String(), `"uid"="u-1"`) {
			t.Errorf("%s: the log says %s", c.name, log)
		}
		if c.name == "a panic" {
			want := "# HELP headroom_panics_total Panics that were recovered; each is a bug.\n" +
				"# TYPE headroom_panics_total counter\nheadroom_panics_total 3\n"
			if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "headroom_panics_total"); err != nil {
				t.Error(err)
			}
		}
	}
}

// A rule that fails takes no finding of another with it: both are told. Enforce admits nothing of which a rule says
// nothing.
func TestARuleThatFails(t *testing.T) {
	broken := stub{verdict: decision.Verdict{
		Findings: []engine.Finding{{Rule: "HR208", Slug: "limit-below-request", Severity: engine.SeverityWarning, Message: "kanarie below"}},
		Failed:   []engine.Failure{{Rule: "HR301", Slug: "memory-missing", Err: errors.New("canary")}},
	}}
	for _, mode := range []string{ModeWarn, ModeEnforce} {
		h, m, log := registry(mutating(mode), broken)
		validate := map[string]http.Handler{ModeWarn: h.Validate, ModeEnforce: h.ValidateEnforce}[mode]
		r := answerTo(t, validate, ask{object: pod(badSpec)})
		said := strings.Join(r.Warnings, "\n")
		if !strings.Contains(said, "rule HR301 (memory-missing) could not be evaluated") || !strings.Contains(said, "HR208") ||
			strings.Contains(said, "canary") || r.AuditAnnotations[auditError] != "evaluation: HR301" {
			t.Errorf("%s: %+v", mode, r)
		}
		if r.Allowed != (mode == ModeWarn) {
			t.Errorf("%s: allowed: %v", mode, r.Allowed)
		}
		if mode == ModeEnforce && (r.Result.Code != http.StatusForbidden || !strings.Contains(r.Result.Message, "could not evaluate HR301") ||
			!strings.Contains(r.Result.Message, "docs/break-glass.md")) {
			t.Errorf("%+v", r.Result)
		}
		if r := answerTo(t, h.Mutate, ask{object: pod(badSpec)}); !r.Allowed || r.AuditAnnotations[auditError] != "evaluation: HR301" {
			t.Errorf("%s: mutate: %+v", mode, r)
		}
		want := "# HELP headroom_errors_total Requests that could not be judged, by kind of error.\n" +
			"# TYPE headroom_errors_total counter\nheadroom_errors_total{kind=\"evaluation\"} 2\n"
		if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "headroom_errors_total"); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if !strings.Contains(log.String(), "a rule failed") {
			t.Errorf("%s: the log says %s", mode, log)
		}
	}
}

// Audit is for the audit log alone: our own errors are there, and there is no warning.
func TestOurOwnErrorsInAudit(t *testing.T) {
	h, _, _ := registry(mutating(ModeAudit), stub{err: decision.ErrPolicies})
	for path, handler := range map[string]http.Handler{"mutate": h.Mutate, "validate": h.Validate} {
		r := answerTo(t, handler, ask{object: pod(badSpec)})
		if !r.Allowed || len(r.Warnings) > 0 || r.AuditAnnotations[auditError] != "evaluation" {
			t.Errorf("%s: %+v", path, r)
		}
	}
}

// What is no request is an HTTP error, to which the failurePolicy applies (F18).
func TestWhatIsNoReview(t *testing.T) {
	h := handlers(in(ModeEnforce))
	good := ask{object: pod(goodSpec)}.body()
	for _, c := range []struct {
		name, method, media, body string
		want                      int
	}{
		{"GET", http.MethodGet, "application/json", "", 405},
		{"PUT", http.MethodPut, "application/json", good, 405},
		{"no media type", http.MethodPost, "", good, 415},
		{"another media type", http.MethodPost, "text/yaml", good, 415},
		{"a parameter", http.MethodPost, "application/json; charset=utf-8", good, 200},
		{"8 MiB", http.MethodPost, "application/json", strings.Repeat(" ", 8<<20), 413},
		{"nothing", http.MethodPost, "application/json", "", 400},
		{"no JSON", http.MethodPost, "application/json", good[1:], 400},
		{"too deep", http.MethodPost, "application/json", strings.Repeat("[", 1<<20), 400},
		{"another kind", http.MethodPost, "application/json", strings.Replace(good, "AdmissionReview", "Pod", 1), 400},
		{"another version", http.MethodPost, "application/json", strings.Replace(good, "k8s.io/v1", "k8s.io/v2", 1), 400},
		{"no UID", http.MethodPost, "application/json", strings.Replace(good, "u-1", "", 1), 400},
		{"a list", http.MethodPost, "application/json", "[]", 400},
	} {
		r := httptest.NewRequest(c.method, "/validate", strings.NewReader(c.body))
		if c.media != "" {
			r.Header.Set("Content-Type", c.media)
		}
		if c.name == "8 MiB" {
			r.ContentLength = -1 // as with chunks
		}
		w := httptest.NewRecorder()
		h.ValidateEnforce.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, w.Code, w.Body, c.want)
		}
	}
	w := post(t, h.Validate, strings.Replace(good, "k8s.io/v1", "k8s.io/v1beta1", 1))
	if !strings.Contains(w.Body.String(), `"apiVersion":"admission.k8s.io/v1beta1"`) {
		t.Errorf("%s", w.Body)
	}
}

func TestOverload(t *testing.T) {
	h, m, _ := registry(mutating(ModeWarn), stub{err: decision.ErrBusy})
	for _, handler := range []http.Handler{h.Mutate, h.Validate, h.ValidateEnforce} {
		w := post(t, handler, ask{object: pod(goodSpec)}.body())
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	}
	want := "# HELP headroom_errors_total Requests that could not be judged, by kind of error.\n" +
		"# TYPE headroom_errors_total counter\nheadroom_errors_total{kind=\"overload\"} 3\n"
	if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "headroom_errors_total"); err != nil {
		t.Error(err)
	}
}

// The bodies in memory are bounded together, and each is given back.
func TestBodiesAreBounded(t *testing.T) {
	h := newHandlers(the(), in(ModeWarn), nil, logr.Discard())
	inner := h.Validate.(*handler)
	body := ask{object: pod(goodSpec)}.body() + strings.Repeat(" ", usualBody)
	inner.held.Store(maxHeld - 100)
	if w := post(t, h.Validate, body); w.Code != http.StatusTooManyRequests {
		t.Error(w.Code)
	}
	if held := inner.held.Load(); held != maxHeld-100 {
		t.Errorf("%d bytes are not given back", held-maxHeld+100)
	}
	inner.held.Store(0)
	if w := post(t, h.Validate, body); w.Code != http.StatusOK || inner.held.Load() != 0 {
		t.Error(w.Code, inner.held.Load())
	}
}
