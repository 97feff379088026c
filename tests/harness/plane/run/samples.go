package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// The namespaces that the samples name; tenant-a and tenant-b come with their samples.
var sampleNamespace = regexp.MustCompile(`(?m)^(  namespace: |  name: )(news|edge|tenant-a|tenant-b)$`)

// inherit applies samples/wrong, as if a cluster had run for years before headroom came. The
// namespaces have names of their own, out of the way of what the guide tells to try.
func inherit(p *plane.Plane) error {
	files, err := filepath.Glob(filepath.Join(p.Root(), "samples", "wrong", "*.yaml"))
	if err != nil {
		return fmt.Errorf("find samples: %w", err)
	}
	for _, arguments := range [][]string{
		{"create", "namespace", "old-news"},
		{"create", "namespace", "old-edge"},
		{"create", "priorityclass", "critical-service", "--value=1000"},
	} {
		if out := p.Kubectl(arguments...); out.Code != 0 {
			return fmt.Errorf("%s: %s", out.Command, out.Stderr)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read a sample: %w", err)
		}
		moved := sampleNamespace.ReplaceAllString(string(text), "${1}old-${2}")
		if out := p.KubectlAs("admin", moved, "apply", "-f", "-"); out.Code != 0 {
			return fmt.Errorf("apply %s: %s", file, out.Stderr)
		}
	}
	return nil
}
