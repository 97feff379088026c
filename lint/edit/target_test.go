package edit_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// onlyTarget checks that every line that is gone or changed is one of the target. It belongs to the
// value that goes, to the braces that get an entry, or to the key that has nothing left.
func onlyTarget(before, after []byte, document *source.Document, ops []engine.Operation) string {
	a, b := splitLines(before), splitLines(after)
	meant := map[int]bool{}
	for _, op := range ops {
		first, last := linesOf(document, op.Path)
		first = dashOf(a, first)
		parent := op.Path[:strings.LastIndexByte(op.Path, '/')]
		opens, ends := linesOf(document, parent)
		above, isMap := lookUp(document.Object, parent).(map[string]any)
		_, replaces := above[jsonpointer.Unescape(op.Path[len(parent)+1:])]
		if op.Op == "add" && (!isMap || !replaces) {
			first, last = ends-slack, ends
		}
		for line := first; line <= last; line++ {
			meant[line] = true
		}
		meant[opens], meant[opens-1] = true, true
		if op.Op != "replace" {
			// A list in braces over lines has a comma behind its last entry but one.
			meant[first-1], meant[ends-slack] = true, true
		}
	}
	// Which one of several blank lines is gone, a diff cannot tell.
	blanks := -1 // behind the last newline
	for line := range meant {
		if line >= 1 && line <= len(a) && strings.TrimSpace(a[line-1]) == "" {
			blanks--
		}
	}
	for _, line := range goneLines(a, b) {
		if strings.TrimSpace(a[line-1]) == "" && blanks < 0 {
			blanks++
			continue
		}
		if !meant[line] {
			known := slices.Sorted(maps.Keys(meant))
			return fmt.Sprintf("line %d, %q, is changed, and only %v are meant", line, a[line-1], known)
		}
		if strings.HasPrefix(strings.TrimSpace(a[line-1]), "#") && len(ops) == 1 && ops[0].Op == "add" {
			return fmt.Sprintf("line %d, a comment, is gone", line)
		}
	}
	return ""
}

// dashOf gives the line of the dash that a value belongs to, where that stands above it.
func dashOf(text []string, line int) int {
	for above := line - 1; above >= 1; above-- {
		bare := strings.TrimSpace(text[above-1])
		if strings.HasPrefix(bare, "-") {
			if rest := strings.TrimSpace(bare[1:]); rest == "" || rest[0] == '#' || rest[0] == '&' {
				return above
			}
		}
		if bare != "" && bare[0] != '#' {
			break
		}
	}
	return line
}

// slack is for the lines of one scalar, and for what closes braces.
const slack = 6

// linesOf gives the lines from a field to the one in front of what follows it.
func linesOf(document *source.Document, pointer string) (first, last int) {
	first = document.LineOfPointer(pointer)
	last = first
	for line := range followers(document.Object, "") {
		if strings.HasPrefix(line+"/", pointer+"/") {
			last = max(last, document.LineOfPointer(line))
		}
	}
	return first, last + slack
}

func followers(value any, at string) map[string]bool {
	all := map[string]bool{at: true}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			maps.Copy(all, followers(v, at+"/"+jsonpointer.Escape(key)))
		}
	case []any:
		for i, v := range value {
			maps.Copy(all, followers(v, at+"/"+strconv.Itoa(i)))
		}
	}
	return all
}

func lookUp(object any, pointer string) any {
	at := object
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = jsonpointer.Unescape(step)
		switch value := at.(type) {
		case map[string]any:
			at = value[step]
		case []any:
			i, _ := strconv.Atoi(step)
			at = value[i]
		}
	}
	return at
}
