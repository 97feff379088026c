package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// Buffer reads standard input and the pipes among the paths, which can be read but once: files are looked at several
// times.
func (o *Options) Buffer(paths []string) error {
	for _, path := range paths {
		key, from, named := path, io.Reader(os.Stdin), "standard input"
		if path == "-" {
			key = "" // as a File of standard input has it
		}
		if _, done := o.buffered[key]; done {
			continue
		}
		switch {
		case path == "-" && o.Stdin != nil:
			from = o.Stdin
		case path == "-":
		case irregular(path):
			opened, err := o.open(path)
			if err != nil {
				continue // told when its turn comes
			}
			defer func() { _ = opened.Close() }() // nothing was written
			from, named = opened, path
		default:
			continue
		}
		// One byte more than may be read, so that too much is seen as too much.
		var text bytes.Buffer
		if _, err := text.ReadFrom(io.LimitReader(from, o.maxFileBytes()+1)); err != nil {
			return fmt.Errorf("read %s: %w", named, err)
		}
		if o.buffered == nil {
			o.buffered = map[string][]byte{}
		}
		o.buffered[key] = text.Bytes()
	}
	return nil
}

func irregular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}
