//go:build !linux

package confined

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// limitMemory does nothing where no limit holds for memory that is mapped: watchMemory ends the process.
func limitMemory(uint64) {}

// endWithParent needs nothing: a process whose input ends leaves, and its time is bounded.
func endWithParent(*exec.Cmd) {}

// Become runs a program for this one, for as long as a Worker has, and gives its exit code.
func Become(program string, arguments []string) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), MaxTime)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
