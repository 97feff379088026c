//go:build system

// Package conformance holds every engine that judges with these policies to the verdicts of
// the Rego, on one corpus.
package conformance

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/images"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
	"github.com/headroom-dev/headroom/tests/system/conformance/compare"
	"github.com/headroom-dev/headroom/tests/system/conformance/engines"
)

const root = "../../.."

var (
	cluster *plane.Plane
	show    = flag.Bool("show", false, "print the table")
	only    = flag.String("engines", "", "ask these `NAMES` alone, separated by commas; docs/conformance.md is left alone")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(plane.Main(m, plane.Options{}, &cluster))
}

func TestConformance(t *testing.T) {
	e := defaults.Engine(t)
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	// What was measured, a Pod as it was, or what scales a workload is handed to headroom alone.
	rules = slices.DeleteFunc(rules, func(r engine.Rule) bool {
		return strings.Contains(r.Bad, "kind: Review") || strings.Contains(r.Bad, "kind: VerticalPodAutoscaler")
	})
	gaps, err := compare.ReadGaps("known_gaps.yaml")
	if err != nil {
		t.Fatal(err)
	}
	corpus := load(t, e)
	list := every(t, e, corpus)
	if *only != "" {
		names := strings.Split(*only, ",")
		list = append(list[:1], slices.DeleteFunc(list[1:], func(e engines.Engine) bool { return !slices.Contains(names, e.Name) })...)
		gaps = slices.DeleteFunc(gaps, func(g compare.Gap) bool { return !slices.Contains(names, g.Engine) })
	}
	answers := ask(t, list, corpus)
	known, err := images.Names()
	programs, alsoErr := images.Programs()
	if err := errors.Join(err, alsoErr); err != nil {
		t.Fatal(err)
	}
	maps.Copy(known, programs)
	result := compare.Comparison{Corpus: corpus, Rules: rules, Gaps: gaps, Images: known}.Compare(list, answers)
	for _, problem := range result.Problems {
		t.Error(problem)
	}
	for _, rule := range rules {
		if result.Columns[0].Cells[rule.ID].Wanted == 0 {
			t.Errorf("no case of the corpus has a finding of %s", rule.ID)
		}
	}
	if *only != "" {
		fmt.Print(result.Table(rules, nil, ruleName))
		return
	}
	spent := measureCosts(t, corpus)
	if *show {
		fmt.Printf("\n%s\nNot judged:\n\n%s\n", result.Table(rules, spent.rules, ruleName), result.LeftOut())
	}
	if !t.Failed() {
		checkPage(t, page(result, rules, gaps, spent))
	}
}

func ruleName(r engine.Rule) string { return r.ID + " " + r.Slug }

// load reads the corpus as the policies see it.
func load(t *testing.T, e *engine.Engine) []cases.Case {
	t.Helper()
	corpus, err := cases.Load(root, repo.SaidProjects(t), func(apiVersion, kind string) (bool, error) {
		known, err := e.Kind(t.Context(), apiVersion, kind)
		return known.Inert, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

// every engine that there is, the Rego first; native takes the webhook away and is asked last.
func every(t *testing.T, e *engine.Engine, corpus []cases.Case) []engines.Engine {
	t.Helper()
	scratch := t.TempDir()
	manifests := filepath.Join(scratch, "corpus")
	if err := cases.WriteAll(manifests, corpus); err != nil {
		t.Fatal(err)
	}
	server, err := engines.NewServer(cluster)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Furnish(t.Context(), corpus); err != nil {
		t.Fatal(err)
	}
	native := filepath.Join(scratch, "native.yaml")
	if out, err := exec.CommandContext(t.Context(), cluster.Binary(), "policies", "native", "-o", native).CombinedOutput(); err != nil {
		t.Fatalf("write the API server's policies: %v\n%s", err, out)
	}
	return []engines.Engine{
		engines.Rego(e),
		engines.Lint(cluster.Binary(), manifests),
		engines.Conftest(repo.Tool("conftest"), filepath.Join(root, "policies", "rego"), scratch),
		engines.Webhook(server),
		engines.Native(server, native),
		engines.Kyverno(repo.Tool("kyverno-judge"), repo.Tool("kyverno"), filepath.Join(root, "policies", "export", "kyverno"), scratch),
		engines.Gator(repo.Tool("gator"), manifests),
	}
}

// tool is a program of `make tools`.

// ask asks one engine after the other: each takes all processors, and the webhook has 250 ms
// for a decision.
func ask(t *testing.T, list []engines.Engine, corpus []cases.Case) []*engines.Answer {
	t.Helper()
	answers := make([]*engines.Answer, len(list))
	for i, engine := range list {
		began := time.Now()
		answer, err := engine.Judge(t.Context(), corpus)
		if err != nil {
			t.Fatalf("%s: %v", engine.Name, err)
		}
		answers[i] = answer
		t.Logf("%s: %d verdicts on %d of %d cases in %s", engine.Name, len(answer.Verdicts),
			len(corpus)-len(answer.Unjudged), len(corpus), time.Since(began).Round(time.Millisecond))
		for _, c := range corpus {
			if reason := answer.Unjudged[c.ID]; reason != "" {
				t.Logf("%s leaves out %s: %s", engine.Name, c.Source, reason)
			}
		}
	}
	return answers
}
