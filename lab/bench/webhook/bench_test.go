//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/go-logr/logr"
	"github.com/tidwall/gjson"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/admission"
	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// gcPercent is what `headroom webhook` sets for itself.
const gcPercent = 400

// shop is the Namespace of the recorded review.
type shop struct{}

func (shop) Around(context.Context, string, admission.Owned) (admission.Facts, error) {
	return admission.Facts{
		Mode: admission.ModeWarn, Mutate: true, Around: &engine.Context{Namespace: "shop"}, Fingerprint: "shop",
	}, nil
}

// sink is where an answer goes; it costs less than a connection.
type sink struct {
	header http.Header
	body   bytes.Buffer
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return s.body.Write(p) }
func (s *sink) WriteHeader(int)             {}

// cpuTime is what the process has used of all processors, garbage collection included.
func cpuTime(b *testing.B) int64 {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// BenchmarkAnswer is the webhook without its connection. It goes from the bytes of a review to
// those of the answer, for a template that was seen before and for one that never was.
func BenchmarkAnswer(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	m := metrics.New(nil)
	decider, err := decision.New(b.Context(), decision.Options{Metrics: m})
	if err != nil {
		b.Fatal(err)
	}
	handlers := admission.New(decider, shop{}, m, logr.Discard())
	serial := uint64(0)
	for _, bench := range []struct {
		name    string
		handler http.Handler
		wrong   bool
	}{
		{"validate", handlers.Validate, false},
		{"mutate", handlers.Mutate, false},
		{"fix", handlers.Mutate, true},
	} {
		r, err := newReview(bench.wrong)
		if err != nil {
			b.Fatal(err)
		}
		for name, fresh := range map[string]bool{"seen": false, "unseen": true} {
			b.Run(bench.name+"/"+name, func(b *testing.B) {
				request := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/", http.NoBody)
				request.Header.Set("Content-Type", "application/json")
				request.ContentLength = int64(len(r.text))
				w := &sink{header: http.Header{}}
				body := bytes.NewReader(r.text)
				b.SetBytes(int64(len(r.text)))
				b.ReportAllocs()
				start := cpuTime(b)
				for b.Loop() {
					serial++
					r.number(r.text, serial, fresh)
					body.Reset(r.text)
					request.Body = io.NopCloser(body)
					w.body.Reset()
					bench.handler.ServeHTTP(w, request)
				}
				b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
				answer := w.body.Bytes()
				if !bytes.Contains(answer, []byte(`"allowed":true`)) ||
					bytes.Contains(answer, []byte(`"patch":`)) != bench.wrong {
					b.Fatalf("the answer is %s", answer)
				}
			})
		}
	}
}

// BenchmarkSameTemplate is the decision on a Pod whose template was seen before: checking
// its text, making the key of it, and finding the verdict.
func BenchmarkSameTemplate(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	decider, err := decision.New(b.Context(), decision.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r, err := newReview(false)
	if err != nil {
		b.Fatal(err)
	}
	request := decision.Request{
		Object: gjson.GetBytes(r.text, "request.object").Raw, Name: "a", Namespace: "shop", Fingerprint: "shop",
	}
	if _, err := decider.Validate(b.Context(), request); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		verdict, err := decider.Validate(b.Context(), request)
		if err != nil || !verdict.Cached {
			b.Fatal(verdict, err)
		}
	}
	b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
}

func TestReviews(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		r, err := newReview(wrong)
		if err != nil {
			t.Fatal(err)
		}
		same, other := bytes.Clone(r.text), bytes.Clone(r.text)
		r.number(same, 17, false)
		r.number(other, 17, true)
		if bytes.Count(same, []byte("0000000017")) != 3 || bytes.Count(other, []byte("0000000017")) != 4 {
			t.Errorf("not numbered:\n%s\n%s", same, other)
		}
		if _, err := r.pod(); err != nil {
			t.Error(err)
		}
	}
}
