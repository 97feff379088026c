package html

import (
	"fmt"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// headline says in plain words how things stand.
func headline(r *report.Report, total *report.Section) string {
	switch {
	case total.Containers == 0:
		return "There is nothing to judge: no workloads were found"
	case total.Failing == 0 && total.Warnings == 0 && len(r.Known) > 0:
		return fmt.Sprintf("Nothing new is wrong with %s", words.Count(total.Containers, "container"))
	case total.Failing == 0 && total.Warnings == 0:
		return fmt.Sprintf("All %s have the headroom they need", words.Count(total.Containers, "container"))
	case total.Failing == 0:
		return fmt.Sprintf("None of %s has an error; there are %s", words.Count(total.Containers, "container"),
			words.Count(total.Warnings, "warning"))
	}
	return fmt.Sprintf("%d of %s lack the headroom they need", total.Failing, words.Count(total.Containers, "container"))
}

// points are what a reader should know first, the worst before the rest.
func points(r *report.Report, total *report.Section) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if n := total.Hurt.Killed; n > 0 {
		say("%s killed for lack of memory%s: %s.", were(n, "workload"), window(r), words.Count(total.Kills, "OOM kill"))
	}
	if n := total.Hurt.Throttled; n > 0 {
		say("%s held back by a CPU limit: about %s in all.", are(n, "workload"), sentences.Cores(total.Throttled))
	}
	if n := total.Hurt.None; n > 0 {
		say("%s take more memory than the limit allows: once used, that is a kill.", may(n, "workload"))
	}
	if n := total.Hurt.Tight; n > 0 {
		say("%s less than 20 %% of a memory limit free.", leave(n, "workload"))
	}
	if r.Preview != nil {
		say("%s.", sentences.Preview(r))
	}
	if r.Cluster != nil && r.Cluster.Measured == "" {
		say("No use was measured: this page tells what the objects declare, not what they use.")
	}
	for _, line := range sentences.Asides(r) {
		say("%s", words.UpperFirst(line)+".")
	}
	return list
}

func were(n int, noun string) string { return agree(n, noun, " was", " were") }

func are(n int, noun string) string { return agree(n, noun, " is", " are") }

func may(n int, noun string) string { return agree(n, noun, " may", " may") }

func leave(n int, noun string) string { return agree(n, noun, " leaves", " leave") }

func agree(n int, noun, one, many string) string {
	return words.Count(n, noun) + words.Choose(n, one, many)
}

// window is how far back measurements go: the longest of them.
func window(r *report.Report) string {
	var longest time.Duration
	for i := range r.Workloads {
		for j := range r.Workloads[i].Containers {
			if m := r.Workloads[i].Containers[j].Measured; m != nil {
				longest = max(longest, m.Window)
			}
		}
	}
	if longest <= 0 {
		return ""
	}
	return " in the last " + strings.TrimPrefix(sentences.Span(longest), "1 ")
}
