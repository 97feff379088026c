package confined

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitMemory bounds the addresses that the process may have beyond those that it has, in bytes, with half as many for
// threads: programs that it starts inherit the limit. What is asked for at once is refused; watchMemory sees what comes
// by and by. RLIMIT_DATA refuses nothing where a program reserves addresses first, as Go's does (Linux 6.18).
func limitMemory(bytes uint64) {
	var pages uint64
	text, err := os.ReadFile("/proc/self/statm") // the first number is the size, in pages
	if err == nil {
		_, err = fmt.Sscan(string(text), &pages)
	}
	if err == nil {
		limit := pages*uint64(os.Getpagesize()) + bytes + bytes/2                //nolint:gosec // a page has a size above zero
		_ = unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}) // watchMemory is there as well
	}
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

func endWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// Become runs a program in place of this one, which ends with its parent and has no more time of a processor than a
// Worker has. It comes back only with an error.
func Become(program string, arguments []string) (int, error) {
	seconds := uint64(MaxTime.Seconds())
	if err := unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return 0, err
	}
	runtime.LockOSThread() // the signal belongs to a thread: another one would run the program without it
	parent := os.Getppid()
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return 0, err
	}
	if os.Getppid() != parent {
		return 1, nil // it has ended meanwhile
	}
	return 0, unix.Exec(program, append([]string{program}, arguments...), os.Environ())
}
