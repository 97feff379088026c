//go:build system

// Package audit runs `headroom audit` against a real API server, with what its real controller
// manager makes of workloads.
package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true, AuditReads: true}, &cluster))
}

// run audits as the administrator, or as whom the options say.
func run(t *testing.T, o audit.Options) *report.Report {
	t.Helper()
	e := defaults.Engine(t)
	if o.Config == nil {
		o.Config = rest.CopyConfig(cluster.Config)
	}
	r, err := audit.Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sound is a report that misses nothing.
func sound(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	for _, p := range r.Problems {
		t.Errorf("missing: %s", p.Message)
	}
	return r
}

// workloads are Kind/name ×replicas, sorted.
func workloads(r *report.Report) []string {
	var names []string
	for _, w := range r.Workloads {
		names = append(names, fmt.Sprintf("%s/%s ×%d", w.Resource.Kind, w.Resource.Name, w.Replicas))
	}
	slices.Sort(names)
	return names
}

// findings are the rules found of a workload, sorted; each with its container.
func findings(r *report.Report, kind, name string) []string {
	var rules []string
	for _, f := range r.Findings {
		if f.Resource.Kind == kind && f.Resource.Name == name {
			rules = append(rules, strings.TrimSuffix(f.Rule+" "+f.Container, " "))
		}
	}
	slices.Sort(rules)
	return rules
}

func skipped(r *report.Report) []string {
	var what []string
	for _, s := range r.Skipped {
		what = append(what, s.What)
	}
	return what
}

func problems(r *report.Report) string {
	var texts []string
	for _, p := range r.Problems {
		texts = append(texts, p.Message)
	}
	return strings.Join(texts, "\n")
}

func apply(t *testing.T, namespace, manifest string) {
	t.Helper()
	out := cluster.KubectlAs("admin", manifest, "apply", "--server-side", "-n", namespace, "-f", "-")
	if out.Code != 0 {
		t.Fatal(out.Stderr)
	}
}

var binary = sync.OnceValues(func() (string, error) {
	file := filepath.Join(cluster.Dir, "headroom")
	return file, program.Build(context.Background(), file)
})

// output is what the command printed.
type output struct {
	stdout, stderr string
	code           int
}

// command starts `headroom …` with the administrator's kubeconfig, as a person would.
func command(t *testing.T, arguments ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(t.Context(), file, arguments...)
	c.Dir = t.TempDir()
	c.Env = []string{"HOME=" + c.Dir, "KUBECONFIG=" + cluster.Kubeconfig}
	c.Stdout, c.Stderr = &stdout, &stderr
	return c, &stdout, &stderr
}

func headroom(t *testing.T, arguments ...string) output {
	t.Helper()
	c, stdout, stderr := command(t, arguments...)
	err := c.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return output{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// eventually waits for what the controllers do.
func eventually(t *testing.T, what string, condition func() error) {
	t.Helper()
	plane.Eventually(t, what, condition)
}
