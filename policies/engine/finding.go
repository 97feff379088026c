package engine

// Severity levels, most severe first. A config may set a rule's severity to
// any of them, or to "off".
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityInfo    = "info"
)

// Resource names the object a finding is about.
type Resource struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// Finding is one verdict of one rule on one container, or on the whole
// workload when Container is empty.
type Finding struct {
	Rule     string   `json:"rule"`     // e.g. HR202
	Slug     string   `json:"slug"`     // e.g. latency-cpu-limit
	Severity string   `json:"severity"` // error, warning or info
	Class    string   `json:"class"`    // workload class; empty where none applies
	Resource Resource `json:"resource"`
	// Container is the container's name; empty for a finding on the workload.
	Container string `json:"container"`
	// Path is a JSON pointer (RFC 6901) into the object, to the field in
	// question. The field need not exist: it may be the one that is missing.
	Path string `json:"path"`
	// File and Line are filled in by whoever read the object. Line counts
	// from 1; 0 means that there is no file.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Message says what is wrong, with the arithmetic; Expected what would be right.
	Message  string `json:"message"`
	Expected string `json:"expected"`
	// Figures holds the numbers behind the verdict; keys carry their unit.
	Figures map[string]any `json:"figures"`
	Fixable bool           `json:"fixable"`
	// Suppressed is set when an exemption covers the finding.
	Suppressed *Suppression `json:"suppressed,omitempty"`
}

// Suppression is the exemption that covers a finding.
type Suppression struct {
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"` // YYYY-MM-DD, empty when it has no end
	Source string `json:"source"`          // "annotation" or "config"
}

// Skip is something that was not judged, and why.
type Skip struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// Result is what one object was found to be.
type Result struct {
	Findings []Finding `json:"findings"` // sorted by rule, then container, then path
	Exempted []Finding `json:"exempted"`
	Skipped  []Skip    `json:"skipped"`
}
