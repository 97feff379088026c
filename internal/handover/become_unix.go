//go:build unix

package handover

import (
	"os"
	"syscall"
)

// become comes back only with an error.
func become(program string, arguments []string) (int, error) {
	return 0, syscall.Exec(program, arguments, os.Environ()) //nolint:gosec // the program beside this one
}
