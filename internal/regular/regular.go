// Package regular reads files that a stranger may have put there. A pipe or a device in the place of one would have no
// end, and a large one would take all memory.
package regular

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrIrregular says that a file is a pipe, a device, a socket or a folder.
var ErrIrregular = errors.New("is not a regular file")

// Read gives the bytes of a regular file, links followed; more than limit bytes are an error.
func Read(name string, limit int64) ([]byte, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|notWaiting, 0) // to open a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &os.PathError{Op: "read", Path: name, Err: ErrIrregular}
	case info.Size() > limit:
		return nil, tooLarge(name, limit)
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1)) // it may grow, and files of /proc have no size
	if err == nil && int64(len(text)) > limit {
		err = tooLarge(name, limit)
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

func tooLarge(name string, limit int64) error {
	return &os.PathError{Op: "read", Path: name, Err: fmt.Errorf("is larger than %d bytes", limit)}
}
