package measure

import (
	_ "embed"
	"slices"
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
}

// exporters are those that are known. What several of them tell of a container is taken from the first.
var exporters = sync.OnceValue(func() []exporter {
	var list []exporter
	if err := yaml.UnmarshalStrict(runtimesText, &list); err != nil {
		panic(err) // a test reads it, too
	}
	return list
})

// runtimeMetrics are the names of all their metrics.
func runtimeMetrics() []string {
	var names []string
	for _, e := range exporters() {
		for _, m := range e.Metrics {
			names = append(names, m.Metric)
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

var passedOn = []join{
	{"exported_namespace", "exported_pod", "exported_container"},
	{"k8s_namespace_name", "k8s_pod_name", "k8s_container_name"},
	{"kubernetes_namespace", "kubernetes_pod_name", "kubernetes_container_name"},
}
