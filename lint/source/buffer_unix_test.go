//go:build unix

package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a shell hands on, as in "headroom lint <(helm template …)", is a pipe: it is looked at several times, and read once.
func TestPipesAreReadOnce(t *testing.T) {
	tree(t, map[string]string{"file.yaml": pod("file")})
	if err := syscall.Mkfifo("pipe.yaml", 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile("pipe.yaml", []byte(pod("pipe")), 0o600) }() // it waits for the reader
	paths := []string{"-", "file.yaml", "pipe.yaml"}
	opts := Options{Stdin: strings.NewReader(pod("input"))}
	if err := opts.Buffer(t.Context(), paths); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		files, problems := Files(paths, opts)
		var got []string
		for _, file := range files {
			got = append(got, describe(Load(file, opts)))
		}
		if want := "file.yaml:1: Pod pipe.yaml:1: Pod stdin:1: Pod"; strings.Join(got, " ") != want || len(problems) > 0 {
			t.Errorf("%s %v, not %s", got, problems, want)
		}
	}
	if err := opts.Buffer(t.Context(), paths); err != nil || len(opts.buffered) != 2 {
		t.Errorf("once more: %v, %d", err, len(opts.buffered))
	}
}

// Ctrl-C ends a command that waits for standard input.
func TestAWaitForInputEndsWithTheContext(t *testing.T) {
	waits, writer := io.Pipe()
	defer func() { _ = writer.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	opts := Options{Stdin: waits}
	if err := opts.Buffer(ctx, []string{"-"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// So does one that waits for a pipe without a writer, and for what the kernel will say.
func TestAWaitForAPipeEndsWithTheContext(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	opts := Options{}
	if err := opts.Buffer(ctx, []string{pipe}); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), pipe) {
		t.Errorf("%v", err)
	}
}

// A file of /proc has no size and is read as a pipe is: /proc/kmsg waits for the kernel.
func TestDevicesAndFilesWithoutASize(t *testing.T) {
	opts := Options{AllowEmpty: true}
	for path, want := range map[string]string{
		"/dev/zero": "is a device, and no manifest", "/dev/null": "", "/proc/self/status": "",
	} {
		if err := opts.Buffer(t.Context(), []string{path}); err != nil {
			t.Error(err)
		}
		_, err := Read(File{Name: path, path: path}, opts)
		if _, err := os.Stat(path); err != nil {
			continue // macOS has no /proc
		}
		if got := fmt.Sprint(err); (want != "" || err != nil) && got != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
		if _, kept := opts.buffered[path]; kept != (want == "") {
			t.Errorf("%s: kept %v", path, kept)
		}
	}
}
