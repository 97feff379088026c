package hostile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// commands are how headroom is asked that reads trees, and built how of a tree with a kustomization.
var (
	commands = map[string][]string{
		"lint": {"lint", ".", "--no-progress", "-o", "json"}, "fix": {"fix", "."}, "init": {"init"},
		"images lock": {"images", "lock", ".", "--offline"},
	}
	built = map[string][]string{
		"lint": {"lint", ".", "--kustomize", ".", "--no-progress"}, "fix": {"fix", "--kustomize", "."},
		"images lock": {"images", "lock", "--kustomize", ".", "--offline"}, "init": {"init"},
	}
)

// Commands are those of headroom that read trees, sorted.
func Commands() []string { return slices.Sorted(maps.Keys(commands)) }

// Found is what a tree took.
type Found struct {
	Peak int64 // bytes, of the process and those that it starts, together
	Time time.Duration
	Code int
	Said string // the first problem, or the end of what it said
	Size int64  // bytes of its output
}

// Judge lays out a tree in a folder and has a command of a binary read it.
func Judge(ctx context.Context, binary, command, tree, dir string) (Found, error) {
	files := Trees()[tree]
	arguments := commands[command]
	if _, is := files["kustomization.yaml"]; is {
		arguments = built[command]
	}
	if err := lay(dir, files); err != nil {
		return Found{}, err
	}
	process := exec.CommandContext(ctx, binary, arguments...)
	process.Dir = dir
	process.Env = append(os.Environ(), "GOGC=") // what it takes of memory is its own choice
	out := &said{}
	process.Stdout, process.Stderr = out, out
	begin := time.Now()
	if err := process.Start(); err != nil {
		return Found{}, err
	}
	ended := make(chan struct{})
	most := make(chan int64)
	go func() { most <- peak(process.Process.Pid, ended) }()
	err := process.Wait()
	close(ended)
	found := Found{Peak: <-most, Time: time.Since(begin), Code: process.ProcessState.ExitCode(), Said: out.problem(), Size: out.size}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return found, err
	}
	return found, ctx.Err()
}

func lay(dir string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// peak looks at the memory of a process and its children until it has ended.
func peak(pid int, ended <-chan struct{}) (most int64) {
	for ticks := time.Tick(20 * time.Millisecond); ; {
		most = max(most, memory(pid))
		select {
		case <-ended:
			return most
		case <-ticks:
		}
	}
}

// memory counts pages that processes share once. It is 0 of one that has ended.
func memory(pid int) (bytes int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	for line := range strings.Lines(string(text)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "Pss: %d kB", &kib); n == 1 {
			bytes += kib << 10
		}
	}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for child := range strings.FieldsSeq(string(text)) {
			var below int
			if _, err := fmt.Sscan(child, &below); err == nil {
				bytes += memory(below)
			}
		}
	}
	return bytes
}

// said keeps the beginning and the end of an output, and counts the rest.
type said struct {
	size       int64
	begin, end []byte
}

const kept = 1 << 16

func (s *said) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	s.begin = append(s.begin, p[:min(len(p), kept-len(s.begin))]...)
	s.end = append(s.end, p...)
	s.end = s.end[max(0, len(s.end)-kept):]
	return len(p), nil
}

// problem is the first one of a report, or what is said beside it, shortened.
func (s *said) problem() string {
	const long = 160
	_, told, _ := strings.Cut(string(s.begin)+"\n"+string(s.end), `"problems": [`)
	line := ""
	if _, message, ok := strings.Cut(told, `"message": "`); ok && !strings.HasPrefix(told, "]") {
		line, _, _ = strings.Cut(message, "\n")
	}
	for end := range strings.Lines(string(s.end)) {
		if strings.HasPrefix(end, "headroom: ") && line == "" {
			line = strings.TrimPrefix(end, "headroom: ")
		}
	}
	line = strings.Trim(strings.TrimSpace(line), `",`)
	return line[:min(len(line), long)]
}
