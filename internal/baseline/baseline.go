// Package baseline remembers findings that were there already, so that only new ones fail.
//
// A finding is known by its rule, its workload (API group, kind, namespace and name) and its
// container. File and line are no part of that: moving a manifest makes no new finding, and a
// live cluster has neither.
package baseline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Schema is the version of the format. Older ones know no sizes, and are read too.
const Schema = "headroom.dev/baseline/v2"

var schemas = []string{"headroom.dev/baseline/v1", Schema}

// FileName is the default name of the baseline.
const FileName = "headroom-baseline.yaml"

// Baseline is a file of known findings.
type Baseline struct {
	File string // "" before it has been written
	// Covers is what was read when the baseline was written.
	Covers  Scope
	Entries []Entry // sorted
}

// Workload is an object, whichever version of its API a manifest names.
type Workload struct {
	Cluster               string // in an audit of several
	Group                 string // of the API, "" is the core's
	Kind, Namespace, Name string
}

// WorkloadOf leaves the version out.
func WorkloadOf(r engine.Resource) Workload {
	return Workload{Cluster: r.Cluster, Group: r.Group(), Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// Key is what makes two findings the same one.
type Key struct {
	Workload  Workload
	Container string // "" where the finding is about the workload
	Rule      string
}

// KeyOf gives the key of a finding.
func KeyOf(f engine.Finding) Key {
	return Key{Workload: WorkloadOf(f.Resource), Container: f.Container, Rule: f.Rule}
}

// Entry is a number of findings that are known.
type Entry struct {
	Key
	Severity string
	Count    int // how many of them there are, at least 1
	// Sizes are those of the findings that have one, the least first: what grows beyond them is
	// told again.
	Sizes  []float64
	Reason string // why they stay, as a person wrote it
	Line   int    // in the file
}

// compare orders entries so that those of one workload stand together: who puts a workload
// right changes neighbouring lines, and two people seldom the same ones.
func compare(a, b Entry) int {
	return cmp.Or(
		strings.Compare(a.Workload.Cluster, b.Workload.Cluster),
		strings.Compare(a.Workload.Namespace, b.Workload.Namespace),
		strings.Compare(a.Workload.Kind, b.Workload.Kind),
		strings.Compare(a.Workload.Name, b.Workload.Name),
		strings.Compare(a.Workload.Group, b.Workload.Group),
		strings.Compare(a.Container, b.Container),
		strings.Compare(a.Rule, b.Rule),
		cmp.Compare(severe(b.Severity), severe(a.Severity)),
	)
}

// severities from the least severe to the most.
var severities = []string{engine.SeverityInfo, engine.SeverityWarning, engine.SeverityError}

func severe(severity string) int { return slices.Index(severities, severity) }
