package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// Buffer reads standard input and the pipes among the paths, which can be read but once: files are looked at several
// times. It ends with the context, also where a read waits for what is never written.
func (o *Options) Buffer(ctx context.Context, paths []string) error {
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
		text, err := readUntil(ctx, io.LimitReader(from, o.MaxBytes()+1))
		if err != nil {
			return fmt.Errorf("read %s: %w", named, err)
		}
		if o.buffered == nil {
			o.buffered = map[string][]byte{}
		}
		o.buffered[key] = text
	}
	return nil
}

// readUntil reads all there is, or until a context ends. A read that waits then goes on waiting, and nothing takes what it
// reads.
func readUntil(ctx context.Context, from io.Reader) ([]byte, error) {
	done := make(chan struct{})
	var all bytes.Buffer
	var failed error
	go func() {
		defer close(done)
		_, failed = all.ReadFrom(from)
	}()
	select {
	case <-done:
		return all.Bytes(), failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func irregular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}
