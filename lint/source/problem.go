package source

import "fmt"

// Problem is an input that could not be read. Cause is written for a person
// and never quotes a value, because values may be secrets.
type Problem struct {
	File  string
	Line  int // 0 when the problem is the file's and not a line's
	Cause error
}

// Error says where and why: "file:line: cause".
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.File, p.Cause)
	}
	return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Cause)
}

// Unwrap gives the cause.
func (p Problem) Unwrap() error { return p.Cause }

// lineError is an error with a line. The code that raises it does not know the file's name yet.
type lineError struct {
	line  int
	cause string
}

func (e *lineError) Error() string { return e.cause }

func failAt(line int, format string, args ...any) *lineError {
	return &lineError{line: line, cause: fmt.Sprintf(format, args...)}
}
