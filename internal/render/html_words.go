package render

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/internal/words"
)

// headline says in plain words how things stand.
func headline(r *Report, total *section) string {
	switch {
	case total.Containers == 0:
		return "There is nothing to judge: no workloads were found"
	case total.failing == 0 && total.Warnings == 0 && len(r.Known) > 0:
		return fmt.Sprintf("Nothing new is wrong with %s", words.Count(total.Containers, "container"))
	case total.failing == 0 && total.Warnings == 0:
		return fmt.Sprintf("All %s have the headroom they need", words.Count(total.Containers, "container"))
	case total.failing == 0:
		return fmt.Sprintf("None of %s has an error; there are %s", words.Count(total.Containers, "container"),
			words.Count(total.Warnings, "warning"))
	}
	return fmt.Sprintf("%d of %s lack the headroom they need", total.failing, words.Count(total.Containers, "container"))
}

// points are what a reader should know first, the worst before the rest.
func points(r *Report, total *section) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if n := total.hurt.killed; n > 0 {
		say("%s killed for lack of memory%s: %s.", were(n, "workload"), window(r), words.Count(total.Kills, "OOM kill"))
	}
	if n := total.hurt.throttled; n > 0 {
		say("%s held back by a CPU limit: about %s in all.", are(n, "workload"), cores(total.Throttled))
	}
	if n := total.hurt.none; n > 0 {
		say("%s take more memory than the limit allows: once used, that is a kill.", may(n, "workload"))
	}
	if n := total.hurt.tight; n > 0 {
		say("%s less than 20 %% of a memory limit free.", leave(n, "workload"))
	}
	if r.Preview != nil {
		say("%s.", previewLine(r))
	}
	if r.Cluster != nil && r.Cluster.Measured == "" {
		say("No use was measured: this page tells what the objects declare, not what they use.")
	}
	for _, line := range asides(r) {
		say("%s", upperFirst(line)+".")
	}
	return list
}

func cores(n float64) string {
	if plain(n) == "1" {
		return "1 core"
	}
	return plain(n) + " cores"
}

func were(n int, noun string) string  { return agree(n, noun, " was", " were") }
func are(n int, noun string) string   { return agree(n, noun, " is", " are") }
func may(n int, noun string) string   { return agree(n, noun, " may", " may") }
func leave(n int, noun string) string { return agree(n, noun, " leaves", " leave") }

func agree(n int, noun, one, many string) string {
	return words.Count(n, noun) + words.Choose(n, one, many)
}

// window is how far back measurements go: the longest of them.
func window(r *Report) string {
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
	return " in the last " + strings.TrimPrefix(span(longest), "1 ")
}

// baselineLines say what a baseline keeps from the reader.
func baselineLines(r *Report) []string {
	var list []string
	if n := len(r.Known); n > 0 {
		list = append(list, words.Count(n, "known finding")+" of the baseline "+words.Choose(n, "is", "are")+" not shown")
	}
	if n := len(r.Stale); n > 0 {
		list = append(list, words.Plural(n, "entry", "entries")+" of the baseline no longer "+words.Choose(n, "applies", "apply"))
	}
	return list
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// pains are what a workload suffers, in a few words each.
func pains(h harm) []string {
	var list []string
	if h.kills > 0 {
		list = append(list, words.Count(h.kills, "OOM kill"))
	}
	if h.cores() > 0 {
		list = append(list, cores(h.throttled)+" throttled")
	}
	switch {
	case h.left <= 0:
		list = append(list, "no memory headroom")
	case h.left < enoughLeft:
		list = append(list, percent(h.left, 1)+" memory headroom")
	}
	return list
}
