package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/process"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

// tools are the programs that are measured.
type tools struct {
	headroom, conftest, kubeScore, kyverno string
}

// program is one program and how it is told to judge files.
type program struct {
	name string
	args []string
	dir  string // where it runs, "" for here
}

func (p program) in(dir string) program {
	p.dir = dir
	return p
}

// measured are the runs of one program.
type measured struct {
	wall, cpu []time.Duration
	rss       int64 // largest of the runs, bytes
}

func (m *measured) bestWall() time.Duration { return slices.Min(m.wall) }

func (m *measured) medianWall() time.Duration {
	sorted := slices.Sorted(slices.Values(m.wall))
	return sorted[len(sorted)/2]
}

func (m *measured) bestCPU() time.Duration { return slices.Min(m.cpu) }

// alternate runs the programs in turn, so that they share what disturbs them.
func alternate(rounds int, programs []program) ([]measured, error) {
	results := make([]measured, len(programs))
	for range rounds {
		for i, p := range programs {
			if err := p.run(&results[i]); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// run starts the program once. It may find fault with the manifests: exit code 1.
func (p program) run(m *measured) error {
	cmd := exec.Command(p.args[0], p.args[1:]...) //nolint:gosec // the programs of the command line
	cmd.Dir = p.dir
	var stderr bytes.Buffer
	var printed process.Counter
	cmd.Stdout, cmd.Stderr = &printed, &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && printed > 0 {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", p.name, err, stderr.Bytes())
	}
	m.wall = append(m.wall, wall)
	m.cpu = append(m.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.rss = max(m.rss, usage.Maxrss*rssUnit())
	}
	return nil
}

// rssUnit is the unit of ru_maxrss: KiB, but bytes on macOS.
func rssUnit() int64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1 << 10
}

// processes is a table of programs.
type processes struct{ report.Table }

func processTable(title string) *processes {
	return &processes{report.Table{Title: title, Head: []string{"", "wall best", "wall median", "CPU best", "peak RSS", "at most", "best is"}}}
}

func (t *processes) add(name string, m *measured, promise, is string) {
	t.Rows = append(t.Rows, []string{
		name, report.Milliseconds(m.bestWall()), report.Milliseconds(m.medianWall()), report.Milliseconds(m.bestCPU()), report.Megabytes(m.rss), promise, is,
	})
}
