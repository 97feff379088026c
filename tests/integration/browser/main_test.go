//go:build integration

// Package browser looks at the page of -o html in a real Chromium.
package browser

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/chromium"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var keep = flag.String("keep", "", "keep pages and pictures in this `FOLDER`")

// The browser that the tests share, and the file it is.
var (
	browser *chromium.Browser
	program string
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	file := repo.Path(".tools", "browser", "chromium")
	if _, err := os.Stat(file); err != nil {
		return 1, fmt.Errorf("no browser: make browser gives one (%w)", err)
	}
	var err error
	if browser, err = chromium.Start(context.Background(), file); err != nil {
		return 1, err
	}
	program = file
	code := m.Run()
	return code, browser.Close()
}

// folder is where a test puts its files: one that stays, where it is asked for.
func folder(t testing.TB) string {
	t.Helper()
	if *keep == "" {
		return t.TempDir()
	}
	if err := os.MkdirAll(*keep, 0o755); err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(*keep)
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}

// page writes a report as a page, and gives its address and size in bytes.
func page(t testing.TB, name string, r *report.Report) (address string, size int) {
	t.Helper()
	var text bytes.Buffer
	if err := render.Write(&text, "html", r, render.Options{}); err != nil {
		t.Fatal(err)
	}
	size = text.Len()
	file := filepath.Join(folder(t), name+".html")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + file, size
}

func open(t testing.TB, address string, width, height int, dark bool) *chromium.Page {
	t.Helper()
	p, err := browser.Open(address, width, height, dark)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
