package changed

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// blobs reads what files were from one run of git.
type blobs struct {
	in   io.WriteCloser
	out  *bufio.Reader
	said *tail
	wait func() error
	ctx  context.Context //nolint:containedctx // of the run of git, which it ends
}

func (g git) blobs(ctx context.Context) (*blobs, error) {
	c, said, err := g.command(ctx, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	in, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	return &blobs{in: in, out: bufio.NewReaderSize(out, 64<<10), said: said, wait: c.Wait, ctx: ctx}, nil
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
	if err != nil || size > maxBlobBytes {
		return nil, fmt.Errorf("a file of %s bytes; at most %d are read", fields[2], maxBlobBytes)
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
	if said := b.said.line(); said != "" {
		return failure{said: said}
	}
	return fmt.Errorf("run git: %w", err)
}

func (b *blobs) close() {
	_ = b.in.Close()
	_ = b.wait() // all that was wanted of it has been read
}
