//go:build linux

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// processors are shared out: some for the server that is measured, the others for whatever
// asks it, the API server among them.
type processors struct {
	count          int // of the server
	server, others unix.CPUSet
}

// shareOut gives the server so many processors, if that leaves one, and moves this process to the others; what it
// starts from then on stays there.
func shareOut(all unix.CPUSet, count int) (processors, error) {
	if all.Count() < 2 {
		return processors{}, errors.New("the webhook is measured on two processors, its own and that of who asks it")
	}
	p := processors{count: min(count, all.Count()-1)}
	for cpu, left := 0, all.Count(); left > 0; cpu++ {
		if !all.IsSet(cpu) {
			continue
		}
		if left--; left < p.count {
			p.server.Set(cpu)
		} else {
			p.others.Set(cpu)
		}
	}
	runtime.GOMAXPROCS(p.others.Count())
	// A thread that another starts meanwhile is met the second time.
	for range 2 {
		threads, err := filepath.Glob("/proc/self/task/*")
		if err != nil {
			return processors{}, err
		}
		for _, thread := range threads {
			id, err := strconv.Atoi(filepath.Base(thread))
			if err != nil {
				return processors{}, err
			}
			if err := unix.SchedSetaffinity(id, &p.others); err != nil && !errors.Is(err, unix.ESRCH) {
				return processors{}, fmt.Errorf("move to other processors: %w", err)
			}
		}
	}
	return p, nil
}

// start starts a program on the server's processor: it inherits that from the thread.
func (p processors) start(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.SchedSetaffinity(0, &p.server); err != nil {
		return fmt.Errorf("move to the server's processor: %w", err)
	}
	err := cmd.Start()
	return errors.Join(err, unix.SchedSetaffinity(0, &p.others))
}
