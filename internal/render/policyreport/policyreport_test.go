package policyreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/render/policyreport/result"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

type writer = func(*bytes.Buffer, *report.Report) error

var writers = map[string]writer{"policyreport": Write, "openreports": WriteOpen}

// objects are the documents of a text. tests/integration/reports holds the golden ones to a real API server's kinds.
func objects(t *testing.T, text string) []object {
	t.Helper()
	var list []object
	for _, document := range strings.Split("\n"+text, "\n---\n")[1:] {
		var o object
		if err := yaml.UnmarshalStrict([]byte(document), &o); err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

func TestGolden(t *testing.T) {
	for format, write := range writers {
		for name, r := range sample.All() {
			text := sample.Written(t, write, r)
			golden.Check(t, "testdata/"+name+"."+format+".yaml", text)
		}
	}
}

// TestEverythingIsSaid counts what is found again, and wants sums that are those of the results.
func TestEverythingIsSaid(t *testing.T) {
	for format, write := range writers {
		for name, r := range sample.All() {
			got, sums := map[string]int{}, map[string]int{}
			for _, o := range objects(t, sample.Written(t, write, r)) {
				for _, entry := range o.Results {
					got[entry.Result]++
				}
				for outcome, n := range o.Summary {
					sums[outcome] += n
				}
			}
			found := len(r.Findings)
			if got[result.Fail]+got[result.Warn] != found || got[result.Error] != len(r.Problems) ||
				got[result.Skip] != len(r.Exempted)+len(r.Known)+len(r.Skipped) {
				t.Errorf("%s of %s has %v of %d findings", format, name, got, found)
			}
			for outcome, n := range sums {
				if got[outcome] != n {
					t.Errorf("%s of %s: %d times %s, and the sums say %d", format, name, got[outcome], outcome, n)
				}
			}
		}
	}
}

// TestLarge cuts a namespace of many findings into reports that each find room, and leaves none out.
func TestLarge(t *testing.T) {
	const findings = 3000
	r := &report.Report{}
	for i := range findings {
		r.Findings = append(r.Findings, engine.Finding{
			Rule: "HR302", Slug: "memory-request-not-limit", Severity: engine.SeverityWarning, Message: strings.Repeat("m", 500),
			Resource: engine.Resource{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: fmt.Sprintf("pod-%d", i)},
		})
	}
	var names []string
	seen := map[string]bool{}
	for _, o := range objects(t, sample.Written(t, Write, r)) {
		text, err := json.Marshal(o)
		if err != nil || len(text) > 200<<10 {
			t.Errorf("%s has %d bytes: %v", o.Metadata.Name, len(text), err)
		}
		names = append(names, o.Metadata.Name)
		for _, entry := range o.Results {
			seen[entry.Resources[0].Name] = true
		}
	}
	if len(seen) != findings || len(names) < 10 || names[0] != "headroom-lint" || names[1] != "headroom-lint-2" {
		t.Errorf("%d findings in %q", len(seen), names)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(names) {
		t.Error("two reports of one name")
	}
}

// TestPlaces puts what has a namespace there, and the rest where the manifest would go or into the cluster.
func TestPlaces(t *testing.T) {
	about := func(cluster, kind, namespace string) engine.Finding {
		return engine.Finding{Rule: "HR101", Slug: "s", Severity: "error", Message: "m", Resource: engine.Resource{
			Cluster: cluster, APIVersion: "v1", Kind: kind, Namespace: namespace, Name: "n",
		}}
	}
	r := &report.Report{Cluster: &report.Cluster{}, Findings: []engine.Finding{
		about("eu", "Pod", "b"), about("eu", "Pod", "a"), about("eu", "Namespace", ""), about("us/x:1", "Pod", "a"), about("", "Pod", ""),
	}}
	var got []string
	for _, o := range objects(t, sample.Written(t, WriteOpen, r)) {
		got = append(got, o.Kind+" "+o.Metadata.Namespace+"/"+o.Metadata.Name)
	}
	want := []string{
		"Report /headroom-audit", "ClusterReport /headroom-audit-eu", "Report a/headroom-audit-eu", "Report b/headroom-audit-eu",
		"Report a/headroom-audit-us-x-1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestHostile(t *testing.T) {
	for i, a := range sample.Hostile { // each with its neighbour: the YAML is a library's
		checkStrings(t, a, sample.Hostile[(i+1)%len(sample.Hostile)])
	}
}

func FuzzHostile(f *testing.F) {
	sample.Seed(f)
	f.Fuzz(checkStrings)
}

func checkStrings(t *testing.T, a, b string) {
	t.Helper()
	for format, write := range writers {
		for _, r := range []*report.Report{sample.HostileReport(a, b), sample.HostileAudit(a, b), sample.HostileChange(a, b)} {
			found := 0
			for _, o := range objects(t, sample.Written(t, write, r)) {
				found += o.Summary[result.Fail] + o.Summary[result.Warn]
			}
			if found != len(r.Findings) {
				t.Errorf("%s has %d of %d findings", format, found, len(r.Findings))
			}
		}
	}
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}
