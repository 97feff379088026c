// Package cage runs a process as a container runtime would, as far as a diagnosis sees it. The
// process is under a memory and a CPU limit in cgroups of its own (v1), with its own processes, its
// own /tmp and its own /sys/fs/cgroup. It needs root on a machine with cgroup v1.
package cage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
)

// Limits of a cage; 0 sets none.
type Limits struct {
	MemoryBytes int64
	MilliCPU    int64
}

// Cage is a running process with its limits.
type Cage struct {
	// Environment is what commands run with, as those of a container have its variables.
	Environment []string

	said        bytes.Buffer
	ended       chan struct{}
	memory, cpu string // the cgroups
	command     *exec.Cmd
	pid         int // of the first process, as this machine counts
}

var serial atomic.Int64

// enter moves the shell into the cgroups of its first two arguments and becomes the rest.
const enter = `echo $$ >"$1/cgroup.procs" && echo $$ >"$2/cgroup.procs" && shift 2 && exec "$@"`

// furnish gives the namespace what a container has, and becomes the command. The working folder
// is kept at /mnt, since /tmp is to be new, and the program's folder where it was, if that is below /tmp.
const furnish = `mount -t proc proc /proc && mount --bind . /mnt && cd /mnt && kept=$1 && shift &&
	{ [ -z "$kept" ] || mount --bind "$kept" /srv; } && mount -t tmpfs tmpfs /tmp &&
	{ [ -z "$kept" ] || { mkdir -p "$kept" && mount --move /srv "$kept"; }; } &&
	for c in cpu memory; do
		d=$1; shift; mkdir -p /tmp/.$c && mount --bind "$d" /tmp/.$c
	done &&
	mount -t tmpfs tmpfs /sys/fs/cgroup && mkdir /sys/fs/cgroup/cpu /sys/fs/cgroup/memory &&
	mount --move /tmp/.cpu /sys/fs/cgroup/cpu && mount --move /tmp/.memory /sys/fs/cgroup/memory &&
	rmdir /tmp/.cpu /tmp/.memory && exec "$@"`

// Start starts a command in a cage, in a working folder. The error says what the machine refused.
func Start(dir string, limits Limits, environment []string, command ...string) (c *Cage, err error) {
	c = &Cage{Environment: environment}
	defer func() {
		if err != nil {
			c.Close()
			c = nil
		}
	}()
	name := fmt.Sprintf("headroom-cage-%d-%d", os.Getpid(), serial.Add(1))
	if c.memory, err = group("memory", name); err != nil {
		return c, err
	}
	if c.cpu, err = group("cpu", name); err != nil {
		return c, err
	}
	if err := c.limit(limits); err != nil {
		return c, err
	}
	arguments := []string{
		"-c", enter, "sh", c.memory, c.cpu,
		"unshare", "--mount", "--pid", "--fork", "--kill-child", "--", "sh", "-c", furnish, "sh", hidden(command[0]), c.cpu, c.memory,
	}
	c.command = exec.Command("sh", append(arguments, command...)...) //nolint:gosec // the tests' own
	c.command.Dir, c.command.Env = dir, environment
	c.command.Stdout, c.command.Stderr = &c.said, &c.said
	// Whatever is left in the cage may hold our end of its output.
	c.command.WaitDelay = 2 * time.Second
	if err := c.command.Start(); err != nil {
		return c, err
	}
	c.ended = make(chan struct{})
	go func() {
		defer close(c.ended)
		_ = c.command.Wait()
	}()
	for c.Running() {
		if c.pid, err = c.first(); err == nil {
			return c, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return c, fmt.Errorf("start %s: it ended: %s", command[0], c.Said())
}

// hidden is the folder of a program that a new /tmp would hide: what bin/java is in. "" if it would hide none.
func hidden(program string) string {
	if !strings.HasPrefix(program, "/tmp/") {
		return ""
	}
	return filepath.Dir(filepath.Dir(program))
}

// Running says whether the first process still runs.
func (c *Cage) Running() bool {
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// Said is the output of the first process, once it has ended.
func (c *Cage) Said() string {
	<-c.ended
	return c.said.String()
}

// first is the cage's first process, once it has become the command.
func (c *Cage) first() (int, error) {
	id := strconv.Itoa(c.command.Process.Pid)
	children, err := os.ReadFile(filepath.Join("/proc", id, "task", id, "children"))
	if err != nil {
		return 0, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(children)))
	if err != nil {
		return 0, errors.New("it has no process yet")
	}
	// Until it is the command it is unshare, and then the shell that furnishes: both have the script among
	// their words.
	words, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	if err == nil && (len(words) == 0 || bytes.Contains(words, []byte(furnish))) {
		err = errors.New("it is not furnished yet")
	}
	return pid, err
}

// group makes a cgroup below this process's own.
func group(controller, name string) (string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		for _, known := range strings.Split(fields[1], ",") {
			if known == controller {
				dir := filepath.Join("/sys/fs/cgroup", fields[1], fields[2], name)
				return dir, os.Mkdir(dir, 0o755)
			}
		}
	}
	return "", fmt.Errorf("this machine has no cgroup v1 controller %s", controller)
}

func (c *Cage) limit(limits Limits) error {
	const period = 100_000 // µs, the kernel's default (T1)
	for file, value := range map[string]int64{
		filepath.Join(c.memory, "memory.limit_in_bytes"): limits.MemoryBytes,
		filepath.Join(c.cpu, "cpu.cfs_quota_us"):         limits.MilliCPU * period / 1000,
	} {
		if value == 0 {
			continue
		}
		if err := os.WriteFile(file, []byte(strconv.FormatInt(value, 10)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Exec runs a command beside the first process, as a container runtime's exec does.
func (c *Cage) Exec(ctx context.Context, command []string, stdout, stderr io.Writer) error {
	arguments := append([]string{
		"-c", enter, "sh", c.memory, c.cpu,
		"nsenter", "--mount", "--pid", "--target", strconv.Itoa(c.pid), "--",
	}, command...)
	cmd := exec.CommandContext(ctx, "sh", arguments...) //nolint:gosec // the tests' own
	cmd.Env, cmd.Stdout, cmd.Stderr = c.Environment, stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Minute // a busy machine may read the output late
	err := cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() > 0 {
		return &collect.ExitError{Code: ended.ExitCode()}
	}
	return err
}

// Close ends everything in the cage and removes it.
func (c *Cage) Close() {
	if c.ended != nil {
		_ = c.command.Process.Kill()
		<-c.ended
	}
	for _, dir := range []string{c.memory, c.cpu} {
		for range 100 {
			// A cgroup can be removed when the kernel has done with its last process.
			if dir == "" || os.Remove(dir) == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}
