// Command evidence writes docs/why.md: the facts that the rules rest on, beside what the models
// say and beside what was measured on a real kernel, on real JVMs (tests/system/kernel/evidence.json)
// and on real servers (servers.json beside it, of tools/servers).
// Run it from the repository root. With -check it writes nothing and fails when the page is not
// what it would write.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

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
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	seen, err := record.Read(measured)
	if err != nil {
		return err
	}
	real, err := record.ReadServers(served)
	if err != nil {
		return err
	}
	text, err := write(seen, real)
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
		return errors.New(page + " is not what its models, " + measured + " and " + served + " give; run go run ./tools/evidence")
	}
	return nil
}

// write gives the whole page.
func write(seen *record.Evidence, real *record.Servers) ([]byte, error) {
	known, err := readFacts()
	if err != nil {
		return nil, err
	}
	e, err := engine.New(context.Background(), engine.Options{})
	if err != nil {
		return nil, err
	}
	beside, err := judgeServers(context.Background(), e, real)
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
	if err := p.pools(context.Background()); err != nil {
		return nil, err
	}
	p.kernel(seen)
	p.collections(seen)
	if err := p.memory(context.Background(), e, known, seen, beside); err != nil {
		return nil, err
	}
	measured, err := readRuntimes()
	if err != nil {
		return nil, err
	}
	if err := p.runtimes(context.Background(), e, measured); err != nil {
		return nil, err
	}
	p.missing(seen)
	return p.out.Bytes(), p.err
}
