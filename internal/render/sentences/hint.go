package sentences

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

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
