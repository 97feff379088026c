// Package firstrun writes the headroom.yaml that a repository or a cluster begins with: the
// classes that its own Services, Ingresses and names suggest, for a person to review.
package firstrun

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Found is what a run without classes says of them.
type Found struct {
	Rows []Row
	// Suggested counts workloads by the class that is suggested; Unclear are those without a class
	// that nothing suggests one for, or that no row can name.
	Suggested map[string]int
	Unclear   []Unclear
	// Beside are containers that stand beside others in at least three workloads and are not known
	// as sidecars.
	Beside []string
}

// Unclear is a workload without a class that no row names. Class and Evidence are what is suggested
// for it all the same: it has no label to name it by, or shares its labels with another class.
type Unclear struct {
	Resource        engine.Resource
	Class, Evidence string
}

// Row is one entry of classes in headroom.yaml.
type Row struct {
	Class, Namespace string
	Labels           map[string]string
	Evidence         string // of the first workload that it covers, a sure one where there is one
	Workloads        int
	Sure             bool // a person need only look; else the row is a comment
}

// suggestion is what HR101 says of one workload.
type suggestion struct {
	resource        engine.Resource
	class, evidence string
	labels          map[string]string
	sure            bool
}

const classMissing = "HR101"

// Live counts the rows that count as they stand.
func (f Found) Live() (n int) {
	for _, row := range f.Rows {
		n += boolean(row.Sure)
	}
	return n
}

// Look gathers what a report suggests.
func Look(r *report.Report) Found {
	found := Found{Suggested: map[string]int{}, Beside: beside(r.Workloads)}
	byNamespace := map[string][]suggestion{}
	for _, s := range suggestions(r.Findings) {
		if s.class != "" {
			found.Suggested[s.class]++
		}
		namespace := s.resource.Namespace
		// Manifests that name no namespace, or the default one, may be put into any.
		if namespace == "default" && r.Cluster == nil {
			namespace = ""
		}
		byNamespace[namespace] = append(byNamespace[namespace], s)
	}
	for _, namespace := range slices.Sorted(maps.Keys(byNamespace)) {
		list := byNamespace[namespace]
		if row, ok := ofAll(namespace, list); ok {
			found.Rows = append(found.Rows, row)
			continue
		}
		rows, unclear := byLabels(namespace, list)
		found.Rows = append(found.Rows, rows...)
		found.Unclear = append(found.Unclear, unclear...)
	}
	return found
}

// suggestions has each workload without a class once, in the order of the report.
func suggestions(findings []engine.Finding) []suggestion {
	var list []suggestion
	seen := map[engine.Resource]bool{}
	for i := range findings {
		f := &findings[i]
		if f.Rule != classMissing || seen[f.Resource] {
			continue
		}
		seen[f.Resource] = true
		s := suggestion{resource: f.Resource, labels: map[string]string{}}
		s.class, _ = f.Figures["suggested_class"].(string)
		s.evidence, _ = f.Figures["evidence"].(string)
		s.sure, _ = f.Figures["sure"].(bool)
		labels, _ := f.Figures["labels"].(map[string]any)
		for key, value := range labels {
			s.labels[key], _ = value.(string)
		}
		if s.isPattern() {
			s.class = ""
		}
		list = append(list, s)
	}
	return list
}

// isPattern says whether a row would match more than the workload: its namespace or a label is a pattern, which no API
// server takes for a name.
func (s suggestion) isPattern() bool {
	values := append(slices.Collect(maps.Values(s.labels)), s.resource.Namespace)
	return slices.ContainsFunc(values, func(value string) bool { return strings.Contains(value, "*") })
}

// ofAll is the row of a namespace of which all workloads are of one class.
func ofAll(namespace string, list []suggestion) (Row, bool) {
	if namespace == "" || len(list) < 2 {
		return Row{}, false
	}
	for _, s := range list {
		if s.class != list[0].class || s.class == "" || !s.sure {
			return Row{}, false
		}
	}
	return Row{
		Class: list[0].class, Namespace: namespace, Evidence: list[0].evidence, Workloads: len(list), Sure: true,
	}, true
}

