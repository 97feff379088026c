// Package report is what one run found out, and what every format makes of it. It has findings
// grouped by workload, ranked by harm and scored by namespace or file, and the sums that they rest
// on. It also says what makes a finding the same one in another run.
//
// Nothing here looks at a clock, the environment or the terminal, so that the same input gives the
// same bytes in every format.
package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

// SkippedChart is the What of a Helm chart that stood in a folder and was not rendered.
const SkippedChart = "chart"

// SkippedEmptyChart is the What of a Helm chart in a folder that rendered to nothing.
const SkippedEmptyChart = "empty chart"

// SkippedRelease is the What of an object that tells others which chart or folder to render.
const SkippedRelease = "release"

// Report is everything that one run found out.
type Report struct {
	Findings  []engine.Finding // those that count, sorted by file, line, workload, container, rule
	Exempted  []engine.Finding // those an exemption covers; Suppressed is set
	Known     []engine.Finding // those a baseline has; Suppressed is set, its Source is "baseline"
	Stale     []Stale          // what a baseline has and the run did not find
	Skipped   []Skip
	Problems  []Problem
	NotRead   []Unread // what of the folders that were named is not read
	Alone     []string // namespaces of a cluster whose objects were judged without their Namespace, sorted
	Summary   Summary
	Workloads []Workload // what the table and the Markdown group by, sorted by file and line
	Rules     []Rule     // metadata of every rule, for SARIF and links
	Version   string     // of headroom
	// Show is the lowest severity that a person sees; "" is warning. Programs get all.
	Show     string
	ExitCode int // what the process will exit with; SARIF records it
	// FailOn is the lowest severity that fails the run, or never; "" is error.
	FailOn string
	// Cluster is what an audit was about; nil for manifests.
	Cluster *Cluster
	// Preview tells what a mode would do; nil without --preview.
	Preview *Preview
	// Paths are the files and folders that were judged, where headroom fix can be told to put
	// them right; empty where some of it is not a file.
	Paths []string
	// Changed is what a change did, where a run was about one; Findings and Workloads are then
	// those that it touches.
	Changed *Changed
}

// Cluster is what an audit saw beside the workloads.
type Cluster struct {
	Name       string // the kubeconfig's context, or what else names the cluster
	Namespaces []Namespace
	// Measured says where measured use came from, in words; "" where nothing was measured.
	Measured string
	// Taken is when the objects were read; the zero time is not shown.
	Taken time.Time
}

// Namespace is one namespace of an audit.
type Namespace struct {
	Name   string
	Mode   string // of headroom.dev/mode, "" where there is no label
	Mutate string // of headroom.dev/mutate, "" where there is no label

	LimitRanges, ResourceQuotas int
}

// Preview is what would happen if namespaces were switched to a mode now.
type Preview struct {
	Mode  string // enforce or warn
	Items []PreviewItem
}

// PreviewItem is one workload that would be refused, changed or warned about.
type PreviewItem struct {
	Resource engine.Resource
	File     string
	Line     int
	Replicas int
	// Refused are the findings that would refuse it, Warned those that would only be told.
	Refused, Warned []engine.Finding
	// Changed is what would be fixed in its Pods.
	Changed []engine.Applied
}

// Stale is an entry of a baseline that no longer applies.
type Stale struct {
	Rule      string `json:"rule"`
	Severity  string `json:"severity"`
	Cluster   string `json:"cluster,omitempty"` // in an audit of several
	Group     string `json:"group,omitempty"`   // of the API, "" is the core's
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Container string `json:"container,omitempty"`
	Count     int    `json:"count"` // how many findings fewer there are than the entry has
	Reason    string `json:"reason,omitempty"`
	File      string `json:"file"` // the baseline
	Line      int    `json:"line"`
}

// Skip is something that was not judged, and why.
type Skip struct {
	File     string          `json:"file"`
	Resource engine.Resource `json:"resource"`
	What     string          `json:"what"`
	Reason   string          `json:"reason"`
}

// Unread is something below a folder that was named and that is not read.
type Unread struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// DotFolder is the reason of an Unread folder whose name begins with a dot.
const DotFolder = "dot folder"

