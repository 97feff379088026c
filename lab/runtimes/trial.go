package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// trial is a program that is started under limits, and what is read of it.
type trial struct {
	record.Runtime // without the value
	command        []string
	environment    []string
	// read gives the value while the program runs; nil is the last number that it prints before it ends.
	read func(context.Context, *running) (float64, error)
}

type running struct {
	group *cgroup.Group
	pid   int
}

const patience = 2 * time.Minute

func (t *trial) run(ctx context.Context) (seen record.Runtime, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	limits := cgroup.Limits{Memory: int64(t.MemoryMiB) << 20}
	if t.MilliCPU > 0 {
		limits.Period = 100 * time.Millisecond
		limits.Quota = time.Duration(t.MilliCPU) * limits.Period / 1000
	}
	group, err := cgroup.New(limits)
	if err != nil {
		return seen, err
	}
	defer group.Close()
	command := group.Command(ctx, t.command...)
	command.Env = append(os.Environ(), t.environment...)
	var said, failed bytes.Buffer
	command.Stdout, command.Stderr = &said, &failed
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return seen, err
	}
	seen = t.Runtime
	if t.read != nil {
		time.Sleep(3 * time.Second) // until all threads and workers are there
		seen.Value, err = t.read(ctx, &running{group, command.Process.Pid})
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	} else {
		err = command.Wait()
		if kills, counted := group.Kills(); t.Unit == "kills" && counted == nil {
			seen.Value, err = float64(kills), nil
		} else if err == nil {
			seen.Value, err = lastNumber(said.String())
		}
	}
	if err != nil {
		return seen, fmt.Errorf("%s: %w\n%s", strings.Join(t.command, " "), err, failed.String())
	}
	fmt.Fprintf(os.Stderr, "%s %s %s: %s %g %s\n", t.Fact, t.Program, t.Version, t.What, seen.Value, t.Unit)
	return seen, nil
}

func lastNumber(text string) (float64, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0, fmt.Errorf("it printed nothing")
	}
	return strconv.ParseFloat(words[len(words)-1], 64)
}

// all runs trials one after the other.
func all(ctx context.Context, trials []trial) ([]record.Runtime, error) {
	var seen []record.Runtime
	for i := range trials {
		one, err := trials[i].run(ctx)
		if err != nil {
			return nil, err
		}
		seen = append(seen, one)
	}
	return seen, nil
}

// family are a process and those that it started, and theirs.
func family(pid int) ([]int, error) {
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		file, err := os.Open(fmt.Sprintf("/proc/%d/task/%d/children", all[i], all[i]))
		if err != nil {
			return nil, err
		}
		scanner := bufio.NewScanner(file)
		scanner.Split(bufio.ScanWords)
		for scanner.Scan() {
			child, err := strconv.Atoi(scanner.Text())
			if err != nil {
				return nil, err
			}
			all = append(all, child)
		}
		_ = file.Close()
	}
	return all, nil
}

// children counts the processes that a program has started.
func children(_ context.Context, r *running) (float64, error) {
	pids, err := family(r.pid)
	return float64(len(pids) - 1), err
}

// threads counts those of a program and of all that it has started.
func threads(_ context.Context, r *running) (float64, error) {
	pids, err := family(r.pid)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, pid := range pids {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		if err != nil {
			return 0, err
		}
		count += len(tasks)
	}
	return float64(count), nil
}

// versionOf is the first thing like a version that a program prints.
func versionOf(ctx context.Context, command ...string) (string, error) {
	out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput() //nolint:gosec // this package's trials
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	for _, word := range strings.FieldsFunc(string(out), func(r rune) bool { return strings.ContainsRune(" \n\t(),=/-", r) }) {
		if word = strings.TrimPrefix(word, "v"); strings.Count(word, ".") > 0 && word[0] >= '0' && word[0] <= '9' {
			return strings.TrimRight(word, "."), nil
		}
	}
	return strings.TrimSpace(string(out)), nil
}
