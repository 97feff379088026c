// Command headroom gives Kubernetes workloads the CPU and memory headroom they need.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/confined"
	"github.com/headroom-dev/headroom/internal/handover"
	"github.com/headroom-dev/headroom/internal/memorylimit"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/uncollected"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/settings"
)

// Exit codes, the same for every command; 130 after Ctrl-C, as shells have it.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2
)

// Garbage collection settings. Compiling the policies makes garbage once, most of which
// dies with the process: collecting it would be a third of a short run. Afterwards the
// heap may grow to five times what is alive; the soft limit bounds both. It is never so near to
// what is alive that the process only collects garbage.
const (
	gcPercent       = 400
	softMemoryBytes = uncollected.MemoryBytes
	// An audit goes on for long enough to touch most of the program's own pages, 90 MiB of them.
	auditMemoryBytes = 112 << 20
	limitPeriod      = 50 * time.Millisecond
)

// softMemory is the soft limit of little that is alive, in bytes.
var softMemory atomic.Int64

// followHeap lets the soft limit grow with what is alive, until a command sets one of its own.
func followHeap() {
	limit := int64(softMemoryBytes)
	for range time.Tick(limitPeriod) {
		if debug.SetMemoryLimit(-1) != limit {
			return
		}
		alive := memorylimit.Alive()
		refuseTooMuch(alive, os.Stderr, os.Exit)
		limit = memorylimit.Heap{Most: mostHeap(alive), Small: softMemory.Load()}.For(alive, false)
		debug.SetMemoryLimit(limit)
	}
}

func main() {
	begin()
	softMemory.Store(softMemoryBytes)
	go followHeap()
	os.Exit(run(untilSignal(), os.Args[1:]))
}

// interrupted is the end of a context by a signal. Shells take 128 and its number for a command that a signal ended.
type interrupted struct{ by syscall.Signal }

func (i interrupted) Error() string { return "stopped by the signal " + i.by.String() }

// Is makes it what libraries expect of a context that has ended.
func (i interrupted) Is(err error) bool { return err == context.Canceled }

// untilSignal is a context that ends with Ctrl-C or SIGTERM. A second one ends the process, whatever it waits for.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		by, _ := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		cancel(interrupted{by})
	}()
	return ctx
}

// exitCodeOf is what a command exits with that failed, perhaps as a signal stopped it.
func exitCodeOf(ctx context.Context, code int) int {
	if stopped := (interrupted{}); code == exitFailed && errors.As(context.Cause(ctx), &stopped) {
		return 128 + int(stopped.by)
	}
	return code
}

// exitError carries the exit code of a command that has already printed its messages.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func run(ctx context.Context, args []string) int {
	root := rootCommand()
	root.SetArgs(args)
	if !here(root, args) {
		return handOver(os.Stderr)
	}
	return execute(ctx, root)
}

// execute runs a command, and says why it failed.
func execute(ctx context.Context, root *cobra.Command) int {
	err := root.ExecuteContext(ctx)
	var code exitError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &code):
		return exitCodeOf(ctx, int(code))
	case errors.Is(err, handover.ErrFull), errors.Is(err, settings.ErrUntold):
		return handOver(root.ErrOrStderr())
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		_, _ = fmt.Fprintln(root.ErrOrStderr(), "headroom:", context.Cause(ctx))
		return exitCodeOf(ctx, exitFailed)
	default:
		said := words.WithoutGo(err.Error()) + meantCommand(root, err)
		_, _ = fmt.Fprintln(root.ErrOrStderr(), "headroom:", terminal.Lines(said))
		return exitCodeOf(ctx, exitFailed)
	}
}

// refuseHandover ends a program that another one started by mistake. Where that one wants charts rendered, it tells why.
func refuseHandover(err error) {
	if os.Args[len(os.Args)-1] == source.RenderCommand {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(confined.ExitRefused)
	}
	fmt.Fprintln(os.Stderr, "headroom:", terminal.Lines(err.Error()))
	os.Exit(exitFailed)
}

// handOver has the full program do what was asked of this one. It comes back with an exit code.
func handOver(said io.Writer) int {
	code, err := handover.To(versionString())
	if err != nil {
		_, _ = fmt.Fprintln(said, "headroom:", terminal.Lines(err.Error()))
		return exitFailed
	}
	return code
}
