package admission

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	controlleradmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"
)

// BenchmarkHandler answers the same Pod again and again, without TLS and sockets. Floor is
// what a webhook costs that decodes the envelope and says yes; the rows of the library have controller-runtime's codec.
func BenchmarkHandler(b *testing.B) {
	text, err := os.ReadFile("../../policies/engine/testdata/bench/jvms.yaml")
	if err != nil {
		b.Fatal(err)
	}
	object, err := yaml.YAMLToJSON(text)
	if err != nil {
		b.Fatal(err)
	}
	managed := `"metadata":{"managedFields":[{"manager":"kubectl","fieldsType":"FieldsV1","fieldsV1":{` +
		strings.Repeat(`"k:{\"name\":\"SOME_VARIABLE\"}":{".":{},"f:name":{},"f:value":{}},`, 80) + `"f:x":{}}}],`
	body := ask{object: strings.Replace(string(object), `"metadata":{`, managed, 1)}.body()
	h := handlers(mutating(ModeWarn))
	for name, handler := range map[string]http.Handler{
		"floor": http.HandlerFunc(floor), "validate": h.Validate, "mutate": h.Mutate,
		"library/floor": &controlleradmission.Webhook{Handler: yes}, "library/validate": throughLibrary(b, h.Validate), "library/mutate": throughLibrary(b, h.Mutate),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

var yes = controlleradmission.HandlerFunc(func(context.Context, controlleradmission.Request) controlleradmission.Response {
	return controlleradmission.Allowed("")
})

func floor(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	if err := json.NewEncoder(w).Encode(review); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
