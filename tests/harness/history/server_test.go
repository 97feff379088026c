//go:build integration

package history

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// A scrape that fails writes samples of its own, of now: what is older must still get in with the next one.
func TestTheFirstScrapeFails(t *testing.T) {
	t.Parallel()
	h := New()
	const days = 2
	h.Every = time.Hour
	h.Add("held", nil, h.Ago(days*24*time.Hour), h.End, Constant(1))
	server := Start(t, h, Options{Failed: 1})
	client, err := api.NewClient(api.Config{Address: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	answer, _, _, err := v1.NewAPI(client).Query(t.Context(), "count_over_time(held[7d])", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	vector, _ := answer.(model.Vector)
	if len(vector) != 1 || vector[0].Value != days*24+1 {
		t.Errorf("%v, want %d samples", answer, days*24+1)
	}
}
