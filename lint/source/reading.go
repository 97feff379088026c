package source

import "sync/atomic"

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

// count counts a file when it is read for the first time.
func (f File) count(size int) {
	if f.counted != nil && f.counted.CompareAndSwap(false, true) {
		readBytes.Add(int64(size))
	}
}
