package assistant_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/headroom-dev/headroom/internal/allowance"
	"github.com/headroom-dev/headroom/internal/assistant"
	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestTools(t *testing.T) {
	for name, c := range map[string]struct {
		cluster *assistant.Cluster
		want    []string
	}{
		"without a cluster": {want: []string{"explain", "fix", "lint", "rules", "simulate", "size"}},
		"with one":          {&assistant.Cluster{}, []string{"audit", "explain", "fix", "lint", "rules", "simulate", "size"}},
	} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, t.TempDir(), func(o *assistant.Options) { o.Cluster = c.cluster })
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
				if a := tool.Annotations; a == nil || !a.ReadOnlyHint || a.OpenWorldHint == nil || *a.OpenWorldHint && c.cluster == nil {
					t.Errorf("%s does not say that it reads: %+v", tool.Name, a)
				}
				schema := fmt.Sprint(tool.InputSchema)
				if strings.Contains(schema, "null") {
					t.Errorf("an argument of %s may be null: %s", tool.Name, schema)
				}
				if tool.Description == "" || !strings.Contains(schema, "description:") {
					t.Errorf("%s is not described: %s", tool.Name, schema)
				}
			}
			if slices.Sort(names); !slices.Equal(names, c.want) {
				t.Errorf("tools %q", names)
			}
		})
	}
}

func TestLint(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"deploy/cart.yaml": deployment, "deploy/broken.yaml": "kind: [",
		"chart/Chart.yaml":          "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
		"chart/values.yaml":         "cpu: 2\n",
		"chart/more.yaml.values":    "cpu: 3\n",
		"chart/templates/cart.yaml": strings.Replace(deployment, `cpu: "2"`, `cpu: {{ .Values.cpu }}`, 1),
	})
	session := connect(t, dir)
	text := answer(t, session, "lint", arguments{"manifest": deployment})
	has(t, text, "1 error", "1. error HR202 latency-cpu-limit (throttled)", "where: shop/cart/app  stdin:15", "do: no CPU limit", "tool fix")
	text = answer(t, session, "lint", arguments{"path": "deploy"})
	has(t, text, "Not read: deploy/broken.yaml:1", "1. error HR202", "deploy/cart.yaml:15")
	text = answer(t, session, "lint", arguments{"path": "chart", "values": []string{"chart/more.yaml.values"}})
	has(t, text, "1. error HR202", "chart/templates/cart.yaml", "limits.cpu is 3")
	has(t, answer(t, session, "lint", arguments{"path": ".", "show": "error"}), "limits.cpu is 2", "deploy/cart.yaml:15")
	for _, wrong := range []arguments{
		{},
		{"manifest": "a: b", "path": "deploy"},
		{"path": "absent"},
		{"path": "deploy", "show": "all"},
		{"manifest": "a: b", "values": []string{"x"}},
		{"manifest": strings.Repeat("a", assistant.ManifestBytes+1)},
		{"pth": "deploy"},
	} {
		if text, failed := call(t, session, "lint", wrong); !failed || text == "" || strings.Contains(text, dir) {
			t.Errorf("%.60v: %s", wrong, text)
		}
	}
}

func TestFix(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"cart.yaml": deployment})
	session := connect(t, dir)
	text := answer(t, session, "fix", arguments{"path": "."})
	has(t, text, "--- a/cart.yaml\n+++ b/cart.yaml\n@@ -15 +14,0 @@\n-              cpu: \"2\"\n",
		"cart.yaml:1: Deployment shop/cart\n  HR202 app: limits.cpu 2 removed\n", "price")
	has(t, answer(t, session, "fix", arguments{"path": ".", "rules": []string{"HR302"}}), "Nothing to apply.")
	if text, failed := call(t, session, "fix", arguments{"path": ".", "rules": []string{"HR999"}}); !failed {
		t.Error(text)
	}
}

