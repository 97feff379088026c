// Package collect reads from a running container what a diagnosis needs, by commands that only
// read, and keeps it in files.
package collect

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Collection is what is known of one container.
type Collection struct {
	Namespace string `json:"namespace,omitempty"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node,omitempty"`
	// Samples are the times of the one or two readings of the cgroup.
	Samples []time.Time `json:"samples"`
	// JVM tells whether a JVM runs here; nil where that is not known.
	JVM *bool `json:"jvm,omitempty"`
	// API is what the API server knows of the container; nil where it was not asked.
	API *API `json:"api,omitempty"`
	// Missing tells why a file was not read, by name.
	Missing map[string]string `json:"missing,omitempty"`
	// Notes are for the reader: what could not be looked at, and why.
	Notes []string `json:"notes,omitempty"`
	// Problems are what went wrong: a diagnosis with any could not run as it should.
	Problems []string `json:"problems,omitempty"`
	// Findings counts what the linter has on the container; nil if that was not asked for.
	Findings *Findings `json:"findings,omitempty"`
	// Budget is the manifest's memory budget as the policies gave it, of a collection that was saved.
	Budget map[string]any `json:"budget,omitempty"`
	// Files are contents by name (package reading); those of the second sample are below later/.
	Files map[string]string `json:"-"`
	// Manifest is the Pod, as JSON shapes it; nil where it is not known. It is never saved.
	Manifest map[string]any `json:"-"`
}

// Pending is the State of a container of which there is no status yet.
const Pending = "pending"

// API is the container's status.
type API struct {
	State    string `json:"state"` // running, waiting or terminated, with the reason; Pending
	Restarts int64  `json:"restarts"`
	// Reason, ExitCode and Finished (RFC 3339) are of its last termination; Reason is "" without one.
	Reason   string `json:"reason,omitempty"`
	ExitCode int64  `json:"exit_code"`
	Finished string `json:"finished,omitempty"`
	Limit    int64  `json:"limit,omitempty"` // of memory, in bytes; 0 means no limit
}

// Findings counts the linter's findings by severity.
type Findings struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Executor runs commands in a container.
type Executor interface {
	// Exec runs one command to its end. A command that ends with another code than 0 is an
	// *ExitError; any other error means that it could not be run.
	Exec(ctx context.Context, command []string, stdout, stderr io.Writer) error
}

// ExitError is the end of a command with another code than 0.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d", e.Code) }

// Options say how to collect.
type Options struct {
	// Interval is the time between the two samples; 0 takes one sample.
	Interval time.Duration
	// Timeout is how long one command may take; 0 is DefaultTimeout.
	Timeout time.Duration
	// NoJcmd leaves jcmd alone, which starts a second, small JVM in the container.
	NoJcmd bool
	// Progress is called with a line for each step; nil for silence.
	Progress func(string)
}

// DefaultTimeout is a hundred times what a command takes in a container that is not starved.
const DefaultTimeout = 20 * time.Second
