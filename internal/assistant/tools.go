package assistant

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/headroom-dev/headroom/internal/cfs/scenario"
	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/size"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// columns is how wide tables and texts are made.
const columns = 100

func (s *server) tools(m *mcp.Server) {
	tool(s, m, "lint", "Judge manifests", "Judge the CPU and memory settings of Kubernetes manifests: what will go wrong "+
		"(OOMKilled, throttled, evicted), why, and what to do. The worst comes first.", false, s.lint)
	tool(s, m, "fix", "Work out safe changes", "Give the changes that cannot harm a workload, as a unified diff without "+
		"lines around it. Nothing is written: apply it with patch or git apply --unidiff-zero, or edit the lines.", false, s.fix)
	tool(s, m, "explain", "Explain one workload", "Show the reasoning for a workload: its class and the evidence, where each "+
		"value and JVM flag comes from, the memory budget, what a burst does with the CPU quota, and what would pass. "+
		"what_if tries changed values.", s.Cluster != nil, s.explain)
	tool(s, m, "simulate", "Simulate a CPU limit", "Run a scenario (kind: Scenario, as docs/simulate.md has it) through a "+
		"model of the kernel's CPU quota: what is throttled, and for how long.", false, s.simulate)
	tool(s, m, "rules", "List or explain rules", "List all rules, or explain some: why, how to fix, an example that is "+
		"reported and one that is not, and the facts behind it.", false, s.rules)
	tool(s, m, "size", "Size containers", s.sizing(), s.Cluster != nil, s.size)
	if s.Cluster != nil {
		tool(s, m, "audit", "Judge a cluster", "Judge what runs in the cluster that the server was started for, as lint judges "+
			"manifests. It lists and gets, and never reads a Secret.", true, s.audit)
	}
}

// shown is what lint and audit ask of a report.
type shown struct {
	Show string `json:"show,omitempty" jsonschema:"lowest severity to tell: error, warning (the default) or info"`
	Skip int    `json:"skip,omitempty" jsonschema:"how many of the worst to leave out, to read on where an answer was cut"`
}

func (v shown) apply(r *report.Report) (string, error) {
	r.Show = cmp.Or(v.Show, engine.SeverityWarning)
	if !slices.Contains(report.Severities, r.Show) {
		return "", fmt.Errorf("show %q is not one of %s", v.Show, strings.Join(report.Severities, ", "))
	}
	r.Count()
	return found(r, max(0, v.Skip)), nil
}

type lintInput struct {
	Input
	shown
}

func (s *server) lint(ctx context.Context, in lintInput) (string, error) {
	paths, options, err := s.read(in.Input)
	if err != nil {
		return "", err
	}
	e, err := s.Engine(ctx)
	if err != nil {
		return "", err
	}
	// One file after the other: what reads two large ones at once is not interrupted soon enough.
	r, err := lint.Run(ctx, e, lint.Options{Paths: paths, Source: options, Workers: 1})
	if err != nil {
		return "", err
	}
	return in.apply(r)
}

type explainInput struct {
	Input
	Namespace string `json:"namespace,omitempty" jsonschema:"of a workload that runs; only where a cluster was given to the server"`
	Workload  string `json:"workload,omitempty" jsonschema:"KIND/NAME, such as deploy/cart; without it all workloads of the input"`
	Container string `json:"container,omitempty" jsonschema:"only the container of this name"`
	WhatIf    string `json:"what_if,omitempty" jsonschema:"changes to try, KEY=VALUE separated by commas: limits.memory=2Gi,-Xmx=1g,gc-threads=4,class=batch; =none takes a value away"`
}

func (s *server) explain(ctx context.Context, in explainInput) (string, error) {
	o := explain.Options{Workload: in.Workload, Container: in.Container}
	var err error
	if in.WhatIf != "" {
		if o.WhatIf, err = explain.ParseChanges(in.WhatIf); err != nil {
			return "", err
		}
	}
	e, err := s.Engine(ctx)
	if err != nil {
		return "", err
	}
	var r *explain.Report
	if in.Namespace != "" {
		r, err = s.explainLive(ctx, e, in, o)
	} else if o.Paths, o.Source, err = s.read(in.Input); err == nil {
		r, err = explain.Run(ctx, e, o)
	}
	if err != nil {
		return "", err
	}
	r.Version = s.Version
	var out bytes.Buffer
	err = explain.Write(&out, "text", r, false, columns)
	return out.String(), err
}

