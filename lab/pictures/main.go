// Command pictures makes the pictures of the README: what headroom prints in a terminal, and its
// HTML report, each as a real browser shows it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/chromium"
)

const (
	sample = "samples/wrong/article-service.yaml"
	// mostBytes keeps the repository small: a picture is read with every visit of the README.
	mostBytes = 200_000
)

// picture is a page and the part of it that is shown; height 0 is all of it.
type picture struct {
	file          string
	page          []byte
	width, height int
}

func main() {
	headroom := flag.String("headroom", "bin/headroom", "`PROGRAM` whose output is shown")
	browser := flag.String("browser", ".tools/browser/chromium", "Chromium that shows it")
	folder := flag.String("o", "docs/pictures", "`FOLDER` of the pictures")
	flag.Parse()
	lab.Main("pictures", func(ctx context.Context) error { return run(ctx, *headroom, *browser, *folder) })
}

func run(ctx context.Context, headroom, program, folder string) (err error) {
	text, err := lab.Output(ctx, headroom, "lint", sample, "--color", "always", "--fail-on", "never")
	if err != nil {
		return err
	}
	report, err := lab.Output(ctx, headroom, "lint", "samples", "-o", "html", "--fail-on", "never")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "headroom-pictures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	browser, err := chromium.Start(ctx, program, "--hide-scrollbars", "--disable-lcd-text")
	if err != nil {
		return fmt.Errorf("start %s, which `make browser` finds or installs: %w", program, err)
	}
	defer func() { err = errors.Join(err, browser.Close()) }()
	for _, p := range []picture{
		{"terminal.png", terminal("headroom lint "+sample, []byte(text)), 960, 0},
		{"report.png", []byte(report), 1100, 860},
	} {
		if err := take(browser, p, work, folder); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
	}
	return nil
}

// take writes the picture of a page.
func take(browser *chromium.Browser, p picture, work, folder string) error {
	file := filepath.Join(work, p.file+".html")
	if err := os.WriteFile(file, p.page, 0o600); err != nil {
		return err
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	if p.height == 0 {
		page, err := browser.Open(address, p.width, 100, true)
		if err != nil {
			return err
		}
		if err := page.Eval("document.documentElement.scrollHeight", &p.height); err != nil {
			return err
		}
	}
	page, err := browser.Open(address, p.width, p.height, false)
	if err != nil {
		return err
	}
	shot, err := page.Screenshot()
	if err != nil {
		return err
	}
	if len(shot) > mostBytes {
		if shot, err = smaller(shot); err != nil {
			return err
		}
	}
	if len(shot) > mostBytes {
		return fmt.Errorf("%d bytes, more than %d", len(shot), mostBytes)
	}
	return os.WriteFile(filepath.Join(folder, p.file), shot, 0o644)
}
