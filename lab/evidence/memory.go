package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

func (d *document) memory(ctx context.Context, e *engine.Engine, known facts, seen *record.Evidence, beside servers) error {
	d.text(`
## The memory budget (M1)

The facts' examples, and the budget of the policies for a Pod with these flags: what it would allow (the bound), and
what is expected (M7), which is what HR303 goes by. MiB.`)
	var rows [][]any
	for _, f := range known.Budgets {
		declared := ""
		if f.Threads > 0 {
			declared = fmt.Sprintf("threads=%d native=%dMi", f.Threads, f.Native)
		}
		budget, rules, err := judged(ctx, e, pod{f.Limit, "2", declared, strings.Fields(f.Flags)})
		if err != nil {
			return err
		}
		fact := f.Verdict
		if f.Total > 0 {
			fact = fmt.Sprintf("%s, %s left: %s", short(f.Total), short(f.Left), f.Verdict)
		}
		rows = append(rows, []any{
			f.Limit, "`" + strings.ReplaceAll(f.Flags, " ", "` `") + "`", fact,
			fmt.Sprintf("%s, %s left", short(budget.BoundMiB), short(budget.LimitMiB-budget.BoundMiB)),
			fmt.Sprintf("%s, %s left: %s", short(budget.TotalMiB), short(budget.LeftMiB), rules),
		})
	}
	d.table([]string{"limit", "flags", "facts", "bound", "expected"}, rows...)
	d.text(`
The facts take about 4900 MiB for -Xmx4g, 800 of them for all that is not heap. The bound is more, since
nothing bounds the rest: direct memory may grow as large as the heap (a JVM's default), compiled code to
240 MiB, 250 threads to a stack of 1 MiB each, and metaspace is taken for 256 MiB. What is expected is less. All are
over the limit.

### Beside real JVMs

200 threads, 400 MiB that live in a heap of 1 GiB, 100 MiB of direct memory and 1500 classes, under
-Xms1g -Xmx1g -XX:+AlwaysPreTouch -XX:MaxMetaspaceSize=64m -XX:ReservedCodeCacheSize=64m
-XX:MaxDirectMemorySize=128m -Xss512k -XX:ActiveProcessorCount=2. The bound is to be over
what the kernel charges, page cache included, and at most 35 %% over it, which tests/system/kernel asserts of each
row. One load is no proof for all: what a library allocates past these regions is in no budget.`)
	rows = nil
	for _, m := range seen.Memory {
		rows = append(rows, []any{
			m.JDK, m.Collector, round(m.BudgetMiB), round(m.ChargedMiB), round(m.KeptMiB), percent(m.BudgetMiB/m.ChargedMiB - 1),
		})
	}
	d.table([]string{
		"JDK", "collector", "bound, MiB", "charged at most", "of it kept at the end", "the bound is over by",
	}, rows...)
	d.servers(beside)
	d.kills(seen)
	return nil
}

func (d *document) kills(seen *record.Evidence) {
	d.text(`
### Killed or not

A G1 heap that is used, and all of the direct memory (1000 MiB under the limit of 4096, 140 under
512). HR304 and HR303 are what the policies say beforehand; "killed" is the kernel's count, exit
code 137.`)
	var rows [][]any
	for _, k := range seen.Kills {
		said := strings.Join(k.Rules, ", ")
		if said == "" {
			said = "nothing"
		}
		outcome := fmt.Sprintf("survives, exit code %d", k.ExitCode)
		if k.Killed {
			outcome = fmt.Sprintf("killed, exit code %d", k.ExitCode)
		}
		rows = append(rows, []any{k.LimitMiB, "`" + k.Heap + "`", round(k.BudgetMiB), said, outcome, round(k.ChargedMiB)})
	}
	d.table([]string{"limit, MiB", "heap", "bound, MiB", "the policies say", "the kernel", "charged at most, MiB"}, rows...)
	d.text(`
Under 512 MiB the smallest heap of the three survives, although HR303 speaks of it too: what the JVM
takes beside heap and direct memory counts as at least 100 MiB, and this load takes less. The rule asks for
room to be left; not every JVM that leaves less is killed.`)
}

func round(mib float64) string { return fmt.Sprintf("%.0f", mib) }

// pod is one container that runs java with these flags; declared is what its annotation says.
type pod struct {
	limitMiB      int
	cpu, declared string
	flags         []string
}

// judged is the budget of a Pod, and what HR303 and HR304 say of it.
func judged(ctx context.Context, e *engine.Engine, p pod) (*engine.Budget, string, error) {
	command := []any{"java"}
	for _, flag := range p.flags {
		command = append(command, flag)
	}
	review := engine.Review{Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		// Without a class, HR303 is a warning at most.
		"metadata": map[string]any{"name": "app", "annotations": map[string]any{
			"jvm.headroom.dev/app": p.declared, "headroom.dev/workload-class": "batch",
		}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "image": "app", "command": append(command, "-jar", "app.jar"),
			"resources": map[string]any{"limits": map[string]any{"memory": fmt.Sprintf("%dMi", p.limitMiB), "cpu": p.cpu}},
		}}},
	}}
	details, err := e.Details(ctx, review)
	if err != nil {
		return nil, "", err
	}
	result, err := e.Evaluate(ctx, review)
	if err != nil {
		return nil, "", err
	}
	said := "nothing to say"
	for _, f := range result.Findings {
		if f.Rule == "HR303" || f.Rule == "HR304" {
			said = fmt.Sprintf("%s, %s", f.Rule, f.Severity)
		}
	}
	if len(details) != 1 || details[0].Budget == nil {
		return nil, "", fmt.Errorf("%s: no budget", p.flags)
	}
	return details[0].Budget, said, nil
}
