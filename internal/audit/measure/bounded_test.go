package measure

import (
	"compress/gzip"
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
	packed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packer := gzip.NewWriter(w)
		for range 2 * maxResponse >> 20 {
			if n, err := packer.Write(make([]byte, 1<<20)); err != nil || sent.Add(int64(n)) < 0 {
				return
			}
		}
		_ = packer.Close() // nothing may read it
	}))
	defer packed.Close()
	for _, url := range []string{endless.URL, packed.URL} {
		sent.Store(0)
		isBounded(t, url, &sent)
	}
}

func isBounded(t *testing.T, url string, sent *atomic.Int64) {
	o := PrometheusOptions{URL: url}
	client, err := o.client()
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, body, err := client.Do(t.Context(), request)
	if response != nil {
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
	var large *http.MaxBytesError
	if !errors.As(err, &large) || len(body) > maxResponse || sent.Load() > 2*maxResponse {
		t.Errorf("%d bytes read, %d sent: %v", len(body), sent.Load(), err)
	}
}
