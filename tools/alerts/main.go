// Command alerts checks Prometheus rules with Prometheus' own parser and engine. It does what
// promtool does for rules, without the service discoveries that take promtool five times as
// long to compile.
//
//	alerts check RULES...     are the rules valid?
//	alerts metrics RULES...   which metrics do they read?
//	alerts test TESTS...      do alerts fire when they should? Tests are as for promtool test
//	                          rules, but annotations are only compared where they are given.
package main

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) < 2 {
		return errors.New("usage: alerts check|metrics|test and files")
	}
	do, known := map[string]func(string) error{"check": check, "metrics": metrics, "test": test}[arguments[0]]
	if !known {
		return fmt.Errorf("alerts knows no command %q", arguments[0])
	}
	var failed []error
	for _, file := range arguments[1:] {
		failed = append(failed, do(file))
	}
	return errors.Join(failed...)
}

func read(file string) (*rulefmt.RuleGroups, error) {
	parse := parser.NewParser(parser.Options{})
	groups, failed := rulefmt.ParseFile(file, false, model.UTF8Validation, parse, slog.Default())
	return groups, errors.Join(failed...)
}

func check(file string) error {
	_, err := read(file)
	return err
}

func metrics(file string) error {
	groups, err := read(file)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			expression, err := parser.NewParser(parser.Options{}).ParseExpr(rule.Expr)
			if err != nil {
				return err
			}
			parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
				if selector, ok := node.(*parser.VectorSelector); ok {
					names[metricName(selector)] = true
				}
				return nil
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Println(name)
	}
	return nil
}

func metricName(selector *parser.VectorSelector) string {
	for _, matcher := range selector.LabelMatchers {
		if matcher.Name == model.MetricNameLabel && matcher.Type == labels.MatchEqual {
			return matcher.Value
		}
	}
	return selector.String()
}
