// Package diagnose compares a running container with what is healthy (M2, T14): it collects
// (package collect), reads (package reading), and lets the policies judge.
package diagnose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/reading"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/saved"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Target is the container to diagnose.
type Target struct {
	Namespace, Pod string
	Container      string // "" is the one that kubectl would take
}

// Options say how to diagnose a container of a cluster.
type Options struct {
	collect.Options
	// Save is the folder below which to keep what was read; "" keeps nothing.
	Save string
	// Version is headroom's, for what is saved.
	Version string
}

// Live diagnoses a container of a cluster.
func Live(ctx context.Context, e *engine.Engine, config *rest.Config, t Target, o Options) (*Report, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	api := client.CoreV1().RESTClient()
	text, err := api.Get().Resource("pods").Namespace(t.Namespace).Name(t.Pod).DoRaw(ctx)
	if apierrors.IsForbidden(err) {
		return nil, fmt.Errorf("read the Pod: %w (diagnose needs get on pods, and create on pods/exec)", err)
	}
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("there is no Pod %s in namespace %s: kubectl get pods -n %s lists those that are there",
			t.Pod, t.Namespace, t.Namespace)
	}
	if err != nil {
		return nil, fmt.Errorf("read the Pod: %w", err)
	}
	c, err := collect.OfPod(text, t.Container)
	if err != nil {
		return nil, err
	}
	return Collected(ctx, e, collect.Remote(config, api, c.Namespace, c.Pod, c.Container), c, o)
}

// Collected collects by an executor into what is known of the container, judges and saves.
func Collected(
	ctx context.Context, e *engine.Engine, x collect.Executor, c *collect.Collection, o Options,
) (*Report, error) {
	if c.API == nil || c.API.Running() {
		if err := collect.Container(ctx, x, o.Options, c); err != nil {
			return nil, err
		}
	} else {
		if c.API.State != collect.Pending { // of which there is a note
			c.Notes = append(c.Notes,
				fmt.Sprintf("The container does not run (%s), so that nothing could be read in it.", c.API.State))
		}
		c.Files, c.Missing = map[string]string{}, map[string]string{}
	}
	report, err := Judge(ctx, e, c)
	if err != nil || o.Save == "" {
		return report, err
	}
	c.Budget, c.Findings = report.budget, report.Findings
	report.Folder, err = saved.Write(o.Save, c, o.Version)
	if err != nil {
		report.Problems = append(report.Problems, err.Error())
	}
	return report, nil
}

// From diagnoses what was saved in a folder, or collected there by hand.
func From(ctx context.Context, e *engine.Engine, dir string, t Target) ([]*Report, error) {
	all, err := saved.Read(dir)
	if err != nil {
		return nil, err
	}
	var reports []*Report
	var names []string
	for _, c := range all {
		names = append(names, strings.Trim(c.Pod+"/"+c.Container, "/"))
		if t.Pod != "" && t.Pod != c.Pod || t.Container != "" && t.Container != c.Container {
			continue
		}
		report, err := Judge(ctx, e, c)
		if err != nil {
			return nil, err
		}
		reports = append(reports, report)
	}
	if len(reports) == 0 {
		return nil, fmt.Errorf("%s does not have that Pod or container; it has %s", dir, strings.Join(names, ", "))
	}
	return reports, nil
}

// Judge holds what was collected to what is healthy.
func Judge(ctx context.Context, e *engine.Engine, c *collect.Collection) (*Report, error) {
	facts := reading.Of(c.Files)
	for name, why := range c.Missing {
		if _, known := facts.Missing[name]; !known {
			facts.Missing[name] = why
		}
	}
	r := &Report{
		Namespace: c.Namespace, Pod: c.Pod, Container: c.Container, Node: c.Node, Samples: c.Samples,
		Findings: c.Findings, Notes: c.Notes, Problems: c.Problems,
	}
	if c.API != nil {
		r.State = c.API.State
	}
	if n := len(c.Samples); n > 1 {
		r.Seconds = c.Samples[n-1].Sub(c.Samples[0]).Round(100 * time.Millisecond).Seconds()
		facts.Read["seconds"] = r.Seconds
	}
	input, err := inputOf(c, facts)
	if err != nil {
		return nil, err
	}
	d, err := e.Diagnose(ctx, input)
	if err != nil {
		return nil, err
	}
	if len(d.Checks) == 0 {
		return nil, errors.New("the policies gave no check")
	}
	r.Checks, r.Regions, r.budget = d.Checks, d.Regions, d.Budget
	if c.Manifest != nil {
		var failed []engine.Failure
		if r.Findings, failed, err = findings(ctx, e, c); err != nil {
			return nil, err
		}
		for _, failure := range failed {
			r.Problems = append(r.Problems, failure.Error())
		}
	}
	return r, nil
}

// inputOf is the input of the policies, as rego/headroom/diagnose/result.rego describes it.
func inputOf(c *collect.Collection, facts reading.Facts) (map[string]any, error) {
	broken := []any{}
	for _, b := range facts.Broken {
		broken = append(broken, map[string]any{"file": b.File, "reason": b.Reason})
	}
	input := map[string]any{
		"container": c.Container, "read": facts.Read, "missing": facts.Missing, "broken": broken,
	}
	if c.JVM != nil {
		input["jvm"] = *c.JVM
	}
	if c.Manifest != nil {
		input["pod"] = c.Manifest
	}
	if c.Budget != nil {
		input["budget"] = c.Budget
	}
	if c.API == nil {
		return input, nil
	}
	text, err := json.Marshal(c.API)
	if err != nil {
		return nil, fmt.Errorf("read the status: %w", err)
	}
	var api map[string]any
	if err := json.Unmarshal(text, &api); err != nil {
		return nil, fmt.Errorf("read the status: %w", err)
	}
	input["api"] = api
	return input, nil
}

// findings counts what the linter has on the container, and names the rules that failed.
func findings(ctx context.Context, e *engine.Engine, c *collect.Collection) (*collect.Findings, []engine.Failure, error) {
	result, err := e.Evaluate(ctx, engine.Review{Manifest: c.Manifest})
	if err != nil {
		return nil, nil, err
	}
	n := &collect.Findings{}
	for i := range result.Findings {
		if result.Findings[i].Container != c.Container {
			continue
		}
		switch result.Findings[i].Severity {
		case engine.SeverityError:
			n.Errors++
		case engine.SeverityWarning:
			n.Warnings++
		default:
			n.Infos++
		}
	}
	return n, result.Failed, nil
}
