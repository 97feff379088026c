package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Buffer reads standard input and what can be read but once among the paths, a pipe: files are looked at several times. It
// ends with the context, also where a pipe waits for its writer or a read for what is never written.
func (o *Options) Buffer(ctx context.Context, paths []string) error {
	for _, path := range paths {
		key := path
		if path == "-" {
			key = "" // as a File of standard input has it
		}
		if _, done := o.buffered[key]; done || path != "-" && !once(path) {
			continue
		}
		text, err := until(ctx, func() ([]byte, error) { return o.readOnce(path) })
		switch {
		case err != nil && (path == "-" || ctx.Err() != nil):
			return fmt.Errorf("read %s: %w", cmp.Or(key, "standard input"), err)
		case err != nil:
			continue // told when its turn comes
		}
		if o.buffered == nil {
			o.buffered = map[string][]byte{}
		}
		o.buffered[key] = text
	}
	return nil
}

// readOnce reads one byte more than may be read, so that too much is seen as too much.
func (o *Options) readOnce(path string) ([]byte, error) {
	from := o.Stdin
	switch {
	case path != "-":
		opened, err := o.open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = opened.Close() }() // nothing was written
		from = opened
	case from == nil:
		from = os.Stdin
	}
	return io.ReadAll(io.LimitReader(from, o.MaxBytes()+1))
}

// until reads all there is, or until a context ends. A read that waits then goes on waiting, and nothing takes what it
// reads.
func until(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	done := make(chan struct{})
	var text []byte
	var failed error
	go func() {
		defer close(done)
		text, failed = read()
	}()
	select {
	case <-done:
		return text, failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// once says whether a path is a pipe, or a file without a size, as those of /proc are: to read /proc/kmsg waits for the
// kernel. A device is no manifest, but the one that is empty.
func once(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || isDevice(info) {
		return false
	}
	return !info.Mode().IsRegular() || info.Size() == 0
}

var errDevice = errors.New("is a device, and no manifest")

func isDevice(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return info.Mode()&fs.ModeDevice != 0 && (err != nil || !os.SameFile(info, null))
}
