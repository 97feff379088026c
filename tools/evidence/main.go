// Command evidence writes docs/why.md: the facts that the rules rest on, beside what the models
// say and beside what was measured on a real kernel and on real JVMs (tests/system/kernel/evidence.json).
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

	"github.com/headroom-dev/headroom/tests/harness/record"
)

const (
	page     = "docs/why.md"
	measured = "tests/system/kernel/evidence.json"
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
	text, err := write(seen)
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
		return errors.New(page + " is not what its models and " + measured + " give; run go run ./tools/evidence")
	}
	return nil
}

// write gives the whole page.
func write(seen *record.Evidence) ([]byte, error) {
	known, err := readFacts()
	if err != nil {
		return nil, err
	}
	p := &document{}
	p.text(opening)
	p.summary(seen)
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
	if err := p.memory(context.Background(), known, seen); err != nil {
		return nil, err
	}
	p.missing(seen)
	return p.out.Bytes(), p.err
}
