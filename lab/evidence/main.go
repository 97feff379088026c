// Command evidence writes docs/why.md: the facts that the rules rest on, beside what the models say
// and what was measured. The measurements are of a real kernel, of real JVMs
// (tests/system/kernel/evidence.json) and of real servers (servers.json beside it, of lab/servers).
// With -check it writes nothing and fails when the page is not what it would write.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const (
	page     = "docs/why.md"
	measured = "tests/system/kernel/evidence.json"
	served   = "tests/system/kernel/servers.json"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail when "+page+" would change")
	flag.Parse()
	lab.Main("evidence", func(ctx context.Context) error { return run(ctx, *check) })
}

func run(ctx context.Context, check bool) error {
	seen, err := record.Read(measured)
	if err != nil {
		return err
	}
	real, err := record.ReadServers(served)
	if err != nil {
		return err
	}
	text, err := write(ctx, seen, real)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(page, text, 0o644)
	}
	before, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, text) {
		return errors.New(page + " is not what its models, " + measured + " and " + served + " give; run `go run -C lab ./evidence`")
	}
	return nil
}

// write gives the whole page.
func write(ctx context.Context, seen *record.Evidence, real *record.Servers) ([]byte, error) {
	known, err := readFacts()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return nil, err
	}
	beside, err := judgeServers(ctx, e, real)
	if err != nil {
		return nil, err
	}
	p := &document{}
	p.text(opening)
	p.summary(seen, beside)
	p.quota(known)
	p.burst(known)
	p.timeline(known)
	p.average(known)
	p.raise()
	p.shorter()
	p.workers(known)
	if err := p.pools(ctx); err != nil {
		return nil, err
	}
	p.kernel(seen)
	p.collections(seen)
	if err := p.memory(ctx, e, known, seen, beside); err != nil {
		return nil, err
	}
	measured, err := readRuntimes()
	if err != nil {
		return nil, err
	}
	if err := p.runtimes(ctx, e, measured); err != nil {
		return nil, err
	}
	p.missing(seen)
	return p.out.Bytes(), p.err
}
