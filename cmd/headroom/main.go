// Command headroom gives Kubernetes workloads the CPU and memory headroom they need.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// Exit codes, the same for every command.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2
)

// Garbage collection settings. Compiling the policies makes garbage once, most of which
// dies with the process: collecting it would be a third of a short run. Afterwards the
// heap may grow to five times what is alive; the soft limit bounds both.
const (
	gcPercent       = 400
	softMemoryBytes = 220 << 20
)

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(softMemoryBytes)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it, also where a read waits for ever
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// exitError carries the exit code of a command that has said all there is to say.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func run(ctx context.Context, args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var code exitError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &code):
		return int(code)
	default:
		fmt.Fprintln(os.Stderr, "headroom:", err)
		return exitFailed
	}
}
