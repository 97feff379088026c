package source

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

const allowEmpty = "; --allow-empty takes that for no fault"

var (
	errNoMatch = errors.New("nothing could be judged: no file matches this pattern")
	errNoInput = errors.New("nothing could be judged: it is empty, perhaps as the command in front of the pipe failed" +
		allowEmpty)
)

// emptyFolder says of a folder that it holds no manifest, and what it holds that is not read.
func emptyFolder(unread []Unread) error {
	dots := 0
	for _, u := range unread {
		if u.Why == DotFolder {
			dots++
		}
	}
	const none = "nothing could be judged: no .yaml, .yml or .json file is below this folder"
	if dots > 0 {
		return fmt.Errorf("%s but for folders whose names begin with a dot, which --hidden reads", none)
	}
	return errors.New(none + allowEmpty)
}

// piped says whether a program's output is read: standard input, or what a shell hands on as /dev/fd/63.
func (f File) piped() bool {
	return f.Stdin() || strings.HasPrefix(filepath.ToSlash(f.path), "/dev/")
}

// blank says whether a text has no document: comments and markers alone.
func blank(data []byte) bool {
	text, err := decodeText(data)
	if err != nil {
		return false
	}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if rest, marks := bytes.CutPrefix(line, []byte("---")); marks {
			line = bytes.TrimSpace(rest)
		}
		if len(line) > 0 && line[0] != '#' && line[0] != '%' && !bytes.Equal(line, []byte("...")) {
			return false
		}
	}
	return true
}
