package main

import (
	"context"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// memory is a database that holds a few series as they are.
type memory struct{ series []memorySeries }

type memorySeries struct {
	labels  labels.Labels
	samples []chunks.Sample
}

type sample struct {
	at    int64
	value float64
}

func (s sample) T() int64                      { return s.at }
func (s sample) ST() int64                     { return 0 }
func (s sample) F() float64                    { return s.value }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

func (m *memory) add(name labels.Labels, values []float64, present []bool, interval time.Duration) {
	one := memorySeries{labels: name}
	for i, value := range values {
		if present[i] {
			one.samples = append(one.samples, sample{int64(i) * interval.Milliseconds(), value})
		}
	}
	m.series = append(m.series, one)
}

// Querier implements storage.Queryable. The engine itself drops samples outside its range.
func (m *memory) Querier(_, _ int64) (storage.Querier, error) { return m, nil }

// Select implements storage.Querier.
func (m *memory) Select(
	_ context.Context, _ bool, _ *storage.SelectHints, wanted ...*labels.Matcher,
) storage.SeriesSet {
	set := &seriesSet{at: -1}
	for _, one := range m.series {
		if matches(one.labels, wanted) {
			set.series = append(set.series, storage.NewListSeries(one.labels, one.samples))
		}
	}
	return set
}

func matches(name labels.Labels, wanted []*labels.Matcher) bool {
	for _, matcher := range wanted {
		if !matcher.Matches(name.Get(matcher.Name)) {
			return false
		}
	}
	return true
}

// LabelValues implements storage.Querier; the engine does not ask for it.
func (m *memory) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) (
	[]string, annotations.Annotations, error,
) {
	return nil, nil, nil
}

// LabelNames implements storage.Querier; the engine does not ask for it.
func (m *memory) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) (
	[]string, annotations.Annotations, error,
) {
	return nil, nil, nil
}

// Close implements storage.Querier.
func (m *memory) Close() error { return nil }

type seriesSet struct {
	series []storage.Series
	at     int
}

func (s *seriesSet) Next() bool                        { s.at++; return s.at < len(s.series) }
func (s *seriesSet) At() storage.Series                { return s.series[s.at] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }
