// Package gatekeeper runs Gatekeeper's own command line program, gator, with the policies that
// `headroom policies gatekeeper` writes.
package gatekeeper

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/export/gatekeeper"
)

// Finding is a violation as gator prints it.
type Finding struct {
	Resource  engine.Resource
	Rule      string
	Severity  string
	Container string // "" is the workload
	Field     string // JSON pointer
	Message   string
	Wanted    string
	Figures   map[string]any
	// Text is what a user reads.
	Text string
	// Action is the enforcement action of the Constraint.
	Action string
}

// Run judges every manifest below dir in one run of gator, with a checked headroom.yaml or nil.
// The manifests are one input, as for gator's users: a Namespace or LimitRange counts for
// every object of its namespace, in whichever file. Objects in the namespaces that a
// Constraint leaves out by default are judged too.
func Run(ctx context.Context, gator, dir string, config map[string]any) ([]Finding, error) {
	return run(ctx, gator, dir, gatekeeper.Options{Config: config, Action: "warn"})
}

func run(ctx context.Context, gator, dir string, o gatekeeper.Options) (findings []Finding, err error) {
	var policies bytes.Buffer
	if err := gatekeeper.Write(&policies, o); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "headroom-gator-")
	if err != nil {
		return nil, fmt.Errorf("run gator: %w", err)
	}
	defer func() {
		if removing := os.RemoveAll(scratch); err == nil {
			err = removing
		}
	}()
	file := filepath.Join(scratch, "policies.yaml")
	if err := os.WriteFile(file, policies.Bytes(), 0o600); err != nil {
		return nil, fmt.Errorf("run gator: %w", err)
	}
	return Judge(ctx, gator, file, dir)
}

// Judge runs gator with files or folders of policies and manifests.
func Judge(ctx context.Context, gator string, paths ...string) ([]Finding, error) {
	arguments := []string{"test", "--output", "json"}
	for _, path := range paths {
		arguments = append(arguments, "--filename", path)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, gator, arguments...)
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Env = append(os.Environ(), "GOGC=400") // collecting garbage takes a third of its time
	// Gator exits with 1 both when a violation is denied and when it cannot run; only in the
	// first case it prints JSON.
	failed := command.Run()
	var results []result
	if err := json.Unmarshal(stdout.Bytes(), &results); err != nil {
		return nil, fmt.Errorf("gator said %.2000q and %.2000q (%w): %w", stdout.Bytes(), stderr.Bytes(), failed, err)
	}
	findings := make([]Finding, 0, len(results))
	for i := range results {
		finding, err := results[i].finding()
		if err != nil {
			return nil, err
		}
		findings = append(findings, finding)
	}
	return findings, nil
}

// result is what gator prints of a violation.
type result struct {
	Text     string `json:"msg"`
	Action   string `json:"enforcementAction"`
	Metadata struct {
		Details struct {
			Rule      string         `json:"rule"`
			Severity  string         `json:"severity"`
			Container string         `json:"container"`
			Field     string         `json:"field"`
			Message   string         `json:"message"`
			Wanted    string         `json:"wanted"`
			Figures   map[string]any `json:"figures"`
		} `json:"details"`
	} `json:"metadata"`
	Object struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name         string `json:"name"`
			GenerateName string `json:"generateName"`
			Namespace    string `json:"namespace"`
		} `json:"metadata"`
	} `json:"violatingObject"`
}

func (r *result) finding() (Finding, error) {
	details, meta := &r.Metadata.Details, &r.Object.Metadata
	name := meta.Name
	if name == "" {
		name = meta.GenerateName
	}
	if details.Rule == "" {
		// This is how Gatekeeper says that the policies could not be evaluated.
		return Finding{}, fmt.Errorf("gator, %s %s: %s", r.Object.Kind, name, r.Text)
	}
	return Finding{
		Resource: engine.Resource{
			APIVersion: r.Object.APIVersion, Kind: r.Object.Kind, Namespace: meta.Namespace, Name: name,
		},
		Rule:      details.Rule,
		Severity:  details.Severity,
		Container: details.Container,
		Field:     details.Field,
		Message:   details.Message,
		Wanted:    details.Wanted,
		Figures:   details.Figures,
		Text:      r.Text,
		Action:    r.Action,
	}, nil
}
