package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const (
	period = 100 * time.Millisecond
	// One processor is what server and client take together, so that others keep theirs.
	serverQuota, clientQuota = 80 * time.Millisecond, 30 * time.Millisecond
	cpu                      = "800m"

	startTimeout = 2 * time.Minute
	between      = 200 * time.Millisecond // two readings of the charged memory
	look         = 5 * time.Second        // between two looks at the regions
)

// stage is where a server runs: its folder, its class path and its JDK.
type stage struct {
	dir, classPath string
	jdk            jdks.JDK
}

// command is the JVM's command line.
func (s stage) command(java string, flags, main []string) []string {
	line := []string{java}
	for _, word := range slices.Concat(flags, []string{"-cp", s.classPath}, main) {
		line = append(line, strings.ReplaceAll(word, "{dir}", s.dir))
	}
	return line
}

// run measures a server for so long.
func (s stage) run(ctx context.Context, of server, load time.Duration) (found record.Server, err error) {
	found = record.Server{
		Name: of.name, Version: of.version, Date: time.Now().UTC().Format(time.DateOnly), JDK: s.jdk.Build, Feature: s.jdk.Feature, LimitMiB: of.limitMiB, CPU: cpu,
		Flags: of.flags, Seconds: int(load.Seconds()),
	}
	if of.before != nil {
		line := s.command(s.jdk.Java, of.options, of.before)
		if _, err := lab.Output(ctx, line[0], line[1:]...); err != nil {
			return found, err
		}
	}
	flags := slices.Concat([]string{"-XX:NativeMemoryTracking=summary"}, of.flags, of.options)
	server, err := start(ctx, s.dir, cgroup.Limits{Quota: serverQuota, Period: period, Memory: int64(of.limitMiB) * mib},
		s.command(s.jdk.Java, flags, of.main))
	if err != nil {
		return found, err
	}
	defer server.stop()
	w := &watch{process: server, jcmd: filepath.Join(filepath.Dir(s.jdk.Java), "jcmd"), found: &found}
	if err := w.ready(ctx, of.client != nil || of.http != nil); err != nil {
		return found, err
	}
	ctx, cancel := context.WithTimeout(ctx, load)
	defer cancel()
	if of.client != nil {
		line := s.command(s.jdk.Java, []string{"-Xmx192m", "-XX:+UseSerialGC"}, of.client)
		client, err := start(ctx, s.dir, cgroup.Limits{Quota: clientQuota, Period: period}, line)
		if err != nil {
			return found, err
		}
		defer func() {
			if !client.running() {
				err = errors.Join(err, fmt.Errorf("the client ended: %s", client.said()))
			}
			client.stop()
		}()
	}
	visits := make(chan error, 1)
	go func() { visits <- visit(ctx, of.http) }()
	err = w.until(ctx)
	cancel()
	return found, errors.Join(err, <-visits)
}

// visit has the visitors come; it fails where none of them got an answer.
func visit(ctx context.Context, turn func(*visitor)) error {
	if turn == nil {
		return nil
	}
	all := make([]visitor, visitors)
	var running sync.WaitGroup
	for i := range all {
		all[i] = visitor{ctx: ctx, number: i}
		running.Go(func() { all[i].run(turn) })
	}
	running.Wait()
	good := 0
	var failed error
	for _, v := range all {
		good += v.good
		if v.failed != nil && !errors.Is(v.failed, context.DeadlineExceeded) {
			failed = v.failed
		}
	}
	fmt.Printf("  %d good answers; last failure: %v\n", good, failed)
	if good < visitors {
		return fmt.Errorf("%d good answers: %w", good, failed)
	}
	return nil
}

// process is one that runs in a cgroup of its own.
type process struct {
	command *exec.Cmd
	group   *cgroup.Group
	log     string
	ended   chan struct{}
}

func start(ctx context.Context, dir string, limits cgroup.Limits, line []string) (*process, error) {
	g, err := cgroup.New(limits)
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp(dir, "log-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	p := &process{command: g.Command(context.WithoutCancel(ctx), line...), group: g, log: out.Name(), ended: make(chan struct{})}
	p.command.Dir, p.command.Stdout, p.command.Stderr = dir, out, out
	p.command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C"}
	if err := p.command.Start(); err != nil {
		g.Close()
		return nil, err
	}
	go func() {
		defer close(p.ended)
		_ = p.command.Wait()
	}()
	return p, nil
}

func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// said is the end of what it printed.
func (p *process) said() string {
	text, _ := os.ReadFile(p.log)
	return string(text[max(0, len(text)-2000):])
}

func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGKILL)
	<-p.ended
	p.group.Close()
}

