package edit

import (
	"errors"
	"fmt"
)

// ErrUnsafe is what every edit that is left undone is: the file stays as it was.
var ErrUnsafe = errors.New("cannot be edited safely")

// Error says why an edit is left undone, and where. It quotes no value of the file.
type Error struct {
	Line   int // of the file, from 1; 0 when it is no line's
	Reason string
}

// Error is "line N: reason", without a file's name, which Apply does not know.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Unwrap makes every Error an ErrUnsafe.
func (e *Error) Unwrap() error { return ErrUnsafe }

// unsafeEdit is raised where an offset is known and its line is not yet.
type unsafeEdit struct {
	at     int // offset into the document's text
	reason string
}

func (e *unsafeEdit) Error() string { return e.reason }

func refuse(at int, format string, args ...any) error {
	return &unsafeEdit{at: at, reason: fmt.Sprintf(format, args...)}
}
