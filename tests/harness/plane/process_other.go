//go:build !linux

package plane

import "syscall"

// attributes gives a child its own process group; only Linux ends it with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
