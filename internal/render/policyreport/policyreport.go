// Package policyreport writes a report as objects that dashboards of policies read: PolicyReports of
// wgpolicyk8s.io/v1alpha2, or Reports of openreports.io/v1alpha1. kubectl apply takes them. There is no time in them,
// so that the same findings give the same bytes; what a baseline no longer needs and a preview are left out.
package policyreport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/render/policyreport/result"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// maxBytes bounds one report. kubectl apply writes it into an annotation as well, and annotations have 256 KiB together.
// What is more goes into another one: none is left out.
const maxBytes = 160 << 10

// api is one of the two kinds of reports.
type api struct {
	version, namespaced, cluster string
	source                       bool // the report names its source, and not each result alone
}

// labelManager tells these from the reports of headroom audit --watch, which removes those of its own that have no subject.
const labelManager = "app.kubernetes.io/managed-by"

type object struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Metadata   metadata         `json:"metadata"`
	Source     string           `json:"source,omitempty"`
	Summary    map[string]int   `json:"summary"`
	Results    []*result.Result `json:"results"`
}

type metadata struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels"`
}

// Write writes PolicyReports of wgpolicyk8s.io, one for each namespace.
func Write(w *bytes.Buffer, r *report.Report) error {
	return write(w, r, api{version: "wgpolicyk8s.io/v1alpha2", namespaced: "PolicyReport", cluster: "ClusterPolicyReport"})
}

// WriteOpen writes Reports of openreports.io, one for each namespace.
func WriteOpen(w *bytes.Buffer, r *report.Report) error {
	return write(w, r, api{version: "openreports.io/v1alpha1", namespaced: "Report", cluster: "ClusterReport", source: true})
}

func write(w *bytes.Buffer, r *report.Report, kind api) error {
	name := "headroom-lint"
	if r.Cluster != nil {
		name = "headroom-audit"
	}
	for _, p := range places(r) {
		for i, part := range parts(p.results) {
			text, err := yaml.Marshal(p.object(kind, name, i, part))
			if err != nil {
				return err
			}
			w.WriteString("---\n")
			w.Write(text)
		}
	}
	if w.Len() == 0 {
		w.WriteString("# no workload was judged\n")
	}
	return nil
}

// spot is where a report stands: a namespace, or the cluster.
type spot struct {
	cluster, namespace string // the kubeconfig's name of the cluster, "" unless there are several
	whole              bool   // what it is about has no namespace
}

// place is what is said in a spot.
type place struct {
	spot
	results []*result.Result
}

// object is one part of what is said of a place.
func (p *place) object(kind api, name string, part int, results []*result.Result) object {
	o := object{
		APIVersion: kind.version, Kind: kind.namespaced,
		Metadata: metadata{Name: name, Namespace: p.namespace, Labels: map[string]string{labelManager: name}},
		Summary:  map[string]int{result.Pass: 0, result.Fail: 0, result.Warn: 0, result.Error: 0, result.Skip: 0}, Results: results,
	}
	if p.whole {
		o.Kind = kind.cluster
	}
	if p.cluster != "" {
		o.Metadata.Name += "-" + label(p.cluster)
	}
	if part > 0 {
		o.Metadata.Name += fmt.Sprintf("-%d", part+1)
	}
	if kind.source {
		o.Source = result.Source
	}
	for _, entry := range results {
		o.Summary[entry.Result]++
	}
	return o
}

// label is a text as a part of an object's name may be.
func label(text string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(text) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			b.WriteRune(c)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String()[:min(b.Len(), 40)], "-")
}

// places sorts everything that a run has to say into where it belongs, in the order of names.
func places(r *report.Report) []*place {
	g := gathering{places: map[spot]*place{}, categories: map[string]string{}, audit: r.Cluster != nil}
	for i := range r.Rules {
		g.categories[r.Rules[i].ID] = r.Rules[i].Category
	}
	found := map[engine.Resource]bool{}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted, r.Known} {
		for i := range list {
			g.finding(&list[i])
			found[list[i].Resource] = true
		}
	}
	for i := range r.Workloads {
		if w := &r.Workloads[i]; !found[w.Resource] {
			g.add(w.Resource, w.File, w.Line, &result.Result{
				Source: result.Source, Policy: "headroom", Result: result.Pass, Message: "no findings",
			})
		}
	}
	for _, s := range r.Skipped {
		g.add(s.Resource, s.File, 0, &result.Result{
			Source: result.Source, Policy: "not-judged", Result: result.Skip, Message: terminal.Printable(s.Reason),
		})
	}
	for _, p := range r.Problems {
		g.add(engine.Resource{}, p.File, p.Line, &result.Result{
			Source: result.Source, Policy: report.NotRead, Severity: "medium", Result: result.Error,
			Message: terminal.Printable(p.Message),
		})
	}
	all := make([]*place, 0, len(g.places))
	for _, p := range g.places {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *place) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), compareBool(a.whole, b.whole), cmp.Compare(a.namespace, b.namespace))
	})
	return all
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

type gathering struct {
	places     map[spot]*place
	categories map[string]string
	audit      bool
}

func (g *gathering) finding(f *engine.Finding) {
	entry := result.Of(*f, g.categories[f.Rule])
	entry.Message = terminal.Printable(entry.Message)
	safe := make(map[string]string, len(entry.Properties))
	for key, value := range entry.Properties {
		safe[terminal.Printable(key)] = terminal.Printable(value)
	}
	entry.Properties = safe
	g.add(f.Resource, f.File, f.Line, &entry)
}

// add puts a result where its subject is. A manifest may name no namespace: then kubectl apply puts the report where it
// would put the manifest.
func (g *gathering) add(about engine.Resource, file string, line int, entry *result.Result) {
	p := spot{
		cluster: terminal.Printable(about.Cluster), namespace: terminal.Printable(about.Namespace),
		whole: about.Namespace == "" && (withoutNamespace(about.Kind) || about.Kind == "" && g.audit),
	}
	at := g.places[p]
	if at == nil {
		at = &place{spot: p}
		g.places[p] = at
	}
	if about.Kind != "" {
		entry.Resources = []result.Subject{{
			APIVersion: terminal.Printable(about.APIVersion), Kind: terminal.Printable(about.Kind),
			Namespace: p.namespace, Name: terminal.Printable(about.Name),
		}}
	}
	if file != "" {
		if entry.Properties == nil {
			entry.Properties = map[string]string{}
		}
		entry.Put("file", sentences.Place(file, line))
	}
	at.results = append(at.results, entry)
}

// withoutNamespace says of the kinds that findings are on, or that are left out, which stand in none.
func withoutNamespace(kind string) bool {
	return kind == "Namespace" || kind == "Node" || strings.HasPrefix(kind, "Cluster")
}

// parts cuts results so that each part is within maxBytes.
func parts(results []*result.Result) [][]*result.Result {
	var list [][]*result.Result
	begin, size := 0, 0
	for i, entry := range results {
		text, err := json.Marshal(entry)
		if err != nil {
			continue // strings alone
		}
		if size+len(text) > maxBytes && i > begin {
			list, begin, size = append(list, results[begin:i]), i, 0
		}
		size += len(text)
	}
	return append(list, results[begin:])
}
