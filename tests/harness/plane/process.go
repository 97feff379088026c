package plane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Process is a program that runs beside the tests and never outlives them.
type Process struct {
	Name string
	// Log is the file that receives what the program prints, over all of its runs.
	Log string

	path      string
	arguments []string
	// environment is all of it: nothing is inherited.
	environment []string

	mutex   sync.Mutex
	command *exec.Cmd
	exited  chan struct{}
}

// Start runs the program; one that runs already is an error.
func (p *Process) Start() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.running() {
		return fmt.Errorf("start %s: it runs already", p.Name)
	}
	log, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	defer func() { _ = log.Close() }()
	command := exec.CommandContext(context.Background(), p.path, p.arguments...) //nolint:gosec // the tools
	command.Env = p.environment
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = attributes()
	if err := onLastingThread(command.Start); err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	exited := make(chan struct{})
	p.command, p.exited = command, exited
	go func() {
		_ = command.Wait()
		close(exited)
	}()
	return nil
}

// Stop asks the program to end and kills its process group when it has not after grace.
func (p *Process) Stop(grace time.Duration) {
	p.mutex.Lock()
	command, exited := p.command, p.exited
	p.mutex.Unlock()
	if command == nil {
		return
	}
	if grace > 0 {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-exited:
		case <-time.After(grace):
		}
	}
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	<-exited
}

// Restart stops the program as its own supervisor would, and starts it again.
func (p *Process) Restart() error {
	p.Stop(10 * time.Second)
	return p.Start()
}

// Signal sends the program a signal; one that has ended is an error.
func (p *Process) Signal(signal syscall.Signal) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.running() {
		return fmt.Errorf("signal %s: %w", p.Name, os.ErrProcessDone)
	}
	return p.command.Process.Signal(signal)
}

// Running says whether the program has been started and has not ended.
func (p *Process) Running() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.running()
}

func (p *Process) running() bool {
	if p.command == nil {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// PID is 0 where the program does not run.
func (p *Process) PID() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.running() {
		return 0
	}
	return p.command.Process.Pid
}

// exitCode is that of the run that ended last.
func (p *Process) exitCode() int32 {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return int32(p.command.ProcessState.ExitCode()) //nolint:gosec // 8 bits
}

// Exited is closed when the run that is under way ends.
func (p *Process) Exited() <-chan struct{} {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.exited
}

// failure says how a program ended that should run, with the end of what it printed.
func (p *Process) failure() error {
	text, _ := os.ReadFile(p.Log)
	const enough = 3000
	if len(text) > enough {
		text = text[len(text)-enough:]
	}
	return fmt.Errorf("%s: %w\n%s", p.Name, errors.New("the program ended"), text)
}

// The kernel sends a child its parent-death signal when the *thread* ends that started it. Go ends
// threads as it likes, so all children are started by one thread that stays.
var starts = sync.OnceValue(func() chan func() {
	queue := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range queue {
			start()
		}
	}()
	return queue
})

func onLastingThread(start func() error) error {
	result := make(chan error)
	starts() <- func() { result <- start() }
	return <-result
}
