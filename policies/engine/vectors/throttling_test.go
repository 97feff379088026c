// Package vectors_test reproduces the worked numbers of the facts through the policies, and those of
// throttling.json through the quota model too, which alone knows `timeline` and `bandwidth_pools`.
package vectors_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

type throttling struct {
	Quota []struct {
		ID       string
		LimitCPU string  `json:"limit_cpu"`
		PeriodMS float64 `json:"period_ms"`
		QuotaMS  float64 `json:"quota_ms"`
	}
	Burst []struct {
		ID      string
		Threads float64
		PauseMS float64 `json:"pause_ms"`
		QuotaMS float64 `json:"quota_ms"`
		burst
	}
	AverageHides []struct {
		ID       string
		QuotaMS  float64   `json:"quota_ms"`
		PeriodMS float64   `json:"period_ms"`
		DemandMS []float64 `json:"demand_ms"`
		average
	} `json:"average_hides"`
	CPUStat []struct {
		ID string
		counters
		Before, After  *counters
		Ratio          float64
		MeanThrottleMS float64 `json:"mean_throttle_ms"`
	} `json:"cpu_stat"`
	Workers []struct {
		ID              string
		WorkMS          float64 `json:"work_ms"`
		Threads         float64
		LimitCPU        string   `json:"limit_cpu"`
		PeriodMS        float64  `json:"period_ms"`
		FinishMS        *float64 `json:"finish_ms"`
		FirstThrottleAt *float64 `json:"first_throttle_at_ms"`
		FrozenMS        float64  `json:"frozen_ms"`
	}
	Timeline       []timeline
	BandwidthPools []pools `json:"bandwidth_pools"`
}

type burst struct {
	UsedMS     float64 `json:"used_ms"`
	ThrottleMS float64 `json:"throttle_ms"`
	StallMS    float64 `json:"stall_ms"`
}

type average struct {
	MeanCores        float64 `json:"mean_cores"`
	ThrottledPeriods float64 `json:"throttled_periods"`
}

// counters are those of cpu.stat: v1 has nanoseconds, v2 microseconds.
type counters struct {
	NrPeriods     float64 `json:"nr_periods"`
	NrThrottled   float64 `json:"nr_throttled"`
	ThrottledNS   float64 `json:"throttled_ns"`
	ThrottledUsec float64 `json:"throttled_usec"`
}

func loadThrottling(t *testing.T) throttling {
	t.Helper()
	var v throttling
	load(t, "throttling.json", &v)
	if len(v.Timeline) == 0 || len(v.BandwidthPools) == 0 || len(v.Quota) == 0 || len(v.Burst) == 0 || len(v.AverageHides) == 0 || len(v.CPUStat) == 0 || len(v.Workers) == 0 {
		t.Fatal("throttling.json lacks a section")
	}
	return v
}

// same compares to the digits that the vector gives.
func same(t *testing.T, id, what string, got, want float64) {
	t.Helper()
	_, digits, _ := strings.Cut(strconv.FormatFloat(want, 'f', -1, 64), ".")
	if tolerance := 0.5*math.Pow10(-len(digits)) + 1e-9; math.Abs(got-want) > tolerance {
		t.Errorf("%s: %s is %v, want %v", id, what, got, want)
	}
}

func TestQuota(t *testing.T) {
	for _, v := range loadThrottling(t).Quota {
		var got float64
		ask(t, "data.headroom.cpu.quota_ms(data.headroom.quantity.milli(input.limit), input.period)",
			map[string]any{"limit": v.LimitCPU, "period": v.PeriodMS}, &got)
		same(t, v.ID, "quota_ms", got, v.QuotaMS)
	}
}

func TestCPUStat(t *testing.T) {
	for _, v := range loadThrottling(t).CPUStat {
		now := v.counters
		if v.Before != nil {
			now = counters{
				NrPeriods:     v.After.NrPeriods - v.Before.NrPeriods,
				NrThrottled:   v.After.NrThrottled - v.Before.NrThrottled,
				ThrottledUsec: v.After.ThrottledUsec - v.Before.ThrottledUsec,
			}
		}
		var got struct {
			Ratio          float64
			MeanThrottleMS float64 `json:"mean_throttle_ms"`
		}
		ask(t, "data.headroom.cpu.stat(input.periods, input.throttled, input.ns)", map[string]any{
			"periods":   now.NrPeriods,
			"throttled": now.NrThrottled,
			"ns":        now.ThrottledNS + now.ThrottledUsec*1000,
		}, &got)
		same(t, v.ID, "ratio", got.Ratio, v.Ratio)
		same(t, v.ID, "mean_throttle_ms", got.MeanThrottleMS, v.MeanThrottleMS)
	}
}

func TestWorkers(t *testing.T) {
	const quota = "data.headroom.cpu.quota_ms(data.headroom.quantity.milli(input.limit), input.period)"
	for _, v := range loadThrottling(t).Workers {
		values := map[string]any{
			"work": v.WorkMS, "threads": v.Threads, "limit": v.LimitCPU, "period": v.PeriodMS,
		}
		switch {
		case v.FinishMS != nil:
			var got float64
			ask(t, "data.headroom.cpu.finish_ms(input.work, input.threads, "+quota+", input.period)", values, &got)
			same(t, v.ID, "finish_ms", got, *v.FinishMS)
		case v.FirstThrottleAt != nil:
			var got struct {
				At     float64 `json:"at_ms"`
				Frozen float64 `json:"frozen_ms"`
			}
			ask(t, "data.headroom.cpu.first_throttle(input.threads, "+quota+", input.period)", values, &got)
			same(t, v.ID, "first_throttle_at_ms", got.At, *v.FirstThrottleAt)
			same(t, v.ID, "frozen_ms", got.Frozen, v.FrozenMS)
		default:
			t.Errorf("%s gives no number that is known", v.ID)
		}
	}
}
