package baseline

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// maxBytes bounds a baseline: one of a hundred thousand entries has some 20 MB.
const maxBytes = 64 << 20

// Read reads a baseline, YAML or JSON. Each mistake is a yamlfile.Problem.
func Read(file string) (*Baseline, error) {
	text, err := yamlfile.Read(file, maxBytes)
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse reads the text of a baseline; file only names it in errors.
func Parse(file string, text []byte) (*Baseline, error) {
	root, err := yamlfile.Document(file, "schema: "+Schema, text)
	if err != nil {
		return nil, err
	}
	r := reader{yamlfile.Reader{File: file}}
	b := r.baseline(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

type reader struct{ yamlfile.Reader }

func (r *reader) baseline(root *yaml.Node) *Baseline {
	b := &Baseline{File: r.File}
	fields, _ := r.Fields(root, "a baseline", []string{"schema", "comment", "covers", "findings"})
	if schema := fields["schema"]; schema == nil {
		r.Fail(root, "schema is missing: this is not a baseline, or it lacks schema: %s", Schema)
	} else if !slices.Contains(schemas, schema.Value) {
		r.Fail(schema, "schema is %q, and this headroom reads %s", schema.Value, strings.Join(schemas, " and "))
	}
	for _, item := range r.list(fields["covers"], "covers") {
		b.Covers = append(b.Covers, r.text(item, "covers"))
	}
	lines := map[Key]map[string]int{}
	for _, item := range r.list(fields["findings"], "findings") {
		entry := r.entry(item)
		if lines[entry.Key] == nil {
			lines[entry.Key] = map[string]int{}
		}
		if first := lines[entry.Key][entry.Severity]; first > 0 {
			r.Fail(item, "the same as line %d; say how often with count", first)
		}
		lines[entry.Key][entry.Severity] = item.Line
		b.Entries = append(b.Entries, entry)
	}
	slices.SortStableFunc(b.Entries, compare)
	return b
}

var ruleID = pattern.Lazy(`^HR[0-9]{3}$`)

var entryKeys = []string{
	"cluster", "namespace", "kind", "group", "name", "container", "rule", "severity", "count", "size", "reason",
}

func (r *reader) entry(node *yaml.Node) Entry {
	fields, _ := r.Fields(node, "a finding", entryKeys)
	text := func(key string) string { return r.text(fields[key], key) }
	e := Entry{
		Key: Key{
			Workload: Workload{
				Cluster: text("cluster"), Group: text("group"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name"),
			},
			Container: text("container"), Rule: text("rule"),
		},
		Severity: text("severity"), Count: 1, Reason: text("reason"), Line: node.Line,
	}
	if e.Workload.Kind == "" {
		r.Fail(node, "kind is missing")
	}
	if !ruleID().MatchString(e.Rule) {
		r.Fail(node, "rule is %q, and should be as HR202 is", e.Rule)
	}
	if severe(e.Severity) < 0 {
		r.Fail(node, "severity is %q, and should be error, warning or info", e.Severity)
	}
	if count := fields["count"]; count != nil {
		n, err := strconv.Atoi(count.Value)
		if err != nil || n < 1 {
			r.Fail(count, "count is %q, and should be a number of at least 1", count.Value)
		}
		e.Count = n
	}
	e.Sizes = r.sizes(fields["size"])
	if len(e.Sizes) > e.Count {
		r.Fail(fields["size"], "there are %d sizes, and count is %d", len(e.Sizes), e.Count)
	}
	return e
}

// sizes are a number, or a list of them.
func (r *reader) sizes(node *yaml.Node) []float64 {
	if node == nil {
		return nil
	}
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	var sizes []float64
	for _, item := range items {
		n, err := strconv.ParseFloat(item.Value, 64)
		if err != nil || item.Kind != yaml.ScalarNode || math.IsNaN(n) || math.IsInf(n, 0) {
			r.Fail(item, "size is %q, and should be a number, or a list of them", item.Value)
			return nil
		}
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	return sizes
}

func (r *reader) list(node *yaml.Node, name string) []*yaml.Node {
	switch {
	case node == nil:
		return nil
	case node.Kind == yaml.SequenceNode:
		return node.Content
	}
	r.Fail(node, "%s is a list", name)
	return nil
}

func (r *reader) text(node *yaml.Node, name string) string {
	switch {
	case node == nil:
		return ""
	case node.Kind != yaml.ScalarNode || node.Tag != "!!str":
		r.Fail(node, "%s should be text; quote what looks like something else", name)
		return ""
	}
	return node.Value
}
