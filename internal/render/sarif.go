package render

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/headroom-dev/headroom"

	notRead   = "input-not-read"
	notJudged = "not-judged"

	staleEntry = "baseline-entry-not-needed"
	preview    = "preview"
)

var sarifLevels = map[string]string{
	engine.SeverityError: "error", engine.SeverityWarning: "warning", engine.SeverityInfo: "note",
}

func sarifLevel(severity string) string { return cmp.Or(sarifLevels[severity], "note") }

func writeSARIF(w *bytes.Buffer, r *Report) error {
	rules, index := sarifRules(r)
	results := []sarifResult{}
	prints := fingerprints{}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted, r.Known} {
		for i := range list {
			f := &list[i]
			results = append(results, sarifResultOf(f, index[f.Rule], prints.of(f)))
		}
	}
	return encode(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{{
		Tool: sarifTool{sarifDriver{
			Name: "headroom", InformationURI: homepage, Version: r.Version, Rules: rules,
			Notifications: descriptors(r),
		}},
		Invocations: []sarifInvocation{{
			ExecutionSuccessful: len(r.Problems) == 0, ExitCode: r.ExitCode, Notifications: notifications(r),
		}},
		Results: results,
	}}})
}

// descriptors are those of the notifications that a run may give.
func descriptors(r *Report) []sarifDescriptor {
	list := []sarifDescriptor{
		{notRead, sarifText{Text: "An input, or a part of one, could not be read."}},
		{notJudged, sarifText{Text: "An object, or a part of one, was not judged."}},
	}
	if len(r.Stale) > 0 {
		list = append(list, sarifDescriptor{staleEntry, sarifText{Text: "An entry of the baseline no longer applies."}})
	}
	if r.Preview != nil {
		list = append(list, sarifDescriptor{preview, sarifText{Text: "What a mode would do if it were switched on."}})
	}
	return list
}

func sarifResultOf(f *engine.Finding, index int, print string) sarifResult {
	at := sarifLocation{Logical: logical(f.Resource, f.Container)}
	if f.File != "" {
		at.Physical = physical(f.File, max(f.Line, 1))
	}
	properties := map[string]any{"fixable": f.Fixable, "path": valid(f.Path)}
	for key, value := range map[string]string{"class": f.Class, "expected": f.Expected} {
		if value != "" {
			properties[key] = valid(value)
		}
	}
	if len(f.Figures) > 0 {
		properties["figures"] = f.Figures
	}
	result := sarifResult{
		RuleID: f.Rule, RuleIndex: index, Level: sarifLevel(f.Severity),
		Message:   sarifText{Text: cmp.Or(sentence(f), f.Rule)},
		Locations: []sarifLocation{at},
		// GitHub reads only its own key; given there, an alert stays the same
		// one when lines are added above it or the file is moved.
		PartialFingerprints: map[string]string{"headroom/v1": print, "primaryLocationLineHash": print},
		Properties:          properties,
	}
	if s := f.Suppressed; s != nil {
		kind := "external"
		if s.Source == "annotation" {
			kind = "inSource"
		}
		result.Suppressions = []sarifSuppression{{kind, "accepted", exemption(s)}}
	}
	return result
}

// logical names the workload and, in it, the container.
func logical(r engine.Resource, container string) []sarifLogical {
	full := strings.Join(strings.FieldsFunc(r.Kind+"\x00"+r.Namespace+"\x00"+r.Name, isNUL), "/")
	if full == "" {
		return nil
	}
	locations := []sarifLogical{{valid(cmp.Or(r.Name, r.Kind)), valid(full), "resource"}}
	if container != "" {
		locations = append(locations, sarifLogical{valid(container), valid(full + "/" + container), "container"})
	}
	return locations
}

func isNUL(r rune) bool { return r == 0 }

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// notifications keep what was not judged apart from what was found sound.
func notifications(r *Report) []sarifNotification {
	list := []sarifNotification{}
	add := func(id, level, message, file string, line int) {
		n := sarifNotification{Descriptor: sarifReference{id}, Level: level, Message: sarifText{Text: message}}
		if file != "" {
			n.Locations = []sarifLocation{{Physical: physical(file, line)}}
		}
		list = append(list, n)
	}
	for _, p := range r.Problems {
		add(notRead, "error", terminal.Printable(p.Message), p.File, p.Line)
	}
	for _, s := range r.Skipped {
		add(notJudged, "note", strings.TrimSuffix(skipSubject(s)+": "+terminal.Printable(s.Reason), ": "), s.File, 0)
	}
	for i := range r.Stale {
		s := &r.Stale[i]
		add(staleEntry, "note", "no longer in need of the baseline: "+entry(s), s.File, s.Line)
	}
	if r.Preview != nil {
		add(preview, "note", previewLine(r), "", 0)
	}
	return list
}

// sarifRules describes every rule, and any that a finding names beside those.
func sarifRules(r *Report) ([]sarifRule, map[string]int) {
	rules, index := []sarifRule{}, map[string]int{}
	for i := range r.Rules {
		index[r.Rules[i].ID] = len(rules)
		rules = append(rules, sarifRuleOf(&r.Rules[i]))
	}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted, r.Known} {
		for i := range list {
			f := &list[i]
			if _, known := index[f.Rule]; !known {
				index[f.Rule] = len(rules)
				rules = append(rules, sarifRuleOf(&Rule{ID: f.Rule, Slug: f.Slug, Severity: f.Severity}))
			}
		}
	}
	return rules, index
}

func sarifRuleOf(r *Rule) sarifRule {
	rule := sarifRule{
		ID: r.ID, Name: r.Slug, HelpURI: r.HelpURI,
		DefaultConfiguration: sarifConfiguration{sarifLevel(r.Severity)},
	}
	if r.Title != "" {
		rule.ShortDescription = &sarifText{Text: r.Title}
	}
	if r.Description != "" {
		rule.FullDescription = &sarifText{Text: unwrapped(r.Description)}
	}
	if r.Category != "" {
		rule.Properties = map[string]any{"tags": []string{r.Category}, "fixable": r.Fixable}
	}
	help := unwrapped(r.Description)
	markdown := help
	if r.Remediation != "" {
		help = strings.TrimSpace(help + "\n\nWhat to do: " + unwrapped(r.Remediation))
		markdown = strings.TrimSpace(markdown + "\n\n**What to do:** " + unwrapped(r.Remediation))
	}
	if r.HelpURI != "" && help != "" {
		markdown += "\n\n[" + r.ID + " " + r.Slug + "](" + r.HelpURI + ")"
	}
	if help != "" {
		rule.Help = &sarifText{help, markdown}
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
