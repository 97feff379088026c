package assistant

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// restBytes is what the end of an answer may take, in bytes: what is left out, and where to read on.
const restBytes = 1 << 10

// bounded cuts a text at a line so that it has AnswerBytes at most, and says so.
func bounded(text string) string {
	if len(text) <= AnswerBytes {
		return text
	}
	kept := strings.ToValidUTF8(text[:AnswerBytes-restBytes], "")
	if end := strings.LastIndexByte(kept, '\n'); end > 0 {
		kept = kept[:end+1]
	}
	left := text[len(kept):]
	return fmt.Sprintf("%s\n[An answer has at most %d bytes; %s more are left out. Ask for less: one file, workload or rule.]\n",
		kept, AnswerBytes, words.Count(strings.Count(left, "\n")+1, "line"))
}

// found is what was found, the worst first, from an entry on: what it is, where, and what to do.
func found(r *report.Report, skip int) string {
	var b strings.Builder
	b.WriteString(asked(sentences.Summary(r)) + "\n")
	for _, line := range problemLines(r.Problems) {
		b.WriteString(line + "\n")
	}
	entries := report.Entries(r)
	fixable := false
	for i, e := range entries {
		fixable = fixable || e.Fixable
		if i < skip {
			continue
		}
		text := entryText(i+1, e)
		if b.Len()+len(text) > AnswerBytes-2*restBytes {
			fmt.Fprintf(&b, "\n[An answer has at most %d bytes; %d more: %s. Ask again with skip=%d, or for one path.]\n",
				AnswerBytes, len(entries)-i, severities(entries[i:]), i)
			break
		}
		b.WriteString("\n" + text)
	}
	if len(entries) > 0 {
		b.WriteString("\nWhy a rule is there: tool rules, or headroom://rules/ and its number.\n")
	}
	if fixable {
		b.WriteString("Some of it can be changed without harm: tool fix, with the same input, gives a diff.\n")
	}
	for _, line := range sentences.Asides(r) {
		b.WriteString(asked(line) + "\n")
	}
	return b.String()
}

// asked is a sentence for the command line as it is for a tool, which has an argument in place of a flag.
func asked(line string) string {
	return strings.ReplaceAll(short(line), "--show info", "show=info")
}

// maxProblems is how many inputs that could not be read are named.
const maxProblems = 5

// problemLines say what could not be read.
func problemLines(problems []report.Problem) []string {
	var lines []string
	for i, p := range problems {
		if i == maxProblems {
			return append(lines, fmt.Sprintf("Not read: %d more.", len(problems)-i))
		}
		place := sentences.Place(p.File, p.Line)
		lines = append(lines, "Not read: "+strings.TrimPrefix(place+": ", ": ")+short(p.Message))
	}
	return lines
}

// maxText bounds one sentence that may hold names of a manifest, in bytes.
const maxText = 1 << 10

// short is one line of a sentence, cut where it is far longer than any of ours.
func short(text string) string {
	text = terminal.Printable(text)
	if len(text) > maxText {
		return strings.ToValidUTF8(text[:maxText], "") + " …"
	}
	return text
}

// entryText is one cause: severity, rule and harm, the places, and what to do.
func entryText(number int, e *report.Entry) string {
	var b strings.Builder
	harm := ""
	if e.Harm != "" {
		harm = " (" + e.Harm + ")"
	}
	fmt.Fprintf(&b, "%d. %s %s %s%s\n", number, e.Severity, e.Rule, short(e.Slug), short(harm))
	line := func(label, text string) {
		if text != "" {
			b.WriteString("   " + label + ": " + short(text) + "\n")
		}
	}
	line("where", sentences.Where(e, "  "))
	line("what", sentences.Message(e))
	line("do", sentences.Wanted(e))
	line("price", sentences.Price(e))
	line("also", sentences.Also(e, "", func(text string) bool { return len(text) < maxText/2 }))
	return b.String()
}

func severities(entries []*report.Entry) string {
	count := map[string]int{}
	for _, e := range entries {
		count[e.Severity]++
	}
	return words.Severities(count[engine.SeverityError], count[engine.SeverityWarning], count[engine.SeverityInfo])
}
