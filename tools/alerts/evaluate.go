package main

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
	"github.com/prometheus/prometheus/tsdb/chunks"
)

const maxSamples = 1_000_000

// alert is one that fires.
type alert struct{ labels, annotations map[string]string }

func (a alert) String() string { return fmt.Sprint(a.labels, a.annotations) }

// evaluation runs rules over time as Prometheus does: what a rule records is there for the
// next one, and an alert fires once it has been true for as long as its for says.
type evaluation struct {
	data   *memory
	engine *promql.Engine
	rules  []rulefmt.Rule
	active map[string]map[string]*pending // alert, labels
}

type pending struct {
	since time.Duration
	alert alert
}

func newEvaluation(data *memory, rules []rulefmt.Rule) *evaluation {
	return &evaluation{
		data:   data,
		engine: promql.NewEngine(promql.EngineOpts{MaxSamples: maxSamples, Timeout: time.Minute}),
		rules:  rules,
		active: map[string]map[string]*pending{},
	}
}

func (e *evaluation) step(at time.Duration) error {
	for _, rule := range e.rules {
		found, err := e.query(rule.Expr, at)
		if err != nil {
			return fmt.Errorf("%s%s: %w", rule.Record, rule.Alert, err)
		}
		if rule.Record != "" {
			e.record(rule, found, at)
			continue
		}
		if err := e.judge(rule, found, at); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) query(expression string, at time.Duration) (promql.Vector, error) {
	now := time.UnixMilli(at.Milliseconds())
	query, err := e.engine.NewInstantQuery(context.Background(), e.data, nil, expression, now)
	if err != nil {
		return nil, err
	}
	defer query.Close()
	result := query.Exec(context.Background())
	if result.Err != nil {
		return nil, result.Err
	}
	if scalar, ok := result.Value.(promql.Scalar); ok {
		return promql.Vector{{T: scalar.T, F: scalar.V}}, nil
	}
	vector, err := result.Vector()
	return append(promql.Vector(nil), vector...), err
}

func (e *evaluation) record(rule rulefmt.Rule, found promql.Vector, at time.Duration) {
	for _, one := range found {
		builder := labels.NewBuilder(one.Metric).Set(model.MetricNameLabel, rule.Record)
		for name, value := range rule.Labels {
			builder.Set(name, value)
		}
		name, now := builder.Labels(), chunks.Sample(sample{at.Milliseconds(), one.F})
		known := false
		for i := range e.data.series {
			if labels.Equal(e.data.series[i].labels, name) {
				e.data.series[i].samples = append(e.data.series[i].samples, now)
				known = true
			}
		}
		if !known {
			e.data.series = append(e.data.series, memorySeries{name, []chunks.Sample{now}})
		}
	}
}

func (e *evaluation) judge(rule rulefmt.Rule, found promql.Vector, at time.Duration) error {
	before, now := e.active[rule.Alert], map[string]*pending{}
	for _, one := range found {
		builder := labels.NewBuilder(one.Metric).Del(model.MetricNameLabel).Set(model.AlertNameLabel, rule.Alert)
		for name, text := range rule.Labels {
			builder.Set(name, text)
		}
		name := builder.Labels()
		key := name.String()
		if now[key] != nil {
			return fmt.Errorf("%s: two results with the labels %s", rule.Alert, key)
		}
		written, err := annotate(rule, one, at)
		if err != nil {
			return err
		}
		now[key] = &pending{since: at, alert: alert{name.Map(), written}}
		if old := before[key]; old != nil {
			now[key].since = old.since
		}
	}
	e.active[rule.Alert] = now
	return nil
}

func annotate(rule rulefmt.Rule, one promql.Sample, at time.Duration) (map[string]string, error) {
	const variables = "{{$labels := .Labels}}{{$value := .Value}}"
	data := template.AlertTemplateData(one.Metric.Map(), nil, "", one)
	written := maps.Clone(rule.Annotations)
	for name, text := range written {
		expanded, err := template.NewTemplateExpander(context.Background(), variables+text, rule.Alert, data,
			model.Time(at.Milliseconds()), nil, nil, nil).Expand()
		if err != nil {
			return nil, fmt.Errorf("%s: annotation %s: %w", rule.Alert, name, err)
		}
		written[name] = strings.TrimSpace(expanded)
	}
	return written, nil
}

// firing are the alerts of a rule that have been true for long enough.
func (e *evaluation) firing(name string, at time.Duration) []alert {
	var hold time.Duration
	for _, rule := range e.rules {
		if rule.Alert == name {
			hold = time.Duration(rule.For)
		}
	}
	var fire []alert
	for _, p := range e.active[name] {
		if at-p.since >= hold {
			fire = append(fire, p.alert)
		}
	}
	return fire
}
