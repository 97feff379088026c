//go:build !unix

package handover

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// strange knows of no owners here.
func strange(os.FileInfo, os.FileInfo) string { return "" }

// become waits for a program, whose exit code it gives. Ctrl-C reaches both; what to do then is for the program.
func become(program string, arguments []string) (int, error) {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	command := exec.Command(program) //nolint:gosec // the program beside this one
	command.Args = arguments
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
