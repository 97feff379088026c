package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// maxOutput is what one command may print, in bytes: a hundred times the longest that is read.
const maxOutput = 1 << 20

// errNoProgram says that a program is not in the image.
var errNoProgram = errors.New("the image does not have it")

// bounded keeps the first bytes and ends the command at the first that is too many.
type bounded struct {
	bytes.Buffer
	most int
	full context.CancelFunc
}

func (b *bounded) Write(data []byte) (int, error) {
	if b.Len()+len(data) > b.most {
		b.full()
		return len(data), nil // an error would be logged by the transport
	}
	return b.Buffer.Write(data)
}

// run gives what a command prints. Its errors are for a reader: one line, without what the
// program said of its environment.
func (c *collector) run(ctx context.Context, command ...string) (string, error) {
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	overflow := false
	stop := func() { overflow = true; cancel() }
	stdout := &bounded{most: maxOutput, full: stop}
	stderr := &bounded{most: maxOutput, full: stop}
	err := c.executor.Exec(timed, command, stdout, stderr)
	switch {
	case overflow:
		return "", fmt.Errorf("%s printed more than %d KiB", command[0], maxOutput>>10)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(timed.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("no answer in %s", c.timeout.Round(time.Millisecond))
	case err == nil:
		return stdout.String(), nil
	}
	var exit *ExitError
	said := complaint(stderr.String())
	if absent(err.Error()) || errors.As(err, &exit) && (exit.Code == 126 || exit.Code == 127) {
		return "", fmt.Errorf("%s: %w", command[0], errNoProgram)
	}
	if exit != nil && said != "" {
		return stdout.String(), fmt.Errorf("%s (%w)", said, exit)
	}
	return stdout.String(), err
}

// absent knows how container runtimes say that there is no such program; they give no code of
// their own for it.
func absent(message string) bool {
	return strings.Contains(message, "executable file not found") ||
		strings.Contains(message, "exec") && strings.Contains(message, "no such file or directory")
}

// complaint is the first line that a program wrote about itself. A JVM begins with the values of
// its variables, which may be secrets.
func complaint(stderr string) string {
	const most = 120
	for line := range strings.Lines(stderr) {
		line = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, strings.TrimSpace(line))
		if line == "" || strings.HasPrefix(line, "Picked up ") {
			continue
		}
		if runes := []rune(line); len(runes) > most {
			line = string(runes[:most]) + "…"
		}
		return line
	}
	return ""
}
