// Package lab is what the programs of this module share.
package lab

import (
	"context"
	"fmt"
	"os"
	"os/signal"
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
