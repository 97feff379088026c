package scenario

import (
	"encoding/json"
	"io"

	"github.com/headroom-dev/headroom/internal/cfs/drawing"
)

// SchemaV1 names the shape of the JSON. Keys are only ever added to it.
const SchemaV1 = "headroom.dev/simulation/v1"

type jsonFile struct {
	Schema    string         `json:"schema"`
	Scenarios []jsonScenario `json:"scenarios"`
}

type jsonScenario struct {
	File  string     `json:"file"`
	Title string     `json:"title,omitempty"`
	Note  string     `json:"note,omitempty"`
	Layer Layer      `json:"layer"`
	Seeds int        `json:"seeds,omitempty"`
	Cases []jsonCase `json:"cases"`
}

type jsonCase struct {
	LimitMilli  int64     `json:"limit_milli"` // 0: none
	PeriodMS    float64   `json:"period_ms"`
	QuotaMS     float64   `json:"quota_ms"`
	BurstMS     float64   `json:"burst_ms"` // what may be saved for it
	Processors  int       `json:"processors"`
	Varied      []Setting `json:"varied,omitempty"`
	*jsonPeriod           // of the period layer
	*jsonPool             // of the pool layer
}

type jsonPeriod struct {
	Periods         int             `json:"periods"`
	Throttled       int             `json:"throttled_periods"`
	Ratio           float64         `json:"throttled_ratio"`
	FrozenMS        float64         `json:"frozen_ms"`
	LongestFreezeMS float64         `json:"longest_freeze_ms"`
	UsedMS          float64         `json:"used_ms"`
	Bursts          int             `json:"burst_periods"` // that used more than the quota
	BurstMS         float64         `json:"burst_used_ms"`
	SpareMS         float64         `json:"spare_ms"`
	DoneMS          float64         `json:"done_ms"`
	Loads           []LoadResult    `json:"loads"`
	Events          []drawing.Event `json:"events"`
}

type jsonPool struct {
	Threads int     `json:"busy_threads"`
	Count   int     `json:"periods_each"`
	Remedy  string  `json:"remedy"`
	Rewrite float64 `json:"rewrite_ms"` // 0: never
	Mean    float64 `json:"throttled_ratio_mean"`
	Median  float64 `json:"throttled_ratio_median"`
	Min     float64 `json:"throttled_ratio_min"`
	Max     float64 `json:"throttled_ratio_max"`
	TimeMS  float64 `json:"throttled_ms_mean"`
	Cores   float64 `json:"cores_used_mean"`
}

// JSON writes results for machines; times are in milliseconds.
func JSON(w io.Writer, results []*Result) error {
	file := jsonFile{Schema: SchemaV1, Scenarios: []jsonScenario{}}
	for _, r := range results {
		file.Scenarios = append(file.Scenarios, r.json())
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(file)
}

func (r *Result) json() jsonScenario {
	s := r.Scenario
	out := jsonScenario{File: s.File, Title: s.Title, Note: s.Note, Layer: s.Layer, Seeds: s.Busy.Seeds}
	for _, o := range r.Outcomes {
		c := jsonCase{
			LimitMilli: o.Limit, PeriodMS: milliseconds(o.Period), QuotaMS: milliseconds(o.Bandwidth().Quota),
			BurstMS:    milliseconds(o.Bandwidth().Burst),
			Processors: o.Processors, Varied: o.Varied,
		}
		if s.Layer == Pool {
			c.jsonPool = &jsonPool{
				Threads: o.threads, Count: o.Count, Remedy: o.machine.Remedy.String(),
				Rewrite: milliseconds(o.machine.Rewrite), Cores: o.Spread.Cores, Mean: o.Spread.Mean,
				Median: o.Spread.Median, Min: o.Spread.Min, Max: o.Spread.Max, TimeMS: milliseconds(o.Spread.ThrottledTime),
			}
		} else {
			ran, ms := o.Timeline.Result, milliseconds
			c.jsonPeriod = &jsonPeriod{
				Periods: ran.Periods, Throttled: ran.Throttled, Ratio: ran.Ratio(), FrozenMS: ms(ran.Frozen),
				LongestFreezeMS: ms(ran.Longest), UsedMS: ms(ran.Used), Bursts: ran.Bursts,
				BurstMS: ms(ran.Burst), SpareMS: ms(ran.Spare), DoneMS: ms(ran.End()),
				Loads: o.Loads, Events: o.Timeline.Events(),
			}
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}
