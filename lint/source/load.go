package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// Load reads one of Files and gives its items in order.
func Load(file File, opts Options) []Item { return slices.Collect(Stream(file, opts)) }

// Stream is Load one item at a time.
func Stream(file File, opts Options) iter.Seq[Item] {
	if file.Skipped != "" {
		return single(Item{File: file.Name, Skipped: file.Skipped})
	}
	readingNow.Store(&file.Name)
	if file.render != nil {
		return file.render().items(opts)
	}
	data, err := Read(file, opts)
	if err != nil {
		return single(Item{File: file.Name, Problem: &Problem{File: file.Name, Cause: err}})
	}
	file.count(len(data))
	if !mentions(data, opts.Mentioning) {
		return func(func(Item) bool) {}
	}
	return Items(file.Name, data, opts)
}

// mentions says whether a file may hold one of the words; UTF-16 may hold any.
func mentions(data []byte, words []string) bool {
	return words == nil || isUTF16(data) || slices.ContainsFunc(words, func(word string) bool {
		return bytes.Contains(data, []byte(word))
	})
}

func single(item Item) iter.Seq[Item] {
	return func(yield func(Item) bool) { yield(item) }
}

// Read gives the bytes of one of Files that is not rendered, up to the limit, for Items and
// for callers that rewrite the file.
func Read(file File, opts Options) ([]byte, error) {
	var from io.Reader
	size := int64(0)
	buffered, isBuffered := opts.buffered[file.path]
	switch {
	case isBuffered:
		from = bytes.NewReader(buffered)
	case file.path != "":
		opened, err := opts.open(file.path)
		if err != nil {
			return nil, openError(err)
		}
		defer func() { _ = opened.Close() }() // nothing was written
		if info, err := opened.Stat(); err == nil {
			if isDevice(info) {
				return nil, errDevice
			}
			size = info.Size()
		}
		from = opened
	case opts.Stdin != nil:
		from = opts.Stdin
	default:
		from = os.Stdin
	}
	limit := opts.MaxBytes()
	if size > limit {
		return nil, tooLarge(size, limit)
	}
	var text bytes.Buffer
	text.Grow(int(size) + bytes.MinRead) // so that the end of the file is seen without growing
	if _, err := text.ReadFrom(io.LimitReader(from, limit+1)); err != nil {
		return nil, openError(err)
	}
	data := text.Bytes()
	if int64(len(data)) > limit {
		return nil, tooLarge(0, limit)
	}
	if !opts.AllowEmpty && file.piped() && blank(data) {
		return nil, errNoInput
	}
	return data, nil
}

func tooLarge(size, limit int64) error {
	if size > 0 {
		return fmt.Errorf("%d bytes, larger than the limit of %d", size, limit)
	}
	return fmt.Errorf("larger than the limit of %d bytes", limit)
}

// Each reads files with so many workers and calls visit with each item and the
// index of its file. Items of one file come in order and from one goroutine;
// those of different files come at the same time, so visit must bear that. At
// most one file per worker is in memory. The first error of visit, or the end
// of ctx, ends it all.
func Each(ctx context.Context, files []File, opts Options, workers int, visit func(int, Item) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range max(1, min(workers, len(files))) {
		wait.Go(func() {
			for {
				index := int(next.Add(1)) - 1
				if index >= len(files) || ctx.Err() != nil {
					return
				}
				for item := range Stream(files[index], opts) {
					if err := visit(index, item); err != nil {
						cancel(err)
					}
					if ctx.Err() != nil {
						return
					}
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// A folder without a manifest and an input without a document are mistakes more often than not: a path that moved, a
// command whose output is empty since it failed. Silence would take them for sound.

// What is read takes memory in proportion: a process that bounds its memory asks how much has been read, and of what.

var (
	readingNow atomic.Pointer[string]
	readBytes  atomic.Int64
)

// Reading is the file that was begun last, "" before the first, and how many bytes of files have been read, each file
// counted once.
func Reading() (file string, bytes int64) {
	if name := readingNow.Load(); name != nil {
		file = *name
	}
	return file, readBytes.Load()
}

// Forget begins the count anew, where nothing is held any more of what was read.
func Forget() { readBytes.Store(0) }

// count counts a file when it is read for the first time.
func (f File) count(size int) {
	if f.counted != nil && f.counted.CompareAndSwap(false, true) {
		readBytes.Add(int64(size))
	}
}

// Rendered says whether a file is a chart or a kustomization, which has no text of its own.
func (f File) Rendered() bool { return f.render != nil }

// Stdin says whether a file is standard input.
func (f File) Stdin() bool { return f.path == "" && f.render == nil && f.Skipped == "" }