// watch looks at a server and keeps the most of what it sees.
type watch struct {
	process *process
	jcmd    string
	found   *record.Server
}

// ready waits until the server listens, or says that it is ready.
func (w *watch) ready(ctx context.Context, listens bool) error {
	end := time.Now().Add(startTimeout)
	for time.Now().Before(end) && ctx.Err() == nil && w.process.running() {
		time.Sleep(between)
		if err := w.charged(); err != nil {
			return err
		}
		if !listens && strings.Contains(w.process.said(), "ready\n") {
			return nil
		}
		if !listens {
			continue
		}
		if connection, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second); err == nil {
			return connection.Close()
		}
	}
	return fmt.Errorf("it did not start: %s", w.process.said())
}

// until watches until the context ends, or the server does.
func (w *watch) until(ctx context.Context) error {
	next := time.Now().Add(look)
	for ctx.Err() == nil && w.process.running() {
		time.Sleep(between)
		if err := w.charged(); err != nil {
			return err
		}
		if time.Now().After(next) {
			if err := w.look(); err != nil && w.process.running() {
				return err
			}
			next = time.Now().Add(look)
		}
	}
	kills, err := w.process.group.Kills()
	w.found.Killed = kills > 0
	if err == nil && kills == 0 && !w.process.running() {
		err = fmt.Errorf("it ended: %s", w.process.said())
	}
	return err
}

func (w *watch) charged() error {
	held, err := w.process.group.Held()
	w.found.HeldMiB = max(w.found.HeldMiB, float64(held)/mib)
	return err
}

// look asks the JVM for its regions. What is charged is read before and after, and the mean is
// taken: the JVM goes on meanwhile.
func (w *watch) look() error {
	before, err := w.process.group.Held()
	if err != nil {
		return err
	}
	native, err := w.ask("VM.native_memory", "summary")
	if err != nil {
		return err
	}
	info, err := w.ask("GC.heap_info")
	if err != nil {
		return err
	}
	set, err := w.ask("VM.flags")
	if err != nil {
		return err
	}
	id := strconv.Itoa(w.process.command.Process.Pid)
	smaps, err := os.ReadFile(filepath.Join("/proc", id, "smaps"))
	if err != nil {
		return err
	}
	tasks, err := os.ReadDir(filepath.Join("/proc", id, "task"))
	if err != nil {
		return err
	}
	after, err := w.process.group.Held()
	if err != nil {
		return err
	}
	shared, err := w.process.group.Shared()
	if err != nil {
		return err
	}
	committed, regions, err := tracked(native)
	if err != nil {
		return err
	}
	usedMiB, low, high := heapInfo(info)
	inMemory := within(string(smaps), low, high)
	if high == 0 {
		inMemory = float64(shared) / mib // ZGC's heap, which nothing else shares
	}
	held := float64(before+after) / 2 / mib
	regions.Native = held - inMemory - regions.Metaspace - regions.CodeCache - regions.Direct - regions.Stacks
	f := w.found
	f.Heap.Max, f.Collector = flags(set)
	f.Heap.Used = max(f.Heap.Used, usedMiB)
	f.Heap.Committed = max(f.Heap.Committed, committed)
	f.Heap.Resident = max(f.Heap.Resident, inMemory)
	f.Threads = max(f.Threads, len(tasks))
	f.Regions = most(f.Regions, regions)
	return nil
}

func most(a, b record.Regions) record.Regions {
	return record.Regions{
		Metaspace: max(a.Metaspace, b.Metaspace), CodeCache: max(a.CodeCache, b.CodeCache), Direct: max(a.Direct, b.Direct),
		Stacks: max(a.Stacks, b.Stacks), Native: max(a.Native, b.Native), Collector: max(a.Collector, b.Collector),
	}
}

func (w *watch) ask(question ...string) (string, error) {
	arguments := append([]string{"-J-XX:TieredStopAtLevel=1", strconv.Itoa(w.process.command.Process.Pid)}, question...)
	return lab.Output(context.Background(), w.jcmd, arguments...)
}
