//go:build system

package kernel_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
)

// busyVariable makes this test's own program the load: "threads nanoseconds", the CPU time that
// each thread takes before it ends.
const busyVariable = "HEADROOM_TEST_BUSY"

// busy waits for a line, lets the threads run, and prints how long that took, once for each line.
func busy(text string) {
	var threads int
	var work time.Duration
	if _, err := fmt.Sscanf(text, "%d %d", &threads, &work); err != nil {
		panic(err)
	}
	// One more, or the thread that waits for the others would be one of them.
	runtime.GOMAXPROCS(threads + 1)
	in := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	for in.Scan() {
		begun := time.Now()
		var running sync.WaitGroup
		for range threads {
			running.Go(func() { spin(work) })
		}
		running.Wait()
		fmt.Println(int64(time.Since(begun)))
	}
}

// spin takes so much CPU time of a thread of its own.
func spin(work time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begun := threadTime()
	spun := 0
	for threadTime()-begun < work {
		for range 10_000 {
			spun++
		}
	}
	runtime.KeepAlive(spun) // or the compiler sees that nothing is done
}

// threadTime is the CPU time that this thread has taken.
func threadTime() time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of Linux
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// load is the program in a group.
type load struct {
	group  *cgroup.Group
	period time.Duration
	begun  time.Time // of one of the group's periods
	in     io.WriteCloser
	out    *bufio.Scanner
}

// start starts so many threads under a quota; they wait.
func start(t *testing.T, limits cgroup.Limits, threads int, work time.Duration) *load {
	t.Helper()
	g := newGroup(t, limits)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := g.Command(context.Background(), program)
	command.Env = []string{busyVariable + "=" + strconv.Itoa(threads) + " " + strconv.FormatInt(int64(work), 10), "GOGC=off"}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	l := &load{g, limits.Period, time.Now(), in, bufio.NewScanner(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
		g.Close()
	})
	if !l.out.Scan() {
		t.Fatal("the load did not start")
	}
	return l
}

// align finds out where the group's periods begin, which the kernel draws by lot when it makes the
// group: it lets the load run once and watches nr_periods. The change that was seen most closely
// is taken.
func (l *load) align(t *testing.T) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.run(t)
	}()
	begun, closest := l.begun, l.period
	last, periods := time.Now(), int64(-1)
	for {
		select {
		case <-done:
			l.begun = begun // run reads it
			return
		default:
		}
		counted, err := l.group.CPU()
		if err != nil {
			<-done
			t.Fatal(err)
		}
		now := time.Now()
		if gap := now.Sub(last); periods >= 0 && counted.Periods > periods && gap < closest {
			begun, closest = last, gap
		}
		last, periods = now, counted.Periods
	}
}

// run lets the threads run once, and gives how long that took and what the kernel counted.
func (l *load) run(t *testing.T) (time.Duration, cgroup.Stat) {
	t.Helper()
	// Nothing of an earlier run is left by then, and a period begins: they follow from the first,
	// whether anything runs or not.
	rest := 300 * time.Millisecond
	if l.period > 0 {
		rest += l.period - (time.Since(l.begun)+rest)%l.period
	}
	time.Sleep(rest)
	before, err := l.group.CPU()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(l.in, "run\n"); err != nil {
		t.Fatal(err)
	}
	if !l.out.Scan() {
		t.Fatal("the load ended")
	}
	took, err := strconv.ParseInt(l.out.Text(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	after, err := l.group.CPU()
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(took), after.Less(before)
}

// newGroup makes a cgroup, or skips the test and says what the machine refused. What is recorded is
// whole.
func newGroup(t *testing.T, limits cgroup.Limits) *cgroup.Group {
	t.Helper()
	g, err := cgroup.New(limits)
	if err != nil && *recording {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("this machine lets us make no CPU cgroup, so that nothing is compared with its kernel: %v", err)
	}
	return g
}
