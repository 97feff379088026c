package admission

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	// maxWarning is what a terminal shows without a scroll; the API server cuts at 256.
	maxWarning = 200
	// maxWarnings is what a person reads after a command; the API server drops all above 4 096
	// characters together.
	maxWarnings = 5
	// maxWord bounds a name: the API server has not checked it yet.
	maxWord = 63
	// minMessage is the least that is left of a message beside what is wanted instead.
	minMessage = 80
)

// clean makes one line of a text that is at most so many characters long, cut at a word.
// A header takes no control characters, and a terminal should get none, nor characters
// that turn the direction of a line.
func clean(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError:
			return '�'
		}
		return r
	}, text)
	if length(text) <= limit {
		return text
	}
	cut := string([]rune(text)[:limit-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
		cut = cut[:space]
	}
	return strings.TrimRight(cut, " ,;:(") + "…"
}

// where names the container of a finding; a workload has no name of its own here, as the
// message comes in answer to a command that named it.
func where(container string) string {
	if container == "" {
		return ""
	}
	return "container " + clean(container, maxWord) + ": "
}

// warning is a cause in one line: rule, container, what is, what should be, and what comes with it.
func warning(c *cause, inPods bool) string {
	head := "[" + c.rules() + "] " + c.where()
	message := strings.TrimSuffix(c.Message, ".")
	room := maxWarning - length(head)
	tail := wanted(c.Expected, inPods)
	if length(message)+length(tail) > room && c.Why != "" {
		// What is the same for every container goes first.
		message = strings.TrimRight(strings.TrimSuffix(message, strings.TrimSuffix(c.Why, ".")), " .")
	}
	if length(message)+length(tail) > room {
		// What is wanted comes before a semicolon, the reasons after it.
		expected, _, _ := strings.Cut(c.Expected, "; ")
		tail = clean(wanted(expected, inPods), max(room-minMessage, room-length(message)))
	}
	return clean(head+clean(message, room-length(tail))+tail, maxWarning)
}

func wanted(expected string, inPods bool) string {
	text := ""
	if expected != "" {
		text = "; want: " + expected
	}
	if inPods {
		text += " (fixed in the Pods)"
	}
	return text
}

func length(text string) int { return utf8.RuneCountInString(text) }

// warnings are the causes, the worst first, as many as a person reads after a command. What is said
// to be known alone, the infos, is in the audit log and in `headroom lint`.
func warnings(findings []engine.Finding, fixesPods bool) []string {
	list := causes(slices.DeleteFunc(slices.Clone(findings), func(f engine.Finding) bool { return f.Severity == engine.SeverityInfo }))
	var lines []string
	for i, c := range list {
		if i == maxWarnings {
			lines = append(lines, fmt.Sprintf("%d more: headroom lint", len(list)-i))
			break
		}
		lines = append(lines, warning(c, fixesPods && c.Fixable))
	}
	return lines
}

// exemptions say what a workload has exempted itself from: where errors are refused, silence must not
// look like a pass. What the config exempts is its owner's decision, and is in the audit log.
func exemptions(exempted []engine.Finding) []string {
	var lines []string
	for _, f := range exempted {
		if f.Severity == engine.SeverityInfo || f.Suppressed.Source != "annotation" {
			continue
		}
		lines = append(lines, clean("["+f.Rule+"] "+where(f.Container)+"exempted by ignore.headroom.dev: "+f.Suppressed.Reason, maxWarning))
	}
	if more := len(lines) - maxWarnings; more > 0 {
		lines = append(lines[:maxWarnings], fmt.Sprintf("%d more exempted: headroom lint", more))
	}
	return lines
}
