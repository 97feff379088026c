// Package lab is what the programs of this module share.
package lab

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// Main runs a program in the repository's root, which `go run -C lab` leaves: every path that it takes is relative to
// the root. It ends the context with Ctrl-C, and the process, with exit code 1, where run fails.
func Main(name string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := os.Chdir(repo.Root())
	if err == nil {
		err = run(ctx)
	}
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Output is what a program prints on standard output; the error of one that fails says what it printed.
func Output(ctx context.Context, name string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, name, arguments...) //nolint:gosec // what is measured, and what it takes to measure it
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(command.Args, " "), err, out.String(), said.String())
	}
	return out.String(), nil
}
