// Package sarif writes a report as SARIF 2.1.0, for code scanning.
package sarif

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	schemaURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage  = "https://github.com/headroom-dev/headroom"

	// Notifications, beside report.NotRead.
	notJudged  = "not-judged"
	staleEntry = "baseline-entry-not-needed"
	preview    = "preview"
)

var levels = map[string]string{
	engine.SeverityError: "error", engine.SeverityWarning: "warning", engine.SeverityInfo: "note",
}

func levelOf(severity string) string { return cmp.Or(levels[severity], "note") }

// Write prints a report as one run.
func Write(w *bytes.Buffer, r *report.Report) error {
	rules, index := rulesOf(r)
	results := []result{}
	prints := report.Fingerprints{}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted, r.Known} {
		for i := range list {
			f := &list[i]
			results = append(results, resultOf(f, index[f.Rule], prints.Of(f)))
		}
	}
	return json.Encode(w, log{schemaURI, "2.1.0", []run{{
		Tool: tool{driver{
			Name: "headroom", InformationURI: homepage, Version: r.Version, Rules: rules,
			Notifications: descriptors(r),
		}},
		Invocations: []invocation{{
			ExecutionSuccessful: len(r.Problems) == 0, ExitCode: r.ExitCode, Notifications: notifications(r),
		}},
		Results: results,
	}}})
}

// descriptors are those of the notifications that a run may give.
func descriptors(r *report.Report) []descriptor {
	list := []descriptor{
		{report.NotRead, text{Text: "An input, or a part of one, could not be read."}},
		{notJudged, text{Text: "An object, or a part of one, was not judged."}},
	}
	if len(r.Stale) > 0 {
		list = append(list, descriptor{staleEntry, text{Text: "An entry of the baseline no longer applies."}})
	}
	if r.Preview != nil {
		list = append(list, descriptor{preview, text{Text: "What a mode would do if it were switched on."}})
	}
	return list
}

func resultOf(f *engine.Finding, index int, print string) result {
	at := location{Logical: logical(f.Resource, f.Container)}
	if f.File != "" {
		at.Physical = physical(f.File, max(f.Line, 1))
	}
	properties := map[string]any{"fixable": f.Fixable, "path": words.Valid(f.Path)}
	for key, value := range map[string]string{
		"class": f.Class, "expected": f.Expected, "price": f.Price, "group": f.Group, "harm": f.Harm,
	} {
		if value != "" {
			properties[key] = words.Valid(value)
		}
	}
	if len(f.Figures) > 0 {
		properties["figures"] = f.Figures
	}
	result := result{
		RuleID: f.Rule, RuleIndex: index, Level: levelOf(f.Severity),
		Message:   message(cmp.Or(sentences.Verdict(f), f.Rule)),
		Locations: []location{at},
		// GitHub reads only its own key; given there, an alert stays the same
		// one when lines are added above it or the file is moved.
		PartialFingerprints: map[string]string{"headroom/v1": print, "primaryLocationLineHash": print},
		Properties:          properties,
	}
	if s := f.Suppressed; s != nil {
		kind := "external"
		if s.Source == "annotation" || s.Source == "comment" {
			kind = "inSource"
		}
		result.Suppressions = []suppression{{kind, "accepted", sentences.Exemption(s)}}
	}
	return result
}

// notifications keep what was not judged apart from what was found sound.
func notifications(r *report.Report) []notification {
	list := []notification{}
	add := func(id, level, said, file string, line int) {
		n := notification{Descriptor: reference{id}, Level: level, Message: message(said)}
		if file != "" {
			n.Locations = []location{{Physical: physical(file, line)}}
		}
		list = append(list, n)
	}
	for _, p := range r.Problems {
		add(report.NotRead, "error", terminal.Printable(p.Message), p.File, p.Line)
	}
	for _, s := range r.Skipped {
		add(notJudged, "note", strings.TrimSuffix(sentences.Skipped(s)+": "+terminal.Printable(s.Reason), ": "), s.File, 0)
	}
	for i := range r.Stale {
		s := &r.Stale[i]
		add(staleEntry, "note", "no longer in need of the baseline: "+sentences.StaleEntry(s), s.File, s.Line)
	}
	if r.Preview != nil {
		add(preview, "note", sentences.Preview(r), "", 0)
	}
	return list
}

// rulesOf describes every rule, and any that a finding names beside those.
func rulesOf(r *report.Report) ([]ruleInfo, map[string]int) {
	rules, index := []ruleInfo{}, map[string]int{}
	for i := range r.Rules {
		index[r.Rules[i].ID] = len(rules)
		rules = append(rules, ruleOf(&r.Rules[i]))
	}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted, r.Known} {
		for i := range list {
			f := &list[i]
			if _, known := index[f.Rule]; !known {
				index[f.Rule] = len(rules)
				rules = append(rules, ruleOf(&report.Rule{ID: f.Rule, Slug: f.Slug, Severity: f.Severity}))
			}
		}
	}
	return rules, index
}

func ruleOf(r *report.Rule) ruleInfo {
	rule := ruleInfo{
		ID: r.ID, Name: r.Slug, HelpURI: r.HelpURI,
		DefaultConfiguration: configuration{levelOf(r.Severity)},
	}
	if r.Title != "" {
		rule.ShortDescription = &text{Text: r.Title}
	}
	if r.Description != "" {
		rule.FullDescription = &text{Text: unwrapped(r.Description)}
	}
	if r.Category != "" {
		rule.Properties = map[string]any{"tags": []string{r.Category}, "fixable": r.Fixable}
	}
	help := unwrapped(r.Description)
	markdown := engine.Untagged(help)
	if r.Remediation != "" {
		help = strings.TrimSpace(help + "\n\nWhat to do: " + unwrapped(r.Remediation))
		markdown = strings.TrimSpace(markdown + "\n\n**What to do:** " + engine.Untagged(unwrapped(r.Remediation)))
	}
	if r.HelpURI != "" && help != "" {
		markdown += "\n\n[" + r.ID + " " + r.Slug + "](" + r.HelpURI + ")"
	}
	if help != "" {
		rule.Help = &text{help, markdown}
	}
	return rule
}

// unwrapped undoes the line breaks of a YAML block, and keeps its paragraphs.
func unwrapped(s string) string {
	var paragraphs []string
	for p := range strings.SplitSeq(strings.TrimSpace(s), "\n\n") {
		paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
	}
	return strings.Join(paragraphs, "\n\n")
}

// message keeps a name such as [a](https://b) from being a link, which §3.11.6 makes of it in plain text.
func message(said string) text { return text{Text: strings.ReplaceAll(said, "](", "] (")} }