// Problem is an input, or a part of one, that could not be read. Line is 0 when it is not known.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Summary is the report in numbers.
type Summary struct {
	Files         int `json:"files"`
	Documents     int `json:"documents"`
	Workloads     int `json:"workloads"`
	Containers    int `json:"containers"`
	NotKubernetes int `json:"notKubernetes"` // documents that are not Kubernetes objects
	Errors        int `json:"errors"`
	Warnings      int `json:"warnings"`
	Infos         int `json:"infos"`
	Unclassed     int `json:"unclassed"` // of Warnings, those that are errors once a class is set
	Shown         int `json:"shown"`     // entries that a person sees
	Exempted      int `json:"exempted"`
	Skipped       int `json:"skipped"`
	Problems      int `json:"problems"`
	NotRead       int `json:"notRead,omitempty"` // folders and files below those that were named
	Known         int `json:"known,omitempty"`   // findings that the baseline has
	Stale         int `json:"stale,omitempty"`   // entries of the baseline that no longer apply
}

// Workload is an object that was judged, with its containers in the order of the manifest.
type Workload struct {
	Resource   engine.Resource
	File       string
	Line       int // of the object's first line
	Containers []Container
	Replicas   int // that run, or are asked for; 0 in manifests, and for what has none
	// Digest is the digest of all fields of the object that bear on a verdict; "" if it was not asked for.
	Digest string
}

// Container says what a container was taken for, and on what evidence.
type Container struct {
	Name     string
	Class    string
	Evidence string // e.g. "annotation headroom.dev/workload-class"
	Runtime  string // as the runtime annotation names it, "?" marking a guess; empty when nothing is known
	Runs     string // the same for people: "runs a JVM"
	ShownBy  string // what shows the runtime, in words
	Image    string // as the manifest writes it
	// Detail is set in audits.
	Detail *engine.Detail
	// Measured is what was measured; nil where nothing was asked for or found.
	Measured *engine.Measured
}

// Judged is an object that the policies have judged.
func Judged(o *engine.Object) Workload {
	w := Workload{Resource: o.Resource}
	for _, c := range o.Containers {
		w.Containers = append(w.Containers, Container{
			Name: c.Name, Class: c.Class, Evidence: c.Evidence, Runtime: c.Runtime, Runs: c.Runs, ShownBy: c.Shown, Image: c.Image,
		})
	}
	return w
}

// Rule is the metadata of one rule.
type Rule struct {
	ID, Slug, Title, Description, Remediation, Severity, HelpURI, Category string

	Fixable bool
}

// Count fills the numbers of the summary that follow from the lists.
func (r *Report) Count() {
	s := &r.Summary
	var n Counts
	s.Unclassed = 0
	for i := range r.Findings {
		f := &r.Findings[i]
		n.Add(f.Severity, 1)
		if f.Severity == engine.SeverityWarning && f.Unclassed {
			s.Unclassed++
		}
	}
	s.Errors, s.Warnings, s.Infos = n.Errors, n.Warnings, n.Infos
	s.Shown = len(Entries(r))
	s.Exempted, s.Skipped, s.Problems = len(r.Exempted), len(r.Skipped), len(r.Problems)
	s.Known, s.Stale, s.NotRead = len(r.Known), len(r.Stale), len(r.NotRead)
}

// Fails tells of a finding whether it fails the run. Of a change that is only what the change brings.
func (r *Report) Fails(f *engine.Finding) bool {
	least := cmp.Or(r.FailOn, engine.SeverityError)
	return slices.Contains(Severities, least) && SeverityRank(f.Severity) <= SeverityRank(least) &&
		(r.Changed == nil || r.Changed.Mark(f).New)
}

// Empty is true where nothing was judged, and nothing says so.
func (r *Report) Empty() bool {
	return r.Summary.Workloads+len(r.Findings)+len(r.Known)+len(r.Exempted)+len(r.Problems) == 0
}

// Severities is the order in which a reader wants them.
var Severities = []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo}

// SeverityRank is the place of a severity in Severities; what is not known comes last.
func SeverityRank(severity string) int {
	if i := slices.Index(Severities, severity); i >= 0 {
		return i
	}
	return len(Severities)
}

// NotRead stands in for the rule where an input could not be read.
const NotRead = "input-not-read"
