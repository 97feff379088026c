package sentences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
)

// maxUnread is how many names of what is not read a line has.
const maxUnread = 3

// NotRead says what of the folders that were named is not read, a line for each reason.
func NotRead(found []report.Unread) []string {
	var reasons []string
	names := map[string][]string{}
	for _, u := range found {
		if !slices.Contains(reasons, u.Reason) {
			reasons = append(reasons, u.Reason)
		}
		names[u.Reason] = append(names[u.Reason], terminal.Printable(u.File))
	}
	slices.Sort(reasons)
	var lines []string
	for _, reason := range reasons {
		all := names[reason]
		list := strings.Join(all[:min(len(all), maxUnread)], ", ")
		if len(all) > maxUnread {
			list += ", …"
		}
		line := fmt.Sprintf("not read: %d %s (%s)", len(all), plural(reason, len(all)), list)
		if reason == report.DotFolder {
			line += "; --hidden reads " + map[bool]string{true: "it", false: "them"}[len(all) == 1]
		}
		lines = append(lines, line)
	}
	return lines
}

// plural is of the first noun of a reason.
func plural(reason string, n int) string {
	if n == 1 {
		return reason
	}
	if reason == report.DotFolder {
		return reason + "s"
	}
	noun, rest, _ := strings.Cut(reason, " ")
	several := strings.NewReplacer("that leads", "that lead", "name does", "names do", "device", "devices")
	return several.Replace(noun + "s " + rest)
}
