package admission

import (
	"context"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/tidwall/gjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	controlleradmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// Handle answers a request that another has decoded, such as controller-runtime's admission.Webhook. That can answer
// with a review alone: where there is no room, what is not judged is admitted or refused in the way of the path.
func (h *handler) Handle(ctx context.Context, request controlleradmission.Request) controlleradmission.Response {
	r := review{
		uid: string(request.UID), kind: request.Kind.Kind, subresource: request.SubResource,
		operation: string(request.Operation), name: request.Name, namespace: request.Namespace,
		object: parse(request.Object.Raw), oldObject: parse(request.OldObject.Raw),
	}
	a := h.counted(ctx, &r, time.Now())
	if a.busy {
		h.metrics.Erred(metrics.ErrorOverload)
		a.response.Allowed = !h.closed
		a.response.Result = &metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests,
			Message: "headroom: " + errFull.Error(), Details: &metav1.StatusDetails{RetryAfterSeconds: retryAfter},
		}
	}
	return controlleradmission.Response{AdmissionResponse: a.response}
}

// parse takes an object whose text is safe to take apart; any other counts as none.
func parse(raw []byte) gjson.Result {
	text := string(raw)
	if !decision.Valid(text) {
		return gjson.Result{}
	}
	return gjson.Parse(text)
}

// counted answers a review and counts the answer.
func (h *handler) counted(ctx context.Context, r *review, start time.Time) answer {
	a := h.guarded(ctx, r)
	if !a.busy {
		h.metrics.Answered(h.operation, a.verdict, a.source, time.Since(start))
	}
	return a
}

// guarded answers a review even where our code panics: one request is affected, and is
// told so in the way of its path.
func (h *handler) guarded(ctx context.Context, r *review) (a answer) {
	defer func() {
		if recovered := recover(); recovered != nil {
			h.metrics.Panicked()
			// What was recovered may quote the object; the stack names only code.
			a = h.failed(r, decision.Panic{Stack: debug.Stack()})
		}
	}()
	return h.answer(ctx, r)
}
