//go:build integration

// Package explain holds what the explanations promise to what the policies then say: it puts into
// the manifest what would pass, and asks again.
package explain

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

func TestMain(m *testing.M) {
	search.Rapid(100, 20261121)
	flag.Parse()
	os.Exit(m.Run())
}

// A service is a JVM in a container, and what may be changed of it.
type service struct {
	flags   []string
	command bool // the flags stand on the command line, else in JAVA_TOOL_OPTIONS
	limit   string
	cpu     string
	facts   string
	threads int64
}

func (s service) with(change func(*service)) service {
	s.flags = append([]string(nil), s.flags...)
	change(&s)
	return s
}

// without drops the flags that begin with one of these.
func (s *service) without(beginnings ...string) {
	var kept []string
	for _, f := range s.flags {
		dropped := false
		for _, b := range beginnings {
			dropped = dropped || strings.HasPrefix(f, b)
		}
		if !dropped {
			kept = append(kept, f)
		}
	}
	s.flags = kept
}

func (s service) manifest() map[string]any {
	command, env := []any{"java"}, []any{}
	if s.command {
		for _, f := range s.flags {
			command = append(command, f)
		}
	} else {
		env = append(env, map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": strings.Join(s.flags, " ")})
	}
	facts := s.facts
	if s.threads > 0 {
		facts += fmt.Sprintf(" threads=%d", s.threads)
	}
	requests, limits := map[string]any{"cpu": "1"}, map[string]any{}
	if s.limit != "" {
		requests["memory"], limits["memory"] = s.limit, s.limit
	}
	if s.cpu != "" {
		limits["cpu"] = s.cpu
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "cart", "annotations": map[string]any{
			"headroom.dev/workload-class": "batch",
			"headroom.dev/cpu-average":    "1",
			"jvm.headroom.dev/app":        strings.TrimSpace(facts),
		}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "image": "registry.example.com/cart:1",
			"command":   append(command, "-jar", "cart.jar"),
			"env":       env,
			"resources": map[string]any{"requests": requests, "limits": limits},
		}}},
	}
}

// asker asks the policies.
type asker struct{ e *engine.Engine }

func newAsker(tb testing.TB) asker {
	tb.Helper()
	e, err := engine.New(context.Background(), engine.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return asker{e}
}

// fataler is what *testing.T and *rapid.T have in common here.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func (a asker) explain(t fataler, manifest map[string]any) engine.Explanation {
	t.Helper()
	list, err := a.e.Explain(context.Background(), engine.Review{Manifest: manifest}, engine.ExplainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatal("nothing is explained")
	}
	return list[0]
}

// fits says whether the budget is known and leaves a fifth of the limit free, or 1 GiB of a large one.
func (a asker) fits(t fataler, s service) bool {
	t.Helper()
	details, err := a.e.Details(context.Background(), engine.Review{Manifest: s.manifest()})
	if err != nil {
		t.Fatal(err)
	}
	b := details[0].Budget
	return b.Complete && (b.TotalMiB*5 <= b.LimitMiB*4 || b.LimitMiB-b.TotalMiB >= 1024)
}

// passes says whether the budget is known and neither HR303 nor HR304 speaks of it, but for what is possible.
func (a asker) passes(t fataler, s service) bool {
	t.Helper()
	result, err := a.e.Evaluate(context.Background(), engine.Review{Manifest: s.manifest()})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range result.Findings {
		found = found || f.Severity != engine.SeverityInfo && (f.Rule == "HR303" || f.Rule == "HR304")
	}
	fits := a.fits(t, s)
	if fits && found {
		t.Fatal("the rules and the budget disagree on", s)
	}
	return fits
}
