//go:build integration

// Package failing has a rule that fails, as a bug of ours would: each command names it, and tells what the others found.
package failing

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/size"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// module joins what is no list, where a container's name begins with "fails": the evaluation of HR301 ends in an error.
const module = `package headroom.rules.memory["memory-missing"]

import data.headroom.workload

report contains concat(".", c.raw.name) if {
	some c in workload.containers
	startswith(c.name, "fails")
}
`

const manifests = `apiVersion: v1
kind: Pod
metadata: {name: a, annotations: {headroom.dev/workload-class: batch}}
spec:
  containers:
  - {name: fails, image: a, resources: {requests: {cpu: "2"}, limits: {cpu: "1"}}}
---
apiVersion: v1
kind: Pod
metadata: {name: b, annotations: {headroom.dev/workload-class: batch}}
spec:
  containers:
  - {name: app, image: a, resources: {requests: {cpu: "2"}, limits: {cpu: "1"}}}
`

const said = "rule HR301 (memory-missing) could not be evaluated: internal error at failing.rego:5; please report it"

func broken(t *testing.T) *engine.Engine {
	t.Helper()
	modules, _, err := engine.Plannable()
	if err != nil {
		t.Fatal(err)
	}
	modules = maps.Clone(modules)
	if modules["failing.rego"], err = ast.ParseModule("failing.rego", module); err != nil {
		t.Fatal(err)
	}
	e, err := engine.FromModules(modules, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestARuleThatFails(t *testing.T) {
	e := broken(t)
	file := filepath.Join(t.TempDir(), "pods.yaml")
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{file}

	judged, err := lint.Run(t.Context(), e, lint.Options{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	named(t, "lint", judged.Problems)
	found := map[string]string{}
	for _, f := range judged.Findings {
		found[f.Resource.Name] += f.Rule + " "
	}
	if !strings.Contains(found["a"], "HR208") || strings.Contains(found["a"], "HR301") {
		t.Errorf("lint: the Pod with the rule that fails has %s", found["a"])
	}
	if !strings.Contains(found["b"], "HR301") {
		t.Errorf("lint: the Pod beside it has %s", found["b"])
	}

	fixed, err := lint.Fix(t.Context(), e, lint.FixOptions{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	named(t, "fix", fixed.Problems)

	explained, err := explain.Run(t.Context(), e, explain.Options{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	named(t, "explain", explained.Problems)
	if len(explained.Workloads) != 2 {
		t.Errorf("explain: %d workloads", len(explained.Workloads))
	}

	sized, err := size.Manifests(t.Context(), e, size.Options{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	named(t, "size", sized.Problems)
}

// named says whether the one problem is the rule's, with its file and line.
func named(t *testing.T, command string, problems []report.Problem) {
	t.Helper()
	if len(problems) != 1 || problems[0].Message != said || problems[0].Line == 0 || problems[0].File == "" {
		t.Errorf("%s: %+v", command, problems)
	}
}