func TestOtherTools(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"cart.yaml": deployment, "scenario.yaml": `apiVersion: headroom.dev/v1alpha1
kind: Scenario
title: a burst
limit: 2
processors: 8
loads: [{name: collection, threads: 8, work: 40ms}]
`})
	session := connect(t, dir)
	has(t, answer(t, session, "explain", arguments{"path": "cart.yaml", "what_if": "limits.cpu=none"}), "class    latency-sensitive", "limits.cpu")
	has(t, answer(t, session, "simulate", arguments{"path": "scenario.yaml"}), "a burst", "collection")
	has(t, answer(t, session, "size", arguments{"path": "cart.yaml"}), "1 workload", "not sized")
	has(t, answer(t, session, "rules", nil), "HR101 ", "HR202 error latency-cpu-limit", "(fix changes it)")
	has(t, answer(t, session, "rules", arguments{"rules": []string{"hr202"}}), "HR202  CPU limit on", "Why", "What to do")
	for tool, wrong := range map[string]arguments{
		"explain":  {"path": "cart.yaml", "what_if": "nonsense"},
		"simulate": {"scenario": "kind: Pod"},
		"size":     {"namespace": "shop"},
		"rules":    {"rules": []string{"HR2020"}},
	} {
		if text, failed := call(t, session, tool, wrong); !failed {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if text, failed := call(t, session, "explain", arguments{"namespace": "shop", "workload": "deploy/cart"}); !failed ||
		!strings.Contains(text, "without --kubeconfig and --context") {
		t.Error(text)
	}
}

func TestResources(t *testing.T) {
	session := connect(t, t.TempDir())
	for uri, want := range map[string]string{
		"headroom://rules": "HR202 error latency-cpu-limit", "headroom://rules/HR302": "# HR302",
		"headroom://rules/latency-cpu-limit": "# HR202",
		"headroom://classes":                 "| batch | the average use | 2 times the average use |",
		"headroom://classes/cron":            "| cron | the peak of the use |",
		"headroom://facts":                   "T7", "headroom://facts/T7": "## T7: ", "headroom://facts/m1": "## M1: ",
	} {
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(result.Contents) != 1 {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		if c := result.Contents[0]; c.MIMEType != "text/markdown" || !strings.Contains(c.Text, want) || len(c.Text) > assistant.AnswerBytes {
			t.Errorf("%s: %s %.200s", uri, c.MIMEType, c.Text)
		}
	}
	for _, uri := range []string{"headroom://rules/HR999", "headroom://classes/x", "headroom://facts/T999", "headroom://x", "file:///etc/passwd"} {
		if result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, result.Contents)
		}
	}
}

// TestReadingOn asks for what was left out until nothing is, and wants each finding once.
func TestReadingOn(t *testing.T) {
	const workloads = 100
	var all strings.Builder
	for i := range workloads { // a limit of its own each, or they would be one entry
		all.WriteString(strings.NewReplacer("name: cart", fmt.Sprintf("name: cart%d", i), `"2"`, fmt.Sprintf("%dm", 1000+i)).
			Replace(deployment) + "---\n")
	}
	session := connect(t, t.TempDir())
	seen, answers := map[string]bool{}, 0
	for skip := 0; ; answers++ {
		text := answer(t, session, "lint", arguments{"manifest": all.String(), "skip": skip})
		before := len(seen)
		for _, line := range strings.Split(text, "\n") {
			if number, rule, ok := strings.Cut(line, ". "); ok && strings.HasPrefix(rule, "error HR202") {
				if seen[number] {
					t.Fatalf("%s stands in two answers", number)
				}
				seen[number] = true
			}
		}
		_, rest, more := strings.Cut(text, "skip=")
		if !more {
			break
		}
		if _, err := fmt.Sscan(strings.TrimRight(strings.Fields(rest)[0], ","), &skip); err != nil || len(seen) == before {
			t.Fatalf("skip=%.20q, %d seen: %v", rest, len(seen), err)
		}
	}
	if len(seen) != workloads || answers < 2 {
		t.Errorf("%d of %d in %d answers", len(seen), workloads, answers)
	}
}

