package diagnose

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
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
	return terminal.Printable(text)
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
	return terminal.Printable(strings.Join(parts, ", "))
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
		words.Count(total, "finding"), words.Severities(n.Errors, n.Warnings, n.Infos), terminal.Printable(pod))
}

func summary(s Summary) string {
	text := fmt.Sprintf("%s: %s", words.Count(s.Errors+s.Warnings+s.Unknown+s.OK, "check"),
		words.Severities(s.Errors, s.Warnings, 0))
	text = strings.TrimSuffix(text, ": ") + map[bool]string{true: ": ", false: ", "}[s.Errors+s.Warnings == 0]
	return fmt.Sprintf("%s%d unknown, %d ok", text, s.Unknown, s.OK)
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
