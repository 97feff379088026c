// Package inputs puts what of the inputs could not be read, and what is not read, into the words of reports: the same
// for every command.
package inputs

import (
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint/source"
)

// Problem is a cause, with the file and the line where it stands; 0 is no line.
func Problem(file string, line int, cause error) report.Problem {
	return report.Problem{File: file, Line: line, Message: words.WithoutGo(cause.Error())}
}

// Problems are those of the sources.
func Problems(found []source.Problem) []report.Problem {
	var all []report.Problem
	for _, p := range found {
		all = append(all, Problem(p.File, p.Line, p.Cause))
	}
	return all
}

// NotRead is what stands below the folders that were named and is not read.
func NotRead(found []source.Unread) []report.Unread {
	var all []report.Unread
	for _, u := range found {
		all = append(all, report.Unread{File: u.Name, Reason: string(u.Why)})
	}
	return all
}
