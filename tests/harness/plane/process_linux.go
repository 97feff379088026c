package plane

import "syscall"

// attributes gives a child its own process group and ends it with the process that started
// it, even when that is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
