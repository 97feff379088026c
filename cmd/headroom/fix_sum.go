package main

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// sum is the last lines.
func (r *fixReport) sum(b *strings.Builder) {
	changes, objects, files, left := 0, 0, 0, 0
	for i := range r.Files {
		file := &r.Files[i]
		done := file.Changed() && (r.written[file.Name] || r.flags.diff || r.flags.check)
		if done {
			files++
		}
		for _, o := range file.Objects {
			switch {
			case o.Left != "":
				left++
			case done && !o.Declined:
				objects++
				changes += len(o.Applied)
			}
		}
	}
	var parts []string
	switch {
	case files > 0:
		did := "made"
		if r.flags.diff || r.flags.check {
			did = "to make"
		}
		parts = append(parts, fmt.Sprintf("%s %s in %s of %s", words.Count(changes, "change"), did,
			words.Count(objects, "object"), words.Count(files, "file")))
	case len(r.Rendered) == 0:
		parts = append(parts, "no file changes")
	}
	if left > 0 {
		parts = append(parts, words.Count(left, "object")+" left alone")
	}
	if n := len(r.Rendered); n > 0 {
		parts = append(parts, words.Count(n, "rendered object")+r.snippetWords())
	}
	fmt.Fprintln(b, strings.Join(parts, "; "))
	if r.Dropped > 0 {
		fmt.Fprintf(b, "%s left out, as alone they would bring a finding that is not there now\n",
			words.Plural(r.Dropped, "fix", "fixes"))
	}
	r.remains(b)
}

// snippetWords say what there is for rendered objects, which are not written.
func (r *fixReport) snippetWords() string {
	switch {
	case r.flags.check && !r.flags.diff:
		return " to fix, for which headroom fix prints snippets"
	case len(r.Snippets) > 0:
		return " to fix: paste what is printed"
	default:
		return " to fix, and no snippet that does it"
	}
}

// remains counts what is found afterwards.
func (r *fixReport) remains(b *strings.Builder) {
	var manual, fixable []engine.Finding
	for _, f := range r.Remaining {
		if f.Fixable {
			fixable = append(fixable, f)
		} else {
			manual = append(manual, f)
		}
	}
	var parts []string
	if n := len(manual); n > 0 {
		parts = append(parts, words.Plural(n, "finding needs", "findings need")+" a manual fix: "+sentences.Tally(manual))
	}
	if n := len(fixable); n > 0 {
		parts = append(parts, words.Plural(n, "auto-fixable finding was", "auto-fixable findings were")+" not fixed: "+sentences.Tally(fixable))
	}
	for _, line := range withheld(manual) {
		b.WriteString(folded("", line))
	}
	if len(parts) > 0 {
		shown := words.Choose(len(manual)+len(fixable), "it", "them")
		fmt.Fprintf(b, "%s (headroom lint --show info shows %s)\n", strings.Join(parts, "; "), shown)
	}
}

// withheld are the reasons why fixes are not made, each once, with the first rule and container that it keeps one from
// and the number of the other containers.
func withheld(findings []engine.Finding) []string {
	type spot struct {
		file, container string
		resource        engine.Resource
	}
	type reason struct {
		first *engine.Finding
		why   string
	}
	var reasons []reason
	spots := map[string]map[spot]bool{}
	for i := range findings {
		f := &findings[i]
		if f.Withheld == "" {
			continue
		}
		why := optionFile().ReplaceAllString(f.Withheld,
			"$1 names a file of options that was not read. A ConfigMap beside the manifest that holds it is read")
		if spots[why] == nil {
			reasons, spots[why] = append(reasons, reason{f, why}), map[spot]bool{}
		}
		spots[why][spot{f.File, f.Container, f.Resource}] = true
	}
	var lines []string
	for _, r := range reasons {
		where := sentences.Subject(&report.Entry{}, r.first)
		if n := len(spots[r.why]) - 1; n > 0 {
			where += fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, fmt.Sprintf("not written: %s %s: %s", r.first.Rule, where, printable(r.why)))
	}
	return lines
}

// optionFile is the reason of a file that java is told to read. As plain text its name is there already.
var optionFile = pattern.Lazy(`^(.*) \((?:an argument|a) file holds options\) may hold flags\. .*$`)
