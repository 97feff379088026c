package measure

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

//go:embed runtimes.yaml
var runtimesText []byte

// exporter is how one library names what a runtime measures of itself.
type exporter struct {
	Exporter string             `json:"exporter"`
	Runtime  string             `json:"runtime"` // that it tells of: jvm, go, node, dotnet, beam
	Read     string             `json:"read"`    // where the names were read
	Anchor   string             `json:"anchor"`  // the meaning that tells whether it is there
	Metrics  map[string]meaning `json:"metrics"`
}

// meaning is how to ask for one value.
type meaning struct {
	Metric string   `json:"metric"`
	Match  string   `json:"match"` // matchers that choose the series
	Label  string   `json:"label"` // that has what is told, where that is no number
	Over   []string `json:"over"`  // labels over which they are summed up
	// Times is what a value is multiplied with: 1048576 of mebibytes; 0 is 1.
	Times float64 `json:"times"`
	// Or is how another release names it. Where both are there the first counts.
	Or *meaning `json:"or"`
}

// names are a meaning by all of its names, with the answers to a question about it.
func (e *exporter) names(of, what string) iter.Seq2[string, meaning] {
	return func(yield func(string, meaning) bool) {
		m, answer := e.Metrics[of], answerOf(e, what)
		for yield(answer, m) && m.Or != nil {
			m, answer = *m.Or, answer+" or"
		}
	}
}

// exporters are those that are known. What several of them tell of a container is taken from the first.
var exporters = sync.OnceValue(func() []exporter {
	var list []exporter
	if err := yaml.UnmarshalStrict(runtimesText, &list); err != nil {
		panic(err) // a test reads it, too
	}
	return list
})

// anchors are the meanings that tell whether an exporter is there, where its row does not say which.
var anchors = []string{"heap_max", "floor", "live", "processors", "threads", "direct", "metaspace"}

// withOwn are the exporters of a headroom.yaml, which its schema has checked, and behind them those that are known.
func withOwn(rows any) ([]exporter, error) {
	if rows == nil {
		return exporters(), nil
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, fmt.Errorf("read metrics of the config: %w", err)
	}
	var own []exporter
	if err := yaml.UnmarshalStrict(text, &own); err != nil {
		return nil, fmt.Errorf("read metrics of the config: %w", err)
	}
	named := map[string]bool{}
	for _, e := range exporters() {
		named[e.Exporter] = true
	}
	for i := range own {
		e := &own[i]
		if named[e.Exporter] {
			return nil, fmt.Errorf("metrics of the config: there is an exporter %.100q already", e.Exporter)
		}
		named[e.Exporter] = true
		at := slices.IndexFunc(anchors, func(what string) bool { return e.Metrics[what].Metric != "" })
		if at < 0 {
			return nil, fmt.Errorf("metrics of the config: exporter %.100q tells none of %s",
				e.Exporter, strings.Join(anchors, ", "))
		}
		e.Anchor = anchors[at]
	}
	return append(own, exporters()...), nil
}

// metricsOf are the names of all their metrics.
func metricsOf(exporters []exporter) []string {
	var names []string
	for i := range exporters {
		e := &exporters[i]
		for what := range e.Metrics {
			for _, m := range e.names(what, what) {
				names = append(names, m.Metric)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// join are the labels by which a series names its container.
type join struct{ namespace, pod, container string }

// own are the labels that Prometheus gives what it scrapes in a Pod. Of what a collector passes on they are the
// collector's, and other labels name the container.
var own = join{"namespace", "pod", "container"}

// byAddress are series without a Pod's name: that of what is scraped by its address is in kube_pod_info.
var byAddress = join{pod: "instance"}

var passedOn = []join{
	{"exported_namespace", "exported_pod", "exported_container"},
	{"k8s_namespace_name", "k8s_pod_name", "k8s_container_name"},
	{"kubernetes_namespace", "kubernetes_pod_name", "kubernetes_container_name"},
}
