//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/process"
)

// often is how often a process is looked at: what it takes in the last moments before its end
// may be missed.
const often = 10 * time.Millisecond

// once is one run of a program.
type once struct {
	wall, cpu time.Duration
	peak      int64 // resident, bytes
	printed   int
	code      int
}

// measured runs a program to its end. The kernel counts the memory of the process that starts
// another towards the peak in its rusage, and this one is large; /proc does not.
func measured(ctx context.Context, name string, arguments ...string) (once, error) {
	command := exec.CommandContext(ctx, name, arguments...) //nolint:gosec // the program of the command line
	var stderr bytes.Buffer
	var printed process.Counter
	command.Stdout, command.Stderr = &printed, &stderr
	began := time.Now()
	if err := command.Start(); err != nil {
		return once{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	var o once
	for {
		select {
		case err := <-ended:
			o.wall, o.printed, o.code = time.Since(began), int(printed), command.ProcessState.ExitCode()
			o.cpu = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || o.code != 1) {
				return o, fmt.Errorf("%s: %w\n%s", strings.Join(arguments, " "), err, stderr.Bytes())
			}
			return o, nil
		case <-time.After(often):
			if peak, err := process.Memory(command.Process.Pid, "VmHWM"); err == nil {
				o.peak = peak
			}
		}
	}
}
