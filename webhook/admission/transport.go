package admission

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/webhook/metrics"
)

const (
	// maxBody has room for an object and the one that it replaces, 3 MiB each, and the
	// rest of a review (controller-runtime's limit, with the same reasons).
	maxBody = 7 << 20
	// maxHeld bounds what bodies in memory have together beyond usualBody: five hundred clients that each send the
	// largest must not stop the process. Those with a usual body, some 10 KiB, have room beside them.
	maxHeld = 48 << 20
	// retryAfter is when a client that is turned away may try again, in seconds.
	retryAfter = 1
)

var (
	errTooLarge = errors.New("the body is larger than 7 MiB")
	errFull     = errors.New("too many requests at once")
)

// ServeHTTP answers one AdmissionReview. Where there is no review to answer, or no room, the answer
// is an HTTP error, to which the API server applies the failurePolicy. To a review with an error in
// it, it would not (W46).
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	defer h.metrics.Started()()
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.reject(w, http.StatusMethodNotAllowed, "only POST is answered")
		return
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		h.reject(w, http.StatusUnsupportedMediaType, "only application/json is read")
		return
	}
	body, release, err := h.body(w, r)
	defer release()
	if err != nil {
		h.unread(w, err)
		return
	}
	request, err := parseReview(body)
	if err != nil {
		h.reject(w, http.StatusBadRequest, err.Error())
		return
	}
	a := h.counted(r.Context(), &request, start)
	if a.busy {
		h.shed(w)
		return
	}
	a.response.UID = types.UID(request.uid)
	reply, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: request.apiVersion, Kind: "AdmissionReview"},
		Response: &a.response,
	})
	if err != nil {
		h.log.Error(err, "cannot write an answer", "uid", request.uid)
		http.Error(w, "cannot write the answer", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(reply); err != nil {
		h.log.V(1).Info("the API server went away before it had its answer", "uid", request.uid)
	}
}

// chunks are what bodies pass through: io.Copy makes one of 32 KiB for every request, three
// times what a usual body takes.
var chunks = sync.Pool{New: func() any { return new([chunkBytes]byte) }}

const (
	chunkBytes = 16 << 10
	usualBody  = 64 << 10
)

// body reads a body, and counts what it takes for as long as it is in use.
func (h *handler) body(w http.ResponseWriter, r *http.Request) (string, func(), error) {
	b := &bounded{held: &h.held}
	release := func() { h.held.Add(-b.taken) }
	if r.ContentLength > maxBody {
		return "", release, errTooLarge
	}
	// What a client announces is not taken for what it sends.
	b.text.Grow(int(min(max(r.ContentLength, 0), usualBody)))
	chunk := chunks.Get().(*[chunkBytes]byte)
	defer chunks.Put(chunk)
	_, err := io.CopyBuffer(b, http.MaxBytesReader(w, r.Body, maxBody), chunk[:])
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		err = errTooLarge
	}
	return b.text.String(), release, err
}

// bounded is a buffer that grows while there is room for all.
type bounded struct {
	text strings.Builder
	held interface{ Add(int64) int64 }
	// taken is what this one has of what is held: what is longer than a usual body.
	taken int64
}

func (b *bounded) Write(p []byte) (int, error) {
	size := int64(b.text.Len() + len(p))
	if more := size - usualBody - b.taken; more > 0 {
		b.taken += more
		if b.held.Add(more) > maxHeld {
			return 0, errFull
		}
	}
	return b.text.Write(p)
}

func (h *handler) unread(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, errTooLarge):
		h.reject(w, http.StatusRequestEntityTooLarge, errTooLarge.Error())
	case errors.Is(err, errFull):
		h.shed(w)
	default:
		h.reject(w, http.StatusBadRequest, "the body cannot be read to its end")
	}
}

// reject answers what is no review. Of a Status the API server passes the message on to who
// waits for the object; of plain text it says nothing but the number.
func (h *handler) reject(w http.ResponseWriter, status int32, why string) {
	h.metrics.Erred(metrics.ErrorRequest)
	h.log.V(1).Info("not an admission request", "status", status, "why", why)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status))
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: status, Message: "headroom: " + why,
	})
}

// shed turns a request away at once instead of answering all too late. The API server's
// client tries again within the webhook's timeout.
func (h *handler) shed(w http.ResponseWriter) {
	h.metrics.Erred(metrics.ErrorOverload)
	w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	http.Error(w, "headroom: "+errFull.Error(), http.StatusTooManyRequests)
}
