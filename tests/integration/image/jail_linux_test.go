//go:build integration

package image

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// jailVariable names the root of the jail to this program when it starts itself again.
	jailVariable = "HEADROOM_TEST_JAIL"
	jailUser     = 65532
	// jailFailed is the exit code when this machine allows no jail; execFailed when it
	// does, and the program does not start in it.
	jailFailed = 125
	execFailed = 126
)

// jailed is a command that runs in root as in a container: its own mounts, root read-only,
// user 65532, no capabilities. Where this process is not root, a user namespace allows it.
func jailed(command *exec.Cmd, root string) {
	command.Args = append([]string{os.Args[0]}, command.Args...)
	command.Path = "/proc/self/exe"
	command.Env = []string{jailVariable + "=" + root}
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		attr := command.SysProcAttr
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: jailUser, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: jailUser, HostID: os.Getgid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_CHROOT}
	}
}

// enterJail becomes the program that arguments name, or says why that is not possible.
func enterJail(root string, arguments []string) error {
	runtime.LockOSThread() // capabilities and NO_NEW_PRIVS are the thread's
	if err := unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount(root, root, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount root: %w", err)
	}
	var is unix.Statfs_t
	if err := unix.Statfs(root, &is); err != nil {
		return fmt.Errorf("look at mount: %w", err)
	}
	// A user namespace may not drop these from a mount; they have the same values in both.
	const kept = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOATIME | unix.MS_NODIRATIME
	flags := uintptr(is.Flags)&kept | unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY
	if err := unix.Mount("", root, "", flags, ""); err != nil {
		return fmt.Errorf("mount root read-only: %w", err)
	}
	if err := errors.Join(os.Chdir(root), unix.Chroot("."), os.Chdir("/")); err != nil {
		return fmt.Errorf("change root: %w", err)
	}
	if err := dropPrivileges(); err != nil {
		return fmt.Errorf("drop privileges: %w", err)
	}
	fmt.Fprintln(os.Stderr, "exec:", syscall.Exec(arguments[0], arguments, nil))
	os.Exit(execFailed)
	return nil
}

func dropPrivileges() error {
	if os.Geteuid() == 0 {
		err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(jailUser), syscall.Setuid(jailUser))
		if err != nil {
			return err
		}
	}
	return errors.Join(
		unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0),
		unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
}
