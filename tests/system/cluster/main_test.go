//go:build system

// Package cluster walks through headroom on a real cluster, by kubectl, as its users do.
package cluster

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(plane.Main(m, plane.Options{}, &cluster))
}

// criticalService is the PriorityClass that a sample names; every cluster has its own.
var criticalService = sync.OnceValue(func() plane.Output {
	return cluster.Kubectl("create", "priorityclass", "critical-service", "--value=1000")
})

// samples are the file names of a folder below samples/.
func samples(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cluster.Root(), "samples", dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples in %q: %v", dir, err)
	}
	return files
}

// The namespaces that the samples name; tenant-api.yaml brings its own.
var sampleNamespace = regexp.MustCompile(`(?m)^(  namespace: |  name: )(news|edge|tenant-a|tenant-b)$`)

// sample is a file of samples/, moved to another namespace.
type sample struct {
	// around is what an administrator gives the namespace: LimitRanges, and its annotations.
	around string
	// workloads are what a developer applies.
	workloads string
}

func read(t *testing.T, file, namespace string) sample {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s sample
	for document := range strings.SplitSeq(sampleNamespace.ReplaceAllString(string(text), "${1}"+namespace), "\n---\n") {
		if strings.Contains(document, "\nkind: Namespace\n") || strings.Contains(document, "\nkind: LimitRange\n") {
			s.around += document + "\n---\n"
		} else {
			s.workloads += document + "\n---\n"
		}
	}
	return s
}

// furnish makes a namespace with these labels and what the sample wants around it.
func (s sample) furnish(t *testing.T, namespace string, labels ...string) {
	t.Helper()
	cluster.NamespaceNamed(t, namespace, labels...)
	if s.around == "" {
		return
	}
	// Server-side, since the namespace was not made by kubectl apply.
	out := cluster.KubectlAs("admin", s.around, "apply", "--server-side", "-f", "-")
	if out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	settle()
}

// settle gives the webhook's watches time to hear of a change. In a real cluster people do not
// change a namespace and apply to it within the same half second.
func settle() { time.Sleep(500 * time.Millisecond) }

// checkGolden compares text with a file of testdata.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden.Check(t, filepath.Join("testdata", name), got)
}

// contains is a condition to wait for.
func contains(text, wanted string) error {
	if strings.Contains(text, wanted) {
		return nil
	}
	return fmt.Errorf("no %q in:\n%s", wanted, text)
}
