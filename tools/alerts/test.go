package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

// testFile is what promtool test rules reads, as far as it is used here.
type testFile struct {
	RuleFiles []string       `yaml:"rule_files"`
	Interval  model.Duration `yaml:"evaluation_interval"`
	Tests     []testGroup    `yaml:"tests"`
}

type testGroup struct {
	Name     string         `yaml:"name"`
	Interval model.Duration `yaml:"interval"`
	Series   []struct {
		Series string `yaml:"series"`
		Values string `yaml:"values"`
	} `yaml:"input_series"`
	Alerts []alertTest `yaml:"alert_rule_test"`
}

type alertTest struct {
	At     model.Duration `yaml:"eval_time"`
	Alert  string         `yaml:"alertname"`
	Wanted []wantedAlert  `yaml:"exp_alerts"`
}

type wantedAlert struct {
	Labels      map[string]string `yaml:"exp_labels"`
	Annotations map[string]string `yaml:"exp_annotations"`
}

func test(file string) error {
	content, err := os.ReadFile(file) //nolint:gosec // a file that the caller names
	if err != nil {
		return err
	}
	tests := testFile{Interval: model.Duration(time.Minute)}
	if err := yaml.Unmarshal(content, &tests); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var rules []rulefmt.Rule
	for _, name := range tests.RuleFiles {
		groups, err := read(filepath.Join(filepath.Dir(file), name))
		if err != nil {
			return err
		}
		for _, group := range groups.Groups {
			rules = append(rules, group.Rules...)
		}
	}
	var failed []error
	for _, group := range tests.Tests {
		if err := testOne(rules, group, time.Duration(tests.Interval)); err != nil {
			failed = append(failed, fmt.Errorf("%s: %s: %w", file, group.Name, err))
		}
	}
	return errors.Join(failed...)
}

func testOne(rules []rulefmt.Rule, group testGroup, interval time.Duration) error {
	data := &memory{}
	for _, series := range group.Series {
		name, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(series.Series + " " + series.Values)
		if err != nil {
			return fmt.Errorf("%s: %w", series.Series, err)
		}
		numbers, present := make([]float64, len(values)), make([]bool, len(values))
		for i, value := range values {
			numbers[i], present[i] = value.Value, !value.Omitted
		}
		data.add(name, numbers, present, time.Duration(group.Interval))
	}
	evaluation := newEvaluation(data, rules)
	end := time.Duration(slices.MaxFunc(group.Alerts, func(a, b alertTest) int { return int(a.At - b.At) }).At)
	var failed []error
	for at := time.Duration(0); at <= end; at += interval {
		if err := evaluation.step(at); err != nil {
			return err
		}
		for _, wanted := range group.Alerts {
			if time.Duration(wanted.At) == at {
				failed = append(failed, compare(wanted, evaluation.firing(wanted.Alert, at)))
			}
		}
	}
	return errors.Join(failed...)
}

func compare(wanted alertTest, got []alert) error {
	differ := len(wanted.Wanted) != len(got)
	for _, w := range wanted.Wanted {
		differ = differ || !slices.ContainsFunc(got, func(g alert) bool { return g.is(w) })
	}
	if !differ {
		return nil
	}
	return fmt.Errorf("%s at %s: fires as %v, want %v", wanted.Alert, wanted.At, got, wanted.Wanted)
}

func (a alert) is(wanted wantedAlert) bool {
	for name, text := range wanted.Annotations {
		if a.annotations[name] != text {
			return false
		}
	}
	return maps.Equal(a.labels, wanted.Labels)
}
