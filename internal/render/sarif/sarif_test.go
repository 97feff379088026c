package sarif

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// standard is the OASIS schema of SARIF 2.1.0; testdata/README.md says where from.
var standard = sync.OnceValues(func() (*jsonschema.Schema, error) {
	data, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaURI, schema); err != nil {
		return nil, err
	}
	return c.Compile(schemaURI)
})

func validate(t *testing.T, out string) {
	t.Helper()
	schema, err := standard()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("not SARIF 2.1.0: %v", err)
	}
}

func TestSARIFStandard(t *testing.T) {
	for _, r := range []*report.Report{sample.Report(), sample.Sound(), {}} {
		validate(t, sample.Written(t, Write, r))
	}
	if schema, err := standard(); err != nil || schema.Validate(map[string]any{"version": "2.1.0"}) == nil {
		t.Error("the schema lets anything pass")
	}
}

func results(t *testing.T, r *report.Report) []result {
	t.Helper()
	var back log
	if err := json.Unmarshal([]byte(sample.Written(t, Write, r)), &back); err != nil {
		t.Fatal(err)
	}
	for _, result := range back.Runs[0].Results {
		if got := back.Runs[0].Tool.Driver.Rules[result.RuleIndex].ID; got != result.RuleID {
			t.Errorf("index of %s leads to %s", result.RuleID, got)
		}
	}
	return back.Runs[0].Results
}

func TestSARIFFingerprints(t *testing.T) {
	before := sample.Report()
	after := sample.Report()
	for i := range after.Findings { // lines and containers were added above, the API group moved on
		f := &after.Findings[i]
		f.Line += 40
		f.Path = strings.Replace(f.Path, "containers/0", "containers/3", 1)
		f.Resource.APIVersion = strings.Replace(f.Resource.APIVersion, "/v1", "/v2", 1)
	}
	seen := map[string]string{}
	old, changed := results(t, before), results(t, after)
	for i := range old {
		print := old[i].PartialFingerprints["headroom/v1"]
		if print != changed[i].PartialFingerprints["headroom/v1"] {
			t.Errorf("%s is no longer the same result", old[i].RuleID)
		}
		if other, twice := seen[print]; twice {
			t.Errorf("%s and %s share a fingerprint", other, old[i].RuleID)
		}
		seen[print] = old[i].RuleID
	}
}

func TestSARIFFingerprintOfTwins(t *testing.T) {
	f := engine.Finding{Rule: "HR410", Resource: sample.Article, Container: "api", Path: "/spec/env/1", File: "a.yaml"}
	g := f
	g.Path = "/spec/env/2"
	got := results(t, &report.Report{Findings: []engine.Finding{f, g}})
	if got[0].PartialFingerprints["headroom/v1"] == got[1].PartialFingerprints["headroom/v1"] {
		t.Error("two results in one file share a fingerprint; one would be dropped")
	}
}

func TestSARIFSuppressions(t *testing.T) {
	kinds := map[string]string{}
	for _, result := range results(t, sample.Report()) {
		for _, s := range result.Suppressions {
			kinds[result.RuleID] = s.Kind + ": " + s.Justification
		}
	}
	if kinds["HR204"] != "inSource: runs alone on its node, until 2027-03-31 (annotation)" ||
		kinds["HR413"] != "external: logs go through the agent (config)" || len(kinds) != 2 {
		t.Errorf("got %v", kinds)
	}
}

func TestArtifact(t *testing.T) {
	for file, want := range map[string]artifactLocation{
		"a/b.yaml":       {"a/b.yaml", "%SRCROOT%"},
		"./a/../b.yaml":  {"b.yaml", "%SRCROOT%"},
		"-":              {"-", "%SRCROOT%"},
		"with blank.yml": {"with%20blank.yml", "%SRCROOT%"},
		"50%.yaml":       {"50%25.yaml", "%SRCROOT%"},
		"a:b.yaml":       {"a%3Ab.yaml", "%SRCROOT%"},
		"../up.yaml":     {"../up.yaml", "%SRCROOT%"},
		"/abs/x.yaml":    {"file:///abs/x.yaml", ""},
		`C:\k8s\x.yaml`:  {"file:///C:/k8s/x.yaml", ""},
		`k8s\x.yaml`:     {"k8s/x.yaml", "%SRCROOT%"},
	} {
		if got := artifact(file); got != want {
			t.Errorf("%s: got %v, want %v", file, got, want)
		}
	}
}

// TestNoLinkOfAManifest: a viewer shows [a](b) of a message as a link.
func TestNoLinkOfAManifest(t *testing.T) {
	r := &report.Report{
		Findings: []engine.Finding{{Rule: "HR105", Message: "headroom.dev/[x](https://evil.example) is no annotation."}},
		Problems: []report.Problem{{File: "a.yaml", Message: "unknown key [x](https://evil.example)"}},
	}
	if out := sample.Written(t, Write, r); strings.Contains(out, "](") || strings.Count(out, "[x] (https") != 2 {
		t.Error(out)
	}
}
