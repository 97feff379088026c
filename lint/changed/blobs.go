package changed

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// errTooLarge is of a file that the linter does not judge either.
var errTooLarge = fmt.Errorf("more than %d bytes", maxBlobBytes)

// blobs reads what files were from one run of git.
type blobs struct {
	in   io.WriteCloser
	out  *bufio.Reader
	said *tail
	wait func() error
	stop context.CancelFunc
	ctx  context.Context //nolint:containedctx // of the run of git, which it ends
}

func (g git) blobs(ctx context.Context) (*blobs, error) {
	running, stop := context.WithCancel(ctx)
	b := &blobs{stop: stop, ctx: ctx}
	if err := b.start(running, g); err != nil {
		stop()
		return nil, err
	}
	return b, nil
}

func (b *blobs) start(ctx context.Context, g git) error {
	c, said, err := g.command(ctx, "cat-file", "--batch")
	if err != nil {
		return err
	}
	in, err := c.StdinPipe()
	if err != nil {
		return fmt.Errorf("run git: %w", err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return fmt.Errorf("run git: %w", err)
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("run git: %w", err)
	}
	b.in, b.out, b.said, b.wait = in, bufio.NewReaderSize(out, 64<<10), said, sync.OnceValue(c.Wait)
	return nil
}

// read gives the content of a file.
func (b *blobs) read(id string) ([]byte, error) {
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return nil, b.failed(err)
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, b.failed(err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, fmt.Errorf("git does not have %s: %s", id, strings.TrimSpace(head))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("git printed %q, which is not known", strings.TrimSpace(head))
	}
	if size > maxBlobBytes {
		// The next answer stands behind it.
		if _, err := io.CopyN(io.Discard, b.out, size+1); err != nil {
			return nil, b.failed(err)
		}
		return nil, errTooLarge
	}
	var text bytes.Buffer
	if _, err := io.CopyN(&text, b.out, size); err != nil {
		return nil, b.failed(err)
	}
	if _, err := b.out.Discard(1); err != nil {
		return nil, b.failed(err)
	}
	return text.Bytes(), nil
}

func (b *blobs) failed(err error) error {
	if b.ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", b.ctx.Err())
	}
	// git has ended: once Wait returns, all of its output is there.
	_ = b.in.Close()
	_ = b.wait() // what it said tells more
	if said := b.said.line(); said != "" {
		return failure{said: said}
	}
	return fmt.Errorf("run git: %w", err)
}

func (b *blobs) close() {
	b.stop() // git may wait for its output to be read
	_ = b.in.Close()
	_ = b.wait() // all that was wanted of it has been read
}
