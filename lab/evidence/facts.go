package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
)

// facts are the worked numbers that the tests hold the policies and the models to.
type facts struct {
	Quota []struct {
		LimitCPU string  `json:"limit_cpu"`
		PeriodMS float64 `json:"period_ms"`
		QuotaMS  float64 `json:"quota_ms"`
	}
	Burst []struct {
		Threads    int
		PauseMS    float64 `json:"pause_ms"`
		QuotaMS    float64 `json:"quota_ms"`
		UsedMS     float64 `json:"used_ms"`
		ThrottleMS float64 `json:"throttle_ms"`
		StallMS    float64 `json:"stall_ms"`
	}
	Timeline []struct {
		LimitCPU string  `json:"limit_cpu"`
		PeriodMS float64 `json:"period_ms"`
		Load     []struct {
			FromMS  float64 `json:"from_ms"`
			Threads int
			RunMS   float64 `json:"run_ms"`
		}
		ExhaustedMS float64 `json:"quota_exhausted_at_ms"`
		FrozenMS    float64 `json:"frozen_until_ms"`
		AtLeastMS   float64 `json:"wall_at_least_ms"`
	}
	AverageHides []struct {
		QuotaMS          float64   `json:"quota_ms"`
		PeriodMS         float64   `json:"period_ms"`
		DemandMS         []float64 `json:"demand_ms"`
		MeanCores        float64   `json:"mean_cores"`
		ThrottledPeriods int       `json:"throttled_periods"`
	} `json:"average_hides"`
	Workers []struct {
		WorkMS      float64 `json:"work_ms"`
		Threads     int
		LimitCPU    string   `json:"limit_cpu"`
		PeriodMS    float64  `json:"period_ms"`
		FinishMS    *float64 `json:"finish_ms"`
		ThrottledAt float64  `json:"first_throttle_at_ms"`
		FrozenMS    float64  `json:"frozen_ms"`
	}
	budgets
}

// budgets are in MiB.
type budgets struct {
	Budgets []struct {
		Limit   int
		Flags   string
		Threads int
		Native  int
		Total   float64
		Left    float64
		Verdict string
	}
}

func readFacts() (facts, error) {
	var f facts
	for file, into := range map[string]any{
		"policies/engine/vectors/throttling.json": &f, "policies/engine/vectors/jvm-memory.json": &f.budgets,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			return f, err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return f, fmt.Errorf("%s: %w", file, err)
		}
	}
	return f, nil
}

// millicores of a quantity that the facts have.
func millicores(limit string) int64 {
	q := resource.MustParse(limit)
	return q.MilliValue()
}
