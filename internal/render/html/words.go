package html

import (
	"fmt"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// headline is the answer, as every format gives it.
func headline(r *report.Report, total *report.Section, entries []*report.Entry) string {
	if answer := sentences.Answer(entries); answer != "" {
		return answer
	}
	if total.Containers == 0 {
		return "There is no container to judge"
	}
	return words.UpperFirst(sentences.None(r)) + " in " + words.Count(total.Containers, "container")
}

// standing counts the containers that have something: "3 of 83 containers have an error, 41 more a
// warning"; "" where none has.
func standing(total *report.Section) string {
	all := words.Count(total.Containers, "container")
	switch {
	case total.Failing > 0 && total.Cautioned > 0:
		return fmt.Sprintf("%d of %s %s an error, %d more %s a warning.", total.Failing, all,
			words.Choose(total.Failing, "has", "have"), total.Cautioned, words.Choose(total.Cautioned, "has", "have"))
	case total.Failing > 0:
		return fmt.Sprintf("%d of %s %s an error.", total.Failing, all, words.Choose(total.Failing, "has", "have"))
	case total.Cautioned > 0:
		return fmt.Sprintf("%d of %s %s a warning, none has an error.", total.Cautioned, all,
			words.Choose(total.Cautioned, "has", "have"))
	}
	return ""
}

// points are what a reader should know first, the worst before the rest.
func points(r *report.Report, total *report.Section) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if text := standing(total); text != "" {
		say("%s", text)
	}
	if n := total.Hurt.Killed; n > 0 {
		say("%s OOMKilled%s: %s.", agree(n, " was", " were"), window(r), words.Count(total.Kills, "OOM kill"))
	}
	if n := total.Hurt.Throttled; n > 0 {
		say("%s throttled by a CPU limit: about %s in all.", agree(n, " is", " are"), sentences.Cores(total.Throttled))
	}
	if n := total.Hurt.None; n > 0 {
		say("%s take more memory than the limit: once used, that is an OOM kill.", agree(n, " may", " may"))
	}
	if n := total.Hurt.Tight; n > 0 {
		say("%s less than 20 %% of a memory limit free.", agree(n, " leaves", " leave"))
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

// agree is a number of workloads with its verb.
func agree(n int, one, many string) string {
	return words.Count(n, "workload") + words.Choose(n, one, many)
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
