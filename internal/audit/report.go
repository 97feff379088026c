package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// report joins what the workers gave.
func (a *auditor) report(ctx context.Context) *report.Report {
	r := &report.Report{Cluster: &report.Cluster{Name: a.options.ContextName, Taken: time.Now()}}
	if a.options.Measure != nil {
		r.Cluster.Measured = a.options.Measure.Describe()
	}
	if a.options.Preview != "" {
		r.Preview = &report.Preview{Mode: a.options.Preview}
	}
	finished := map[[2]string]int{}
	for _, p := range a.parts {
		r.Findings = append(r.Findings, p.findings...)
		r.Exempted = append(r.Exempted, p.exempted...)
		r.Skipped = append(r.Skipped, p.skipped...)
		r.Workloads = append(r.Workloads, p.workloads...)
		r.Summary.Documents += p.documents
		for key, n := range p.finished {
			finished[key] += n
		}
		if r.Preview != nil {
			r.Preview.Items = append(r.Preview.Items, p.preview...)
		}
		*p = part{} // the report may be large: it should not be there twice
	}
	for i := range r.Workloads {
		r.Summary.Workloads++
		r.Summary.Containers += len(r.Workloads[i].Containers)
	}
	sortFindings(r.Findings)
	sortFindings(r.Exempted)
	slices.SortStableFunc(r.Skipped, func(a, b report.Skip) int {
		return cmp.Or(byResource(a.Resource, b.Resource), strings.Compare(a.What, b.What))
	})
	if r.Preview != nil {
		slices.SortFunc(r.Preview.Items, func(a, b report.PreviewItem) int {
			return byResource(a.Resource, b.Resource)
		})
	}
	report.Rank(r)
	r.Cluster.Namespaces = a.namespaceList()
	r.Skipped = append(r.Skipped, a.leftOut(finished)...)
	if ctx.Err() != nil {
		a.missing.problem(fmt.Sprintf("interrupted: %s had been judged, the rest is missing",
			words.Count(r.Summary.Workloads, "workload")))
	}
	r.Problems = a.missing.report()
	r.Count()
	return r
}

func sortFindings(findings []engine.Finding) {
	slices.SortStableFunc(findings, func(a, b engine.Finding) int {
		return cmp.Or(
			byResource(a.Resource, b.Resource),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Container, b.Container),
			strings.Compare(a.Path, b.Path),
			strings.Compare(a.Message, b.Message),
		)
	})
}

// namespaceList are the namespaces that were looked at.
func (a *auditor) namespaceList() []report.Namespace {
	var list []report.Namespace
	for _, name := range slices.Sorted(maps.Keys(a.namespaces)) {
		n := a.namespaces[name]
		if a.exclude[name] || !n.judged {
			continue
		}
		entry := report.Namespace{Name: name, LimitRanges: len(n.ranges), ResourceQuotas: len(n.quotas)}
		if n.object != nil {
			labels := preview.LabelsOf(n.object.Manifest)
			entry.Mode, entry.Mutate = labels.Mode, labels.Mutate
		}
		list = append(list, entry)
	}
	return list
}

// leftOut are the sentences on what was not judged, so that no gap is silent.
func (a *auditor) leftOut(finished map[[2]string]int) []report.Skip {
	var skips []report.Skip
	kinds := map[string]int{}
	for key, n := range finished {
		kinds[key[1]] += n
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		skips = append(skips, report.Skip{
			What:   words.Count(kinds[kind], "finished "+kind),
			Reason: "what has ended asks for nothing any more",
		})
	}
	var there []string
	for _, name := range slices.Sorted(maps.Keys(a.exclude)) {
		if a.namespaces[name] != nil || !a.surveyed {
			there = append(there, name)
		}
	}
	if len(there) > 0 {
		skips = append(skips, report.Skip{
			What:   listed(there),
			Reason: "left out of -A; -n names one, and --exclude-namespaces= leaves out none",
		})
	}
	if refused := slices.Sorted(maps.Keys(a.missing.maps)); len(refused) > 0 {
		skips = append(skips, report.Skip{
			What: "ConfigMaps of " + listed(refused),
			Reason: "forbidden, so that flags in them are unknown; a Role there with this would allow it: " +
				`{apiGroups: [""], resources: [configmaps], verbs: [get]}`,
		})
	}
	if a.missing.nodes {
		skips = append(skips, report.Skip{
			What: "Nodes",
			Reason: "forbidden, so that no finding says how full the nodes are; a ClusterRole with this would allow it: " +
				`{apiGroups: [""], resources: [nodes], verbs: [list]}`,
		})
	}
	if len(a.missing.scalers) > 0 {
		skips = append(skips, report.Skip{
			What: "autoscalers and startup boosts",
			Reason: "forbidden, so that what they do to workloads is unknown (HR607, HR608); a Role with this would allow it: " +
				asRules(a.missing.scalers),
		})
	}
	return skips
}

func byResource(a, b engine.Resource) int {
	return cmp.Or(
		strings.Compare(a.Cluster, b.Cluster),
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(a.Kind, b.Kind),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.APIVersion, b.APIVersion),
	)
}
