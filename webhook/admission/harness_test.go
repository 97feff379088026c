package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// place is a cluster that says the same of every object.
type place struct {
	facts Facts
	err   error
	asked []Owned
	panic bool
}

func (p *place) Around(_ context.Context, _ string, object Owned) (Facts, error) {
	if p.panic {
		panic("kanarie")
	}
	p.asked = append(p.asked, object)
	return p.facts, p.err
}

// the is one decider for all tests: the policies are made ready once.
var the = sync.OnceValue(func() *decision.Decider {
	d, err := decision.New(context.Background(), decision.Options{Deadline: time.Minute})
	if err != nil {
		panic(err)
	}
	return d
})

func handlers(p *place) *Handlers { return newHandlers(the(), p, nil, logr.Discard()) }

func in(mode string) *place { return &place{facts: Facts{Mode: mode}} }

func mutating(mode string) *place { return &place{facts: Facts{Mode: mode, Mutate: true}} }

// ask is a request as the API server makes it.
type ask struct {
	kind, operation, subresource, object, old, extra string
}

func (a ask) body() string {
	if a.kind == "" {
		a.kind = "Pod"
	}
	if a.operation == "" {
		a.operation = "CREATE"
	}
	if a.old == "" {
		a.old = "null"
	}
	if a.object == "" {
		a.object = "null"
	}
	return fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",`+
		`"kind":{"group":"","version":"v1","kind":%q},"subResource":%q,"namespace":"shop","operation":%q,`+
		`"userInfo":{"username":"me"},"object":%s,"oldObject":%s,"dryRun":false%s}}`,
		a.kind, a.subresource, a.operation, a.object, a.old, a.extra)
}

func post(t testing.TB, h http.Handler, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/validate?timeout=2s", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// answerTo is the response to a request, which must be a proper one.
func answerTo(t testing.TB, h http.Handler, a ask) *admissionv1.AdmissionResponse {
	t.Helper()
	w := post(t, h, a.body())
	review := reviewIn(t, w)
	if review.Response.UID != "u-1" || review.Kind != "AdmissionReview" || review.APIVersion != "admission.k8s.io/v1" {
		t.Fatalf("%s", w.Body)
	}
	return review.Response
}

func reviewIn(t testing.TB, w *httptest.ResponseRecorder) admissionv1.AdmissionReview {
	t.Helper()
	var review admissionv1.AdmissionReview
	if w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &review) != nil || review.Response == nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return review
}

func jsonOf(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const (
	// goodSpec has nothing to find.
	goodSpec = `{"containers":[{"name":"app","image":"app:1","resources":{"requests":{"cpu":"1","memory":"512Mi"},` +
		`"limits":{"memory":"512Mi"}}}]}`
	// badSpec has HR202, an error that can be fixed, and HR302, another.
	badSpec = `{"containers":[{"name":"app","image":"app:1","resources":{"requests":{"cpu":"1","memory":"256Mi"},` +
		`"limits":{"cpu":"2","memory":"512Mi"}}}]}`
	// worseSpec has HR301, which only its author can fix.
	worseSpec = `{"containers":[{"name":"app","image":"app:1","resources":{"requests":{"cpu":"1"}}}]}`
	latency   = `"annotations":{"headroom.dev/workload-class":"latency-sensitive","runtime.headroom.dev/app":"native"}`
)

func pod(spec string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop",` +
		latency + `},"spec":` + spec + `}`
}

func deployment(spec string) string {
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":` +
		`{"replicas":1,"template":{"metadata":{` + latency + `},"spec":` + spec + `}}}`
}

// stub takes the place of a Decider that fails.
type stub struct {
	err     error
	panic   bool
	verdict decision.Verdict
}

func (s stub) Validate(context.Context, decision.Request) (decision.Verdict, error) {
	if s.panic {
		panic("kanarie")
	}
	return s.verdict, s.err
}

func (s stub) Mutate(context.Context, decision.Request) (decision.Mutation, error) {
	v, err := s.Validate(context.Background(), decision.Request{})
	return decision.Mutation{Failed: v.Failed}, err
}

// logged collects everything that is logged where debug is.
func logged() (*strings.Builder, logr.Logger) {
	var b strings.Builder
	var mu sync.Mutex
	return &b, funcr.New(func(prefix, args string) {
		mu.Lock()
		defer mu.Unlock()
		b.WriteString(prefix + args + "\n")
	}, funcr.Options{Verbosity: 1})
}

var errTest = errors.New("the cache has not been filled")

func registry(p *place, d decider) (*Handlers, *metrics.Metrics, *strings.Builder) {
	m := metrics.New([]string{"HR202"})
	text, log := logged()
	return newHandlers(d, p, m, log), m, text
}
