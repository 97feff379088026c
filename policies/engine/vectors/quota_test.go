package vectors_test

import (
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// The policies and the model grant a limit the same CPU time in a period, the kubelet's least of 1 ms
// included.
func TestTheQuotaIsThatOfTheModel(t *testing.T) {
	type pair struct {
		Limit  int64 `json:"limit"`
		Period int64 `json:"period"`
	}
	var pairs []pair
	for _, period := range []int64{1, 2, 5, 10, 20, 33, 50, 100, 250, 999, 1000} {
		for _, limit := range []int64{1, 2, 5, 9, 10, 11, 19, 20, 99, 100, 101, 333, 500, 999, 1000, 1500, 2000, 64000, 8192000} {
			pairs = append(pairs, pair{limit, period})
		}
	}
	var quotas []float64
	ask(t, "[data.headroom.cpu.quota_ms(p.limit, p.period) | some p in input.pairs]", map[string]any{"pairs": pairs}, &quotas)
	if len(quotas) != len(pairs) {
		t.Fatalf("%d quotas for %d pairs", len(quotas), len(pairs))
	}
	for i, p := range pairs {
		// The model counts whole nanoseconds, and so do limits of whole millicores.
		model := cfs.ForLimit(p.Limit, time.Duration(p.Period)*time.Millisecond).Quota
		if got := time.Duration(quotas[i]*1e6 + 0.5); got != model {
			t.Errorf("limit %dm, period %d ms: the policies say %v, the model %v", p.Limit, p.Period, got, model)
		}
	}
}
