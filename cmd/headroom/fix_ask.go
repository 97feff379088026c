package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/lint"
)

// asker asks about each object on a terminal.
type asker struct {
	ctx   context.Context
	lines chan string // answers; closed at the end of the input
	out   io.Writer
	all   bool
}

func newAsker(ctx context.Context, in io.Reader, out io.Writer) *asker {
	a := &asker{ctx: ctx, lines: make(chan string), out: out}
	// A read cannot be interrupted; Ctrl-C must end the run all the same.
	go func() {
		defer close(a.lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case a.lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return a
}

const answers = `y  make this change
n  leave this object as it is
a  make this change and all that follow
q  stop here; what was accepted is written
`

// accept shows an object's change and why, and asks.
func (a *asker) accept(o lint.FixedObject) (bool, error) {
	if a.all {
		return true, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s:%d: %s\n", printable(o.File), o.Line, sentences.Title(o.Resource))
	for _, f := range o.Fixed {
		fmt.Fprintf(&b, "  %s %s%s\n", f.Rule, whose(f.Container), printable(f.Message))
	}
	b.WriteString(multiline(o.Diff))
	if _, err := io.WriteString(a.out, b.String()); err != nil {
		return false, err
	}
	for {
		_, _ = fmt.Fprint(a.out, "Make this change? [y,n,a,q,?] ")
		var answer string
		select {
		case line, more := <-a.lines:
			if !more {
				_, _ = fmt.Fprintln(a.out)
				return false, lint.ErrEnough
			}
			answer = strings.ToLower(strings.TrimSpace(line))
		case <-a.ctx.Done():
			_, _ = fmt.Fprintln(a.out)
			return false, errors.New("stopped; nothing has been written")
		}
		switch answer {
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		case "a", "all":
			a.all = true
			return true, nil
		case "q", "quit":
			return false, lint.ErrEnough
		}
		_, _ = io.WriteString(a.out, answers)
	}
}

// printable is a text without what a terminal might obey.
func printable(text string) string { return terminal.Printable(text) }

// multiline is shown, line by line.
func multiline(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = printable(strings.ReplaceAll(line, "\t", "        "))
	}
	return strings.Join(lines, "\n")
}
