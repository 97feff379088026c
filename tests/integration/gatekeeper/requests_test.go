//go:build integration

package gatekeeper

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/export/gatekeeper"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

type object = map[string]any

// pod is a Pod of batch work, with a CPU limit that has to be twice its request.
func pod(cpuLimit string, more object) object {
	p := object{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": object{
			"name": "indexer", "namespace": "shop",
			"annotations": object{"headroom.dev/workload-class": "batch", "runtime.headroom.dev/app": "native"},
		},
		"spec": object{"containers": []any{object{
			"name": "app", "image": "example.com/indexer:1",
			"resources": object{
				"requests": object{"cpu": "1", "memory": "1Gi"},
				"limits":   object{"cpu": cpuLimit, "memory": "1Gi"},
			},
		}}},
	}
	maps.Copy(p, more)
	return p
}

// workload is the same as a workload of some kind.
func workload(kind, cpuLimit string, metadata, spec object) object {
	p := pod(cpuLimit, nil)
	template := object{"metadata": object{"annotations": p["metadata"].(object)["annotations"]}, "spec": p["spec"]}
	w := object{
		"apiVersion": "apps/v1", "kind": kind,
		"metadata": object{"name": "indexer", "namespace": "shop"},
		"spec":     object{"template": template},
	}
	maps.Copy(w["metadata"].(object), metadata)
	maps.Copy(w["spec"].(object), spec)
	return w
}

var owned = object{"ownerReferences": []any{
	object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "indexer", "uid": "1", "controller": true},
}}

var requests = []struct {
	name, operation, subresource string
	object, old                  object
	fires                        bool
}{
	{"a new workload", "CREATE", "", workload("Deployment", "4", nil, nil), nil, true},
	{"a new workload that is right", "CREATE", "", workload("Deployment", "2", nil, nil), nil, false},
	{"a new Pod", "CREATE", "", pod("4", nil), nil, true},
	{
		"another template", "UPDATE", "",
		workload("Deployment", "4", nil, nil), workload("Deployment", "2", nil, nil), true,
	},
	{
		"only replicas and labels", "UPDATE", "",
		workload("Deployment", "4", object{"labels": object{"a": "b"}}, object{"replicas": 2}),
		workload("Deployment", "4", nil, object{"replicas": 1}), false,
	},
	{
		"an annotation of headroom", "UPDATE", "",
		workload("Deployment", "4", object{"annotations": object{"headroom.dev/cpu-peak": "4"}}, nil),
		workload("Deployment", "4", nil, nil), true,
	},
	{
		"an object that is being deleted", "UPDATE", "",
		workload("Deployment", "4", object{"deletionTimestamp": "2026-01-01T00:00:00Z"}, nil),
		workload("Deployment", "2", nil, nil), false,
	},
	{"a deletion", "DELETE", "", nil, workload("Deployment", "4", nil, nil), false},
	{"what a controller writes", "CREATE", "", workload("ReplicaSet", "4", owned, nil), nil, false},
	{"a resize of what was wrong", "UPDATE", "resize", pod("5", nil), pod("4", nil), false},
	{"a resize to what is wrong", "UPDATE", "resize", pod("4", nil), pod("2", nil), true},
	{
		"a debugging container", "UPDATE", "ephemeralcontainers",
		pod("4", object{"status": object{}}), pod("2", nil), false,
	},
}

// Gatekeeper's own test runner sends the requests that a cluster would.
func TestRequests(t *testing.T) {
	dir := t.TempDir()
	var policies bytes.Buffer
	if err := gatekeeper.Write(&policies, gatekeeper.Options{Action: "warn"}); err != nil {
		t.Fatal(err)
	}
	template, constraint, ok := strings.Cut(policies.String(), "\n---\n")
	if !ok {
		t.Fatal("one document")
	}
	put(t, dir, "template.yaml", template)
	put(t, dir, "constraint.yaml", constraint)

	var cases []object
	for i, r := range requests {
		review := object{
			"uid": "1", "operation": r.operation, "subResource": r.subresource,
			"name": "indexer", "namespace": "shop",
		}
		named := r.object
		if r.object != nil {
			review["object"] = r.object
		}
		if r.old != nil {
			review["oldObject"], named = r.old, r.old
		}
		group, version, grouped := strings.Cut(named["apiVersion"].(string), "/")
		if !grouped {
			group, version = "", group
		}
		review["kind"] = object{"group": group, "version": version, "kind": named["kind"]}
		file := strings.ReplaceAll(r.name, " ", "-") + ".json"
		put(t, dir, file, text(t, object{
			"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": review,
		}))
		assertion := object{"violations": "no"}
		if r.fires {
			assertion = object{"violations": 1, "message": `^\[HR204\] container app: .* Wanted: .*\.$`}
		}
		cases = append(cases, object{"name": requests[i].name, "object": file, "assertions": []any{assertion}})
	}
	put(t, dir, "suite.yaml", text(t, object{
		"apiVersion": "test.gatekeeper.sh/v1alpha1", "kind": "Suite",
		"tests": []any{object{
			"name": "requests", "template": "template.yaml", "constraint": "constraint.yaml", "cases": cases,
		}},
	}))
	out, err := exec.CommandContext(t.Context(), program.Tool(t, "gator"), "verify", "--verbose", dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if passed := strings.Count(string(out), "--- PASS"); passed != len(requests)+1 {
		t.Errorf("%d of %d cases passed:\n%s", passed-1, len(requests), out)
	}
}

// With deny, only errors are refused.
func TestOnlyErrorsAreDenied(t *testing.T) {
	findings, err := run(t.Context(), program.Tool(t, "gator"), filepath.Join(root, "samples", "wrong"),
		gatekeeper.Options{Action: "deny"})
	if err != nil {
		t.Fatal(err)
	}
	severities := map[string]string{"error": "deny", "warning": "warn", "info": "warn"}
	seen := map[string]bool{}
	for _, f := range findings {
		seen[f.Severity] = true
		if f.Action != severities[f.Severity] {
			t.Errorf("%s: %s", f.Action, f.Text)
		}
	}
	if len(seen) != len(severities) {
		t.Errorf("only %v", seen)
	}
}

// A slip in an edited Constraint is refused rather than passed over; one that the API server's
// schema cannot express leaves the default.
func TestEditedConstraint(t *testing.T) {
	for name, c := range map[string]struct{ config, refused string }{
		"unknown key":  {"{toleranse: 0.5}", "toleranse"},
		"wrong type":   {"{tolerance: much}", "tolerance"},
		"out of range": {"{memory: {headroom: 1}}", "headroom"},
		"wrong limit":  {"{matrix: {batch: {request: average, limit: {}}}}", ""},
		"right":        {"{matrix: {batch: {request: average, limit: {timesAverage: 4}}}}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var policies bytes.Buffer
			if err := gatekeeper.Write(&policies, gatekeeper.Options{Action: "warn"}); err != nil {
				t.Fatal(err)
			}
			edited := strings.Replace(policies.String(), "    config: {}\n", "    config: "+c.config+"\n", 1)
			put(t, dir, "policies.yaml", edited)
			put(t, dir, "pod.json", text(t, pod("4", nil)))
			findings, err := Judge(t.Context(), program.Tool(t, "gator"), dir)
			switch {
			case c.refused != "":
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%v does not name %s", err, c.refused)
				}
			case err != nil:
				t.Error(err)
			case (len(findings) == 0) != (name == "right"):
				t.Errorf("%+v", findings)
			}
		})
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, value object) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