type simulateInput struct {
	Scenario string `json:"scenario,omitempty" jsonschema:"YAML of a scenario; or give path"`
	Path     string `json:"path,omitempty" jsonschema:"a scenario file, relative to the server's root; or give scenario"`
}

// maxScenario is one byte more than a scenario may have.
const maxScenario = 1<<20 + 1

func (s *server) simulate(ctx context.Context, in simulateInput) (string, error) {
	if (in.Scenario == "") == (in.Path == "") {
		return "", errors.New("give scenario, the text, or path, a file below the root: one of them")
	}
	name, text := "scenario", []byte(in.Scenario)
	if in.Path != "" {
		if err := s.inside(in.Path); err != nil {
			return "", err
		}
		opened, err := s.Root.Open(filepath.FromSlash(in.Path))
		if err != nil {
			return "", err
		}
		defer func() { _ = opened.Close() }() // it was only read
		if text, err = io.ReadAll(io.LimitReader(opened, maxScenario)); err != nil {
			return "", fmt.Errorf("%s cannot be read as a file", in.Path)
		}
		name = in.Path
	}
	if len(text) >= maxScenario {
		return "", fmt.Errorf("%s has more than %d bytes", name, maxScenario-1)
	}
	parsed, err := scenario.Parse(name, text)
	if err != nil {
		return "", err
	}
	result, err := parsed.Run(ctx)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = result.Table(&out)
	return out.String(), err
}

type rulesInput struct {
	Rules []string `json:"rules,omitempty" jsonschema:"IDs or names, such as HR302 or latency-cpu-limit; without any all rules are listed"`
}

func (s *server) rules(_ context.Context, in rulesInput) (string, error) {
	known, err := engine.Rules()
	if err != nil {
		return "", err
	}
	if len(in.Rules) == 0 {
		return ruleList(known), nil
	}
	var b strings.Builder
	for _, name := range in.Rules {
		rule, err := lint.RuleNamed(known, name)
		if err != nil {
			return "", err
		}
		b.WriteString(rule.Text() + "\n")
	}
	return b.String(), nil
}

// ruleList is a line for each rule.
func ruleList(rules []engine.Rule) string {
	var b strings.Builder
	for _, r := range rules {
		fix := ""
		if r.Fixable {
			fix = " (fix changes it)"
		}
		fmt.Fprintf(&b, "%s %s %s: %s%s\n", r.ID, r.Severity, r.Slug, r.Title, fix)
	}
	return b.String()
}

// sizing says what size can size.
func (s *server) sizing() string {
	text := "Say what each container should have, from its measured use, its class and what runs in it. "
	if s.Cluster != nil {
		return text + "Of manifests, or of a namespace that runs."
	}
	return text + "The use is what headroom annotate has written into the manifests as annotations."
}

type sizeInput struct {
	Input
	Namespace string `json:"namespace,omitempty" jsonschema:"size what runs there; only where a cluster and measurements were given to the server"`
}

func (s *server) size(ctx context.Context, in sizeInput) (string, error) {
	e, err := s.Engine(ctx)
	if err != nil {
		return "", err
	}
	var r *size.Report
	if in.Namespace != "" {
		r, err = s.sizeLive(ctx, e, in)
	} else {
		o := size.Options{}
		if o.Paths, o.Source, err = s.read(in.Input); err == nil {
			r, err = size.Manifests(ctx, e, o)
		}
	}
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	for _, line := range problemLines(r.Problems) {
		out.WriteString(line + "\n")
	}
	for _, line := range sentences.NotRead(r.NotRead) {
		out.WriteString(line + "\n")
	}
	fmt.Fprintf(&out, "%s\n", words.Count(len(r.Workloads), "workload"))
	err = size.Write(&out, "table", r, columns)
	return out.String(), err
}
