package diagnose

import (
	"fmt"
	"strings"
	"unicode"
)

// title names the container as kubectl would.
func title(r *Report) string {
	name := r.Pod
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	text := "Pod " + name
	if r.Container != "" {
		text += ", container " + r.Container
	}
	return clean(text)
}

const clock = "2006-01-02 15:04:05 MST"

// circumstances says where it runs and how it was looked at.
func circumstances(r *Report) string {
	var parts []string
	if r.State != "" {
		parts = append(parts, r.State)
	}
	if r.Node != "" {
		parts = append(parts, "on "+r.Node)
	}
	switch len(r.Samples) {
	case 0:
	case 1:
		parts = append(parts, "one sample at "+r.Samples[0].Format(clock))
	default:
		parts = append(parts, fmt.Sprintf("two samples in %v s from %s", r.Seconds, r.Samples[0].Format(clock)))
	}
	return clean(strings.Join(parts, ", "))
}

func lintLine(r *Report) string {
	n := r.Findings
	total := n.Errors + n.Warnings + n.Infos
	if total == 0 {
		return "headroom lint has nothing on this container."
	}
	pod := r.Pod
	if r.Namespace != "" {
		pod += " -n " + r.Namespace
	}
	return fmt.Sprintf("headroom lint has %s on this container (%s): kubectl get pod %s -o yaml | headroom lint -",
		count(total, "finding"), listed(n.Errors, "error", n.Warnings, "warning", n.Infos, "info"), clean(pod))
}

func summary(s Summary) string {
	text := fmt.Sprintf("%s: %s", count(s.Errors+s.Warnings+s.Unknown+s.OK, "check"),
		listed(s.Errors, "error", s.Warnings, "warning"))
	text = strings.TrimSuffix(text, ": ") + map[bool]string{true: ": ", false: ", "}[s.Errors+s.Warnings == 0]
	return fmt.Sprintf("%s%d unknown, %d ok", text, s.Unknown, s.OK)
}

// listed is "1 error, 2 warnings" of pairs of a number and a noun; none is left out.
func listed(pairs ...any) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if n := pairs[i].(int); n > 0 {
			parts = append(parts, count(n, pairs[i+1].(string)))
		}
	}
	return strings.Join(parts, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clean is a text that a terminal may show: files that somebody saved are somebody's.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// wrap breaks text into lines of at most so many columns; a longer word stays whole.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > columns {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(lines, line)
}

func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-len([]rune(text))))
}
