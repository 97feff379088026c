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
	// Each server counts its own bytes: one that is cut off may still count its last write while the next is read.
	var sent, unpacked atomic.Int64
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeUntil(w, 4*maxResponse, &sent)
	}))
	defer endless.Close()
	packed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packer := gzip.NewWriter(w)
		writeUntil(packer, 2*maxResponse, &unpacked)
		_ = packer.Close() // nothing may read it
	}))
	defer packed.Close()
	isBounded(t, endless.URL, &sent)
	isBounded(t, packed.URL, &unpacked)
}

// writeUntil writes parts of 1 MiB until size bytes are counted in sent, or the reader is gone.
func writeUntil(w io.Writer, size int64, sent *atomic.Int64) {
	part := make([]byte, 1<<20)
	for sent.Load() < size {
		n, err := w.Write(part)
		sent.Add(int64(n))
		if err != nil {
			return
		}
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