// byLabels are the rows of single workloads. Labels that mean more than one class mean none.
func byLabels(namespace string, list []suggestion) (rows []Row, unclear []Unclear) {
	classes := map[string]map[string]bool{}
	for _, s := range list {
		key := fmt.Sprint(s.labels)
		if classes[key] == nil {
			classes[key] = map[string]bool{}
		}
		classes[key][s.class] = true
	}
	at := map[string]int{}
	for _, s := range list {
		key := fmt.Sprint(s.labels)
		if s.class == "" || len(s.labels) == 0 || len(classes[key]) > 1 {
			unclear = append(unclear, Unclear{s.resource, s.class, s.evidence})
			continue
		}
		if i, ok := at[key]; ok {
			rows[i].Workloads++
			if s.sure && !rows[i].Sure {
				rows[i].Sure, rows[i].Evidence = true, s.evidence
			}
			continue
		}
		at[key] = len(rows)
		rows = append(rows, Row{
			Class: s.class, Namespace: namespace, Labels: s.labels, Evidence: s.evidence, Workloads: 1, Sure: s.sure,
		})
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(boolean(b.Sure)-boolean(a.Sure), cmp.Compare(b.Class, a.Class))
	})
	return rows, unclear
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// beside are the names of containers that at least three workloads have beside another.
func beside(workloads []report.Workload) []string {
	const often = 3
	count := map[string]int{}
	for i := range workloads {
		w := &workloads[i]
		apps := 0
		for j := range w.Containers {
			if w.Containers[j].Class != "init" {
				apps++
			}
		}
		if apps < 2 {
			continue
		}
		for j := range w.Containers {
			if c := &w.Containers[j]; c.Class != "init" && c.Class != "sidecar" {
				count[c.Name]++
			}
		}
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] >= often {
			names = append(names, name)
		}
	}
	return names
}

// Config is the text of a headroom.yaml with the rows.
func (f Found) Config() []byte {
	var b strings.Builder
	b.WriteString("# Classes as the Services, Ingresses, autoscalers and names beside the workloads suggest them: review them.\n")
	b.WriteString("# Each decides which CPU limit is right. Every other key has a default.\n")
	if f.Live() < len(f.Rows) {
		b.WriteString("# A row in a comment has weak evidence, such as a Service alone: take its # away where the class is right.\n")
	}
	b.WriteString("apiVersion: headroom.dev/v1alpha1\nkind: Config\n")
	f.classes(&b)
	if len(f.Unclear) > 0 {
		b.WriteString("# Class not set: add a row, or annotate headroom.dev/workload-class.\n")
		for _, u := range f.Unclear {
			fmt.Fprintf(&b, "#   %s\n", u)
		}
	}
	if len(f.Beside) > 0 {
		b.WriteString("# Beside other containers in three workloads or more: sidecars? A list here replaces the default list.\n")
		fmt.Fprintf(&b, "# sidecars: {names: [%s]}\n", comment(strings.Join(f.Beside, ", ")))
	}
	return []byte(b.String())
}

func (f Found) classes(b *strings.Builder) {
	if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Sure }) {
		b.WriteString("classes: []\n")
	} else {
		b.WriteString("classes:\n")
	}
	for _, row := range f.Rows {
		lead := ""
		if !row.Sure {
			lead = "# "
		}
		fmt.Fprintf(b, "%s  - %s # %s\n", lead, row, row.Why())
	}
}

// String is the row as YAML in one line.
func (r Row) String() string {
	fields := []string{"class: " + r.Class}
	if r.Namespace != "" {
		fields = append(fields, "namespace: "+quoted(r.Namespace))
	}
	if len(r.Labels) > 0 {
		var labels []string
		for _, key := range slices.Sorted(maps.Keys(r.Labels)) {
			labels = append(labels, quoted(key)+": "+quoted(r.Labels[key]))
		}
		fields = append(fields, "labels: {"+strings.Join(labels, ", ")+"}")
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// Why is the evidence for a row, for a comment.
func (r Row) Why() string {
	if r.Workloads > 1 {
		return fmt.Sprintf("%d workloads, of one: %s", r.Workloads, comment(r.Evidence))
	}
	return comment(r.Evidence)
}

func (u Unclear) String() string {
	if u.Class == "" {
		return comment(title(u.Resource))
	}
	return comment(fmt.Sprintf("%s: %s? (%s)", title(u.Resource), u.Class, u.Evidence))
}

func title(r engine.Resource) string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// quoted is text of a manifest as YAML, whatever is in it. Each escape of Go is one of YAML's. Two hashes would be the
// beginning of a command to a runner of CI.
func quoted(text string) string { return strings.ReplaceAll(strconv.Quote(text), "##", `#\x23`) }

// comment is text of a manifest on the line of a comment.
func comment(text string) string { return terminal.Printable(text) }