func TestManyAtOnce(t *testing.T) {
	session := connect(t, t.TempDir())
	want := answer(t, session, "lint", arguments{"manifest": deployment})
	var wait sync.WaitGroup
	for range 40 {
		wait.Go(func() {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "lint", Arguments: arguments{"manifest": deployment}})
			if err != nil || result.Content[0].(*mcp.TextContent).Text != want {
				t.Errorf("%v: %+v", err, result)
			}
		})
	}
	wait.Wait()
}

// TestCancelled gives up calls that wait for the policies; the server serves on.
func TestCancelled(t *testing.T) {
	entered, ended := make(chan struct{}, 10), make(chan error, 10)
	var block bool
	session := connect(t, t.TempDir(), func(o *assistant.Options) {
		made := o.Engine
		o.Engine = func(ctx context.Context) (*engine.Engine, error) {
			if block {
				entered <- struct{}{}
				<-ctx.Done()
				ended <- ctx.Err()
				return nil, ctx.Err()
			}
			return made(ctx)
		}
	})
	block = true
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "lint", Arguments: arguments{"manifest": deployment}})
		failed <- err
	}()
	<-entered
	cancel()
	if err := <-failed; err == nil {
		t.Error("the call was answered")
	}
	if err := <-ended; err == nil {
		t.Error("the server went on")
	}
	block = false
	has(t, answer(t, session, "lint", arguments{"manifest": deployment}), "HR202")
}

// TestClusterScope checks what an audit would ask; no cluster answers here.
func TestClusterScope(t *testing.T) {
	var asked []assistant.Scope
	session := connect(t, t.TempDir(), func(o *assistant.Options) {
		o.Cluster = &assistant.Cluster{Audit: func(s assistant.Scope) (audit.Options, error) {
			asked = append(asked, s)
			return audit.Options{}, fmt.Errorf("no cluster")
		}}
	})
	for tool, with := range map[string]arguments{
		"audit":   {"all_namespaces": true, "selector": "app=cart"},
		"explain": {"namespace": "shop", "workload": "deploy/cart"},
	} {
		if text, failed := call(t, session, tool, with); !failed || !strings.Contains(text, "no cluster") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if !slices.Contains(asked, assistant.Scope{All: true, Selector: "app=cart"}) || !slices.Contains(asked, assistant.Scope{Namespace: "shop"}) {
		t.Errorf("asked for %+v", asked)
	}
	if text, failed := call(t, session, "size", arguments{"namespace": "shop"}); !failed || !strings.Contains(text, "--prometheus") {
		t.Error(text)
	}
}

// A call that takes too much memory is answered with that, and the server goes on.
func TestTooMuchMemoryEndsACall(t *testing.T) {
	much := true
	session := connect(t, t.TempDir(), func(o *assistant.Options) {
		made := o.Engine
		o.Engine = func(ctx context.Context) (*engine.Engine, error) {
			if much {
				allowance.End("gave up at a.yaml")
			}
			return made(ctx)
		}
	})
	if text, failed := call(t, session, "lint", arguments{"manifest": deployment}); !failed || text != "gave up at a.yaml" {
		t.Error(text)
	}
	much = false
	has(t, answer(t, session, "lint", arguments{"manifest": deployment}), "HR202")
}

// A call that takes too long is answered with that, in a folder of many objects too.
func TestACallThatTakesTooLong(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"many.yaml": strings.Repeat(deployment+"---\n", 5000)})
	session := connect(t, dir, func(o *assistant.Options) { o.Patience = 200 * time.Millisecond })
	for tool, with := range map[string]arguments{"lint": {"path": "."}, "fix": {"path": "."}} {
		begin := time.Now()
		text, failed := call(t, session, tool, with)
		if !failed || text != "ended after 200ms; ask for less: one file, a smaller folder or one namespace" {
			t.Errorf("%s: %s", tool, text)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: %v", tool, took)
		}
	}
}
