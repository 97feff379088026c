package engine

import (
	"strings"
)

// Severity levels, most severe first. A config may set a rule's severity to
// any of them, or to "off".
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityInfo    = "info"
)

// Resource names the object a finding is about.
type Resource struct {
	// Cluster is the kubeconfig's context in an audit of several clusters; "" elsewhere.
	Cluster    string `json:"cluster,omitempty"`
	APIVersion string `rego:"apiVersion" json:"apiVersion"`
	Kind       string `rego:"kind" json:"kind"`
	Namespace  string `rego:"namespace" json:"namespace"`
	Name       string `rego:"name" json:"name"`
}

// Group is the API group, "" for the core's: apps/v1beta1 and apps/v1 name the same object.
func (r Resource) Group() string {
	group, _, versioned := strings.Cut(r.APIVersion, "/")
	if !versioned {
		return ""
	}
	return group
}

// ResourceOf is what a manifest says of itself.
func ResourceOf(manifest map[string]any) (r Resource) {
	r.APIVersion, _ = manifest["apiVersion"].(string)
	r.Kind, _ = manifest["kind"].(string)
	metadata, _ := manifest["metadata"].(map[string]any)
	r.Namespace, _ = metadata["namespace"].(string)
	r.Name, _ = metadata["name"].(string)
	return r
}

// Finding is one verdict of one rule on one container, or on the whole
// workload when Container is empty.
type Finding struct {
	Rule     string `rego:"rule" json:"rule"`         // e.g. HR202
	Slug     string `rego:"slug" json:"slug"`         // e.g. latency-cpu-limit
	Severity string `rego:"severity" json:"severity"` // error, warning or info
	Harm     string `rego:"harm" json:"harm"`         // what comes of it: one of Harms
	// Certain is true if the harm comes for any workload, with or without a class.
	Certain bool `rego:"certain" json:"-"`
	// Unclassed tells that it is a warning only while no class is set: with one, it is an error.
	Unclassed bool `rego:"unclassed" json:"-"`
	// Bound is true if no annotation of the workload can exempt from it.
	Bound bool `rego:"bound" json:"-"`
	// Group is the rule whose finding in the same container has the same cause and covers this one.
	// Without such a rule it is the finding's own.
	Group    string   `rego:"group" json:"group"`
	Class    string   `rego:"class" json:"class"` // workload class; empty where none applies
	Resource Resource `rego:"resource" json:"resource"`
	// Container is the container's name; empty for a finding on the workload.
	Container string `rego:"container" json:"container"`
	// Path is a JSON pointer (RFC 6901) into the object, to the field in
	// question. The field need not exist: it may be the one that is missing.
	Path string `rego:"path,pointer" json:"path"`
	// File and Line are filled in by the reader of the object. Line counts
	// from 1; 0 means that there is no file.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Message says what is wrong, with the arithmetic; Expected what would be right.
	Message  string `rego:"message" json:"message"`
	Expected string `rego:"expected" json:"expected"`
	// Price is what the workload gives up with the expected values; empty if not known.
	Price string `rego:"price" json:"price,omitempty"`
	// Why is the end of Message that is the same for every container the rule speaks of; empty
	// where the whole message is about this one.
	Why string `rego:"why" json:"-"`
	// Figures holds the numbers behind the verdict; keys carry their unit.
	Figures map[string]any `rego:"figures" json:"figures"`
	// Size says how much is wrong; nil where the rule does not measure it.
	Size    *Size `rego:"size" json:"size,omitempty"`
	Fixable bool  `rego:"fixable" json:"fixable"`
	// Changes would fix it; empty where it is not fixable.
	Changes []Change `rego:"fix" json:"-"`
	// Withheld says why a fix that the rule has is not made beside what was not read, and what makes it known.
	Withheld string `rego:"withheld" json:"-"`
	// Suppressed is set when an exemption covers the finding.
	Suppressed *Suppression `rego:"suppressed" json:"suppressed,omitempty"`
}

// Size is an amount: the larger, the worse.
type Size struct {
	Value float64 `rego:"value" json:"value"`
	Unit  string  `rego:"unit" json:"unit"`
}

// Suppression is the exemption that covers a finding.
type Suppression struct {
	Reason string `rego:"reason" json:"reason"`
	Until  string `rego:"until" json:"until,omitempty"` // YYYY-MM-DD, empty when it has no end
	Source string `rego:"source" json:"source"`         // "annotation", "comment" (of the file) or "config"
}

// Refuses says whether the finding refuses its object in the mode enforce. inPods is true if
// fixable findings get fixed in the Pods of the object.
func (f Finding) Refuses(inPods bool) bool {
	return f.Severity == SeverityError && (!f.Fixable || !inPods)
}

// Skip is something that was not judged, and why.
type Skip struct {
	Resource Resource `rego:"resource" json:"resource"`
	What     string   `rego:"what" json:"what"`
	Reason   string   `rego:"reason" json:"reason"`
}

// Container is what a container was taken for.
type Container struct {
	Name     string `rego:"name" json:"name"`
	Role     string `rego:"role" json:"role"`      // app, sidecar (a native one) or init
	Path     string `rego:"path,pointer" json:"-"` // JSON pointer to the container
	Class    string `rego:"class" json:"class"`
	Evidence string `rego:"evidence" json:"evidence"`  // what says so, in words
	Runtime  string `rego:"runtime" json:"runtime"`    // jvm, go, …; empty where nothing shows it
	Runs     string `rego:"runtime_text" json:"-"`     // the same for people: "probably runs a JVM"
	Shown    string `rego:"runtime_evidence" json:"-"` // what shows the runtime, in words
	Image    string `rego:"image" json:"-"`            // as the manifest writes it
}

// Object is one object of a document, and what its containers were taken for.
type Object struct {
	Resource   Resource    `rego:"resource" json:"resource"`
	Path       string      `rego:"path,pointer" json:"-"` // JSON pointer to the object inside its document
	Judged     bool        `rego:"judged" json:"judged"`  // it has a pod template that headroom knows
	Containers []Container `rego:"containers" json:"containers"`
}

// Result is what one document was found to be.
type Result struct {
	Findings []Finding `rego:"findings"` // sorted by resource, rule, container and path
	Exempted []Finding `rego:"exempted"` // findings that an exemption covers, sorted alike
	Skipped  []Skip    `rego:"skipped"`
	Objects  []Object  `rego:"objects"`
	Failed   []Failure // rules of which nothing is known here, sorted by slug
}
