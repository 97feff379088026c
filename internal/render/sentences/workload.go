package sentences

import (
	"fmt"
	"strings"

	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Cores is a number of cores.
func Cores(n float64) string {
	if words.Plain(n) == "1" {
		return "1 core"
	}
	return words.Plain(n) + " cores"
}

// Pains are what a workload suffers, in a few words each.
func Pains(h report.Harm) []string {
	var list []string
	if h.Kills > 0 {
		list = append(list, words.Count(h.Kills, "OOM kill"))
	}
	if h.Cores() > 0 {
		list = append(list, Cores(h.Throttled)+" throttled")
	}
	switch {
	case h.Left <= 0:
		list = append(list, "no memory headroom")
	case h.Left < report.EnoughLeft:
		list = append(list, words.Percent(h.Left, 1)+" memory headroom")
	}
	return list
}

// State is what a cluster tells of a workload: "3 replicas, 2 OOM kills, 1.4 cores throttled".
func State(g *report.Group) string {
	var parts []string
	if g.Replicas > 0 {
		parts = append(parts, words.Count(g.Replicas, "replica"))
	}
	for i := range g.Containers {
		if g.Containers[i].Detail != nil { // without, the findings say it themselves
			parts = append(parts, Pains(g.Harm())...)
			break
		}
	}
	return strings.Join(parts, ", ")
}

// hintPaths is how many paths a command is shown with; more make it no easier to type.
const hintPaths = 3

// FixHint is the command that fixes what is auto-fixable, on a line of its own so that it
// can be copied. n is how many of the findings that are printed are.
func FixHint(r *report.Report, n int) string {
	if n == 0 || len(r.Paths) == 0 {
		return ""
	}
	paths := "PATH…"
	if len(r.Paths) <= hintPaths {
		quoted := make([]string, len(r.Paths))
		for i, p := range r.Paths {
			quoted[i] = ShellWord(p)
		}
		paths = strings.Join(quoted, " ")
	}
	return fmt.Sprintf("%s auto-fixable: headroom fix %s", words.Plural(n, "finding is", "findings are"), paths)
}

// ShellWord is a path as a shell takes it.
func ShellWord(path string) string {
	path = terminal.Printable(path)
	odd := func(r rune) bool { return !words.IsWord(r) && !strings.ContainsRune("/._-+:@%", r) }
	if path != "" && strings.IndexFunc(path, odd) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// Change is what a fix changes, in words: "limits.cpu 2 removed". Its names are as the manifest has them.
func Change(a engine.Applied) string {
	name := field(a.Path)
	switch {
	case a.BehindJava():
		return a.Added + " added behind java"
	case strings.HasPrefix(a.Added, "-"):
		return a.Added + " added to JAVA_TOOL_OPTIONS"
	case a.Added != "":
		return a.Added + " added to env"
	case a.New == "":
		return name + " " + a.Old + " removed"
	case a.Old == "":
		return name + " " + a.New + " added"
	default:
		return name + " " + a.Old + " → " + a.New
	}
}

// field is the last steps of a pointer, as people call it.
func field(pointer string) string {
	steps := strings.Split(pointer, "/")
	last := jsonpointer.Unescape(steps[len(steps)-1])
	if len(steps) < 2 {
		return last
	}
	switch above := steps[len(steps)-2]; above {
	case "limits", "requests":
		return above + "." + last
	case "annotations":
		return "annotation " + last
	default:
		return last
	}
}
