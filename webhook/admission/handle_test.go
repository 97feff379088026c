package admission

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	controlleradmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/headroom-dev/headroom/webhook/decision"
)

// throughLibrary serves a path by controller-runtime's webhook and its decoder.
func throughLibrary(t testing.TB, path Handler) http.Handler {
	t.Helper()
	served, err := controlleradmission.StandaloneWebhook(&controlleradmission.Webhook{Handler: path},
		controlleradmission.StandaloneOptions{Logger: logr.Discard()})
	if err != nil {
		t.Fatal(err)
	}
	return served
}

// controller-runtime's webhook gives the answers that our own decoder gives. It says 200 of each that is allowed.
func TestControllerRuntimeAnswersAlike(t *testing.T) {
	for _, p := range []*place{mutating(ModeWarn), mutating(ModeEnforce), in(ModeAudit), in(ModeOff), {err: errTest}, {panic: true}} {
		h := handlers(p)
		for name, path := range map[string]Handler{"mutate": h.Mutate, "validate": h.Validate, "enforce": h.ValidateEnforce} {
			for _, a := range []ask{
				{object: pod(goodSpec)},
				{object: pod(badSpec)},
				{object: pod(worseSpec)},
				{object: pod(badSpec), old: pod(goodSpec), operation: "UPDATE", subresource: "resize"},
				{kind: "Deployment", object: deployment(badSpec)},
				{kind: "Deployment", object: deployment(badSpec), old: deployment(goodSpec), operation: "UPDATE"},
				{kind: "Deployment", object: deployment(badSpec), old: deployment(badSpec), operation: "UPDATE"},
				{},
				{object: `"text"`},
			} {
				want, got := answerTo(t, path, a), answerTo(t, throughLibrary(t, path), a)
				if want.Result == nil && reflect.DeepEqual(got.Result, &metav1.Status{Code: http.StatusOK}) {
					got.Result = nil
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: %s, not %s", name, jsonOf(t, p.facts), jsonOf(t, got), jsonOf(t, want))
				}
			}
		}
	}
}

// What our decoder would not let in is no object.
func TestWhatIsNotSafeToTakeApart(t *testing.T) {
	for _, raw := range []string{"", "{", strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20)} {
		request := controlleradmission.Request{}
		request.Kind.Kind, request.Namespace, request.Operation = "Pod", "shop", "CREATE"
		request.Object.Raw = []byte(raw)
		if r := handlers(in(ModeEnforce)).ValidateEnforce.Handle(t.Context(), request); r.Allowed || r.AuditAnnotations[auditError] != "object" {
			t.Errorf("%.10s: %+v", raw, r)
		}
	}
}

// Its webhook can only answer with a review, so that an overload is told in the way of the path.
func TestOverloadBehindControllerRuntime(t *testing.T) {
	h, m, _ := registry(mutating(ModeWarn), stub{err: decision.ErrBusy})
	for _, path := range []Handler{h.Mutate, h.Validate, h.ValidateEnforce} {
		r := answerTo(t, throughLibrary(t, path), ask{object: pod(goodSpec)})
		if r.Allowed != (path != h.ValidateEnforce) || r.Result.Code != http.StatusTooManyRequests || r.Result.Details.RetryAfterSeconds != retryAfter {
			t.Errorf("%+v", r)
		}
	}
	want := "# HELP headroom_errors_total Requests that could not be judged, by kind of error.\n" +
		"# TYPE headroom_errors_total counter\nheadroom_errors_total{kind=\"overload\"} 3\n"
	if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "headroom_errors_total"); err != nil {
		t.Error(err)
	}
}
