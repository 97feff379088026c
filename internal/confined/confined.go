// Package confined does work on what strangers wrote in a process of its own, which has bounds: memory, time, and an
// environment without the variables of this one. What goes beyond them ends that process, and nothing else.
package confined

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of one process, and of one answer.
const (
	MaxMemoryBytes = 256 << 20
	MaxTime        = 30 * time.Second
	maxAnswerBytes = 256 << 20
)

// ErrMemory and ErrTime say which bound was met.
var (
	ErrMemory = fmt.Errorf("it needs more than %d MiB of memory", MaxMemoryBytes>>20)
	ErrTime   = fmt.Errorf("it takes longer than %d s", MaxTime/time.Second)
)

// How the process ends that met the bound of memory, and one that answers no question and has said why.
const (
	exitMemory  = 77
	ExitRefused = 78
)

// Worker is such a process, started when it is first asked and again after it has ended. It answers one question at a
// time.
type Worker struct {
	// Arguments make the program serve; none is answered in this process by Do, without bounds.
	Arguments []string
	Program   func() (string, error) // that serves, nil for this one
	Do        func([]byte) []byte

	lock    sync.Mutex
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    *bytes.Buffer
}

// Ask hands over a question and waits for the answer.
func (w *Worker) Ask(ctx context.Context, question []byte) ([]byte, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.Arguments == nil {
		return w.Do(question), nil
	}
	if w.process == nil {
		if err := w.start(); err != nil {
			return nil, fmt.Errorf("start a process of its own for it: %w", err)
		}
	}
	bounded, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	process := w.process
	ended := context.AfterFunc(bounded, func() { _ = process.Process.Kill() }) // it may have ended by itself
	answer, err := w.exchange(question)
	if !ended() && err == nil {
		err = bounded.Err()
	}
	if err == nil {
		return answer, nil
	}
	return nil, w.ended(ctx, bounded)
}

func (w *Worker) exchange(question []byte) ([]byte, error) {
	if err := write(w.in, question); err != nil {
		return nil, err
	}
	return read(w.out)
}

// ended waits for a process that gives no answer, and says why it gave none.
func (w *Worker) ended(ctx, bounded context.Context) error {
	_ = w.process.Process.Kill() // it may be the answer that was too long
	err := w.process.Wait()
	w.process = nil
	exit := &exec.ExitError{}
	_ = errors.As(err, &exit) // the exit code of none is -1
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		return ErrTime
	case exit.ExitCode() == ExitRefused:
		return errors.New(strings.TrimSpace(w.said.String()))
	case exit.ExitCode() == exitMemory, metMemory(w.said.String()):
		return ErrMemory
	}
	return errors.New("the process that does it ended without an answer")
}

// metMemory tells by the words of Go's runtime that it was given no more memory. Where it does not say so, it starts no
// thread, or its collector reads address 0: that is no panic, as it would be of a program in Go.
func metMemory(said string) bool {
	return strings.HasPrefix(said, "SIGSEGV") || slices.ContainsFunc([]string{
		"out of memory", "cannot allocate memory", "pthread_create failed", "failed to create new OS thread",
	}, func(words string) bool { return strings.Contains(said, words) })
}

func (w *Worker) start() error {
	find := w.Program
	if find == nil {
		find = os.Executable
	}
	program, err := find()
	if err != nil {
		return err
	}
	process, said := exec.Command(program, w.Arguments...), &bytes.Buffer{} //nolint:gosec // this program, or its neighbour
	process.Env = environment(os.Environ())
	process.Stderr = &first{said}
	endWithParent(process)
	in, err := process.StdinPipe()
	if err != nil {
		return err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	w.process, w.said, w.in, w.out = process, said, in, bufio.NewReader(out)
	return nil
}

// kept are the variables without which programs do not find their files. Others, of a CI runner above all, are secrets.
var kept = []string{
	"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "USERPROFILE", "SYSTEMROOT", "LOCALAPPDATA", "APPDATA",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "GOCOVERDIR",
}

func environment(given []string) []string {
	var list []string
	for _, variable := range given {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains(kept, strings.ToUpper(name)) {
			list = append(list, variable)
		}
	}
	return list
}

// first keeps the beginning of what a process says.
type first struct{ text *bytes.Buffer }

func (f *first) Write(p []byte) (int, error) {
	const enough = 64 << 10
	f.text.Write(p[:min(len(p), max(0, enough-f.text.Len()))])
	return len(p), nil
}

// Serve answers questions from in until it ends. It bounds the memory of this process.
func Serve(in io.Reader, out io.Writer, do func([]byte) []byte) error {
	runtime.GOMAXPROCS(2) // each thread takes addresses, and the limit counts them
	limitMemory(MaxMemoryBytes)
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(MaxMemoryBytes * 3 / 4)
	go watchMemory()
	questions := bufio.NewReader(in)
	for {
		question, err := read(questions)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := write(out, do(question)); err != nil {
			return err
		}
		giveBack()
	}
}

// keptBytes is what this process may keep while the one that asks judges what was answered: both share a machine.
const keptBytes = 64 << 20

// giveBack gives the system what the last question took. Small ones are left to the collector, which takes less time.
func giveBack() {
	if held() > keptBytes {
		debug.FreeOSMemory()
	}
}

// held is what Go's runtime has of the system's memory, in bytes.
func held() uint64 {
	has := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(has)
	return has[0].Value.Uint64() - has[1].Value.Uint64()
}

// watchMemory ends the process where the system does not.
func watchMemory() {
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	for range time.Tick(10 * time.Millisecond) {
		metrics.Read(used)
		if used[0].Value.Uint64()+used[1].Value.Uint64() > MaxMemoryBytes {
			os.Exit(exitMemory)
		}
	}
}

func write(to io.Writer, message []byte) error {
	if err := binary.Write(to, binary.BigEndian, int64(len(message))); err != nil {
		return err
	}
	_, err := to.Write(message)
	return err
}

func read(from io.Reader) ([]byte, error) {
	var size int64
	if err := binary.Read(from, binary.BigEndian, &size); err != nil {
		return nil, err
	}
	if size < 0 || size > maxAnswerBytes {
		return nil, fmt.Errorf("%d bytes; at most %d are taken", size, maxAnswerBytes)
	}
	var text bytes.Buffer
	_, err := io.CopyN(&text, from, size)
	return text.Bytes(), err
}
