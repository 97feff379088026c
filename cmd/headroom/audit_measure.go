//go:build !lean

package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/pflag"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/measure"
)

// tokenVariable holds the bearer token if no file does. Unlike a flag, it does not show in the process list.
const tokenVariable = "HEADROOM_PROMETHEUS_TOKEN" //nolint:gosec // its name

// measureFlags say which source measures what containers really use.
type measureFlags struct {
	prometheus measure.PrometheusOptions
	headers    []string
	vpa        bool
}

func (f *measureFlags) add(flags *pflag.FlagSet) {
	o := &f.prometheus
	o.Window, o.Step, o.Timeout = measure.DefaultWindow, measure.DefaultStep, measure.DefaultTimeout
	flags.StringVar(&o.URL, "prometheus", "", "take measured use from the Prometheus at `URL` (or Thanos, Mimir, …)")
	flags.StringVar(&o.TokenFile, "prometheus-token-file", "",
		"bearer token in `FILE`; without it the one in $"+tokenVariable+", if it is set")
	flags.StringVar(&o.CAFile, "prometheus-ca-file", "", "certificates in `FILE` to trust instead of the system's")
	flags.BoolVar(&o.Insecure, "prometheus-insecure", false,
		"trust any certificate, and send the token over plain HTTP if the URL says so")
	flags.StringArrayVar(&f.headers, "prometheus-header", nil,
		"`NAME: VALUE` to send along, such as X-Scope-OrgID: team-a; may be given several times")
	flags.StringArrayVar(&o.Matchers, "prometheus-matcher", nil,
		"label `MATCHER` for all series, such as cluster=\"a\"; may be given several times")
	flags.Var((*durationValue)(&o.Window), "prometheus-window", "how far to look back")
	flags.Var((*durationValue)(&o.Step), "prometheus-step",
		"how long one CPU sample is: at least twice the interval of scraping")
	flags.Var((*durationValue)(&o.Timeout), "prometheus-timeout", "how long one query may take")
	flags.BoolVar(&f.vpa, "vpa", false, "take recommendations of VerticalPodAutoscalers where Prometheus has nothing")
}

// contextVariable stands for the kubeconfig's context in --prometheus and --prometheus-matcher.
const contextVariable = "{{context}}"

// forContext are the flags for a cluster forContext that name.
func (f *measureFlags) forContext(context string) *measureFlags {
	named := *f
	named.prometheus.URL = strings.ReplaceAll(f.prometheus.URL, contextVariable, context)
	named.prometheus.Matchers = nil
	for _, matcher := range f.prometheus.Matchers {
		named.prometheus.Matchers = append(named.prometheus.Matchers, strings.ReplaceAll(matcher, contextVariable, context))
	}
	return &named
}

// source is nil if measured use was not asked for.
func (f *measureFlags) source(config *rest.Config) (measure.Source, error) {
	var sources []measure.Source
	o := f.prometheus
	if o.URL == "" && (o.TokenFile != "" || o.CAFile != "" || o.Insecure || len(f.headers)+len(o.Matchers) > 0) {
		return nil, fmt.Errorf("flags such as --prometheus-token-file need --prometheus URL")
	}
	if o.URL != "" {
		// 0 is the default to the source, and was asked for here.
		if min(o.Window, o.Step, o.Timeout) <= 0 {
			return nil, fmt.Errorf("--prometheus-window, --prometheus-step and --prometheus-timeout have to be longer than 0")
		}
		o.Token = os.Getenv(tokenVariable)
		o.Headers = map[string]string{}
		for _, header := range f.headers {
			name, value, ok := strings.Cut(header, ":")
			if !ok {
				// Its text is not repeated: it may be a secret.
				return nil, fmt.Errorf("--prometheus-header takes NAME: VALUE, as in 'X-Scope-OrgID: team-a'")
			}
			o.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		source, err := measure.Prometheus(o)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source)
	}
	if f.vpa {
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return nil, fmt.Errorf("read VerticalPodAutoscalers: %w", err)
		}
		sources = append(sources, measure.VPA(client))
	}
	switch len(sources) {
	case 0:
		return nil, nil
	case 1:
		return sources[0], nil
	}
	return measure.Both(sources[0], sources[1]), nil
}

// durationValue is a duration as Prometheus writes it: 7d, 90s, 1h30m.
type durationValue time.Duration

func (d *durationValue) String() string { return measure.Words(time.Duration(*d)) }
func (d *durationValue) Type() string   { return "duration" }

func (d *durationValue) Set(text string) error {
	parsed, err := model.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("not a duration such as 7d or 5m")
	}
	*d = durationValue(parsed)
	return nil
}
