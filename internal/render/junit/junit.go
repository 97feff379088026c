// Package junit writes a report as JUnit XML, as Jenkins and GitLab read it. There is no standard.
package junit

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// The JUnit format as Jenkins and GitLab read it: there is no standard.
type (
	testSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		counts
		Suites []*testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name string `xml:"name,attr"`
		counts
		Cases []testCase `xml:"testcase"`
	}
	counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	testCase struct {
		Class   string      `xml:"classname,attr"`
		Name    string      `xml:"name,attr"`
		File    string      `xml:"file,attr,omitempty"`
		Line    int         `xml:"line,attr,omitempty"`
		Failure *testResult `xml:"failure"`
		Error   *testResult `xml:"error"`
		Skipped *testResult `xml:"skipped"`
		Out     *testResult `xml:"system-out"`
	}
	testResult struct {
		Message string `xml:"message,attr,omitempty"`
		Type    string `xml:"type,attr,omitempty"`
		Body    string `xml:",cdata"`
	}
)

// Write makes a suite of every file, or of every namespace of a cluster, and a test case of every rule that a
// container fails. Findings that follow from another one are left out. What does not fail the run is no failure: its
// case passes, and says it.
func Write(w *bytes.Buffer, r *report.Report) error {
	all := &testSuites{Name: "headroom"}
	suites := map[string]*testSuite{}
	add := func(file string, resource engine.Resource, c testCase) {
		c.File = terminal.Printable(file)
		name := cmp.Or(terminal.Printable(report.SectionName(r, file, resource)), "headroom")
		s, ok := suites[name]
		if !ok {
			s = &testSuite{Name: name}
			suites[name], all.Suites = s, append(all.Suites, s)
		}
		s.add(c)
	}
	for _, g := range report.Groups(r.Led()) {
		if len(g.Items)+g.Exempted+g.Known == 0 {
			add(g.File, g.Resource, testCase{Class: sentences.Title(g.Resource), Name: "no findings", Line: g.Line})
		}
		for _, c := range cases(r, g) {
			add(g.File, g.Resource, c)
		}
	}
	for _, list := range [][]engine.Finding{r.Exempted, r.Known} {
		for i := range list {
			f := &list[i]
			c := newCase(f, f.Container)
			c.Skipped = &testResult{Message: "exempted: " + sentences.Exemption(f.Suppressed)}
			add(f.File, f.Resource, c)
		}
	}
	for i := range r.Stale {
		s := &r.Stale[i]
		add(s.File, engine.Resource{Cluster: s.Cluster, Namespace: s.Namespace}, testCase{
			Class: "headroom", Name: "baseline: " + sentences.StaleEntry(s), Line: s.Line,
			Skipped: &testResult{Message: "no longer in need of the baseline"},
		})
	}
	for _, s := range r.Skipped {
		add(s.File, s.Resource, testCase{
			Class: "headroom", Name: sentences.Skipped(s), Skipped: &testResult{Message: terminal.Printable(s.Reason)},
		})
	}
	for _, p := range r.Problems {
		message := terminal.Printable(p.Message)
		failed := &testResult{Message: message, Type: "input", Body: body(cmp.Or(sentences.Place(p.File, p.Line), message))}
		add(p.File, engine.Resource{}, testCase{Class: "headroom", Name: "could not be read", Line: p.Line, Error: failed})
	}
	if len(all.Suites) == 0 { // a report without a test is an error to Jenkins
		s := &testSuite{Name: "headroom"}
		s.add(testCase{Class: "headroom", Name: sentences.Summary(r)})
		all.Suites = append(all.Suites, s)
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Errors, all.Skipped = all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	w.WriteString(xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

func (s *testSuite) add(c testCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// cases makes one test case of each rule and container; a rule that found
// several things in a container tells them all in one failure.
func cases(r *report.Report, g *report.Group) []testCase {
	type key struct{ rule, container string }
	var order []key
	found := map[key][]*engine.Finding{}
	for i := range g.Items {
		for _, s := range g.Items[i].Spots {
			f := g.Items[i].Finding
			f.Container, f.Line = s.Container, s.Line
			k := key{f.Rule, f.Container}
			if found[k] == nil {
				order = append(order, k)
			}
			found[k] = append(found[k], &f)
		}
	}
	list := make([]testCase, 0, len(order))
	for _, k := range order {
		first := found[k][0] // groups put the most severe first
		c := newCase(first, k.container)
		var text []string
		for _, f := range found[k] {
			text = append(text, detail(f))
		}
		result := &testResult{Body: body(strings.Join(text, "\n\n"))}
		if !slices.ContainsFunc(found[k], r.Fails) {
			c.Out = result
		} else {
			c.Failure, result.Message, result.Type = result, terminal.Printable(first.Message), terminal.Printable(first.Severity)
		}
		list = append(list, c)
	}
	return list
}

func newCase(f *engine.Finding, container string) testCase {
	name := strings.TrimSpace(terminal.Printable(f.Rule + " " + f.Slug))
	if container != "" {
		name += ": " + terminal.Printable(container)
	}
	return testCase{Class: sentences.Title(f.Resource), Name: name, Line: f.Line}
}

// detail is a finding as plain text, with its sum.
func detail(f *engine.Finding) string {
	lines := []string{strings.TrimPrefix(sentences.Place(f.File, f.Line)+": "+sentences.Verdict(f), ": ")}
	if b, ok := report.SumOf(f.Figures); ok {
		for _, row := range append(b.Rows, b.Totals...) {
			lines = append(lines, strings.TrimRight(fmt.Sprintf("  %s: %s  %s", row.Name, row.Amount, row.Source), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// body sets CDATA off from its tags; encoding/xml splits a ]]> in it.
func body(text string) string { return "\n" + text + "\n" }
