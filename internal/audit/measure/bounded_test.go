package measure

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// A Prometheus, or what answers in its place, may send without an end: packed, too, which is bounded as it is unpacked.
func TestResponseIsBounded(t *testing.T) {
	var sent atomic.Int64
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		part := make([]byte, 1<<20)
		for {
			n, err := w.Write(part)
			sent.Add(int64(n))
			if err != nil || sent.Load() > 4*maxResponse {
				return
			}
		}
	}))
	defer endless.Close()
	o := PrometheusOptions{URL: endless.URL}
	client, err := o.client()
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, endless.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, body, err := client.Do(t.Context(), request)
	if response != nil {
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
	if !errors.Is(err, errResponseTooLarge) || len(body) > maxResponse || sent.Load() > 2*maxResponse {
		t.Errorf("%d bytes read, %d sent: %v", len(body), sent.Load(), err)
	}
}
