//go:build unix

package handover

import (
	"os"
	"syscall"
)

// strange says why a program beside this one may be somebody else's: in a folder such as /tmp anybody puts one there.
func strange(program, own os.FileInfo) string {
	const others = 0o002 // may write
	his, known := program.Sys().(*syscall.Stat_t)
	ours, alsoKnown := own.Sys().(*syscall.Stat_t)
	switch {
	case !known || !alsoKnown:
		return ""
	case his.Uid != 0 && his.Uid != ours.Uid && int(his.Uid) != os.Getuid():
		return "belongs to another user than headroom does"
	case program.Mode()&others != 0 && own.Mode()&others == 0:
		return "may be written by any user"
	}
	return ""
}

// become comes back only with an error.
func become(program string, arguments []string) (int, error) {
	return 0, syscall.Exec(program, arguments, os.Environ()) //nolint:gosec // the program beside this one
}
