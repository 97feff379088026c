package engines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

// printed is what a program wrote to its standard output. Programs that judge exit with a
// code of their own when they find something; every other code is an error.
func printed(ctx context.Context, found []int, program string, arguments ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // the programs of the tests
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Env = append(os.Environ(), "GOGC=400") // collecting garbage takes a third of their time
	err := command.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) && slices.Contains(found, failed.ExitCode()) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%.4000s%.4000s", program, err, stderr.Bytes(), stdout.Bytes())
	}
	return stdout.Bytes(), nil
}
