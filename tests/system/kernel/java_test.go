//go:build system

package kernel_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// scratch is what this run leaves in the folder for temporary files until it ends.
var scratch string

// classes is the folder with testdata compiled, for every release from 8 on.
var classes = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "headroom-load-")
	if err != nil {
		return "", err
	}
	scratch = dir
	out, err := exec.Command("javac", "--release", "8", "-Xlint:-options", "-d", dir,
		"testdata/Load.java", "testdata/Counts.java").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("compile testdata: %w: %s", err, out)
	}
	return dir, nil
})

// releases is one JVM of each release.
func releases(t *testing.T) []jdks.JDK {
	t.Helper()
	found, err := jdks.Find()
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no JVM found; run tests/harness/jdks/install.sh")
	}
	return jdks.PerRelease(found)
}

// jvm is a Load that runs.
type jvm struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	said    []string
}

// jvmTimeout is ten times what a load takes on a busy machine.
const jvmTimeout = 4 * time.Minute

// startJVM starts a Load in a group.
func startJVM(t *testing.T, g *cgroup.Group, java string, flags []string, load string) *jvm {
	t.Helper()
	return startClass(t, g, java, flags, "Load", load)
}

// startClass starts one of testdata in a group.
func startClass(t *testing.T, g *cgroup.Group, java string, flags []string, class, arguments string) *jvm {
	t.Helper()
	dir, err := classes()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), jvmTimeout)
	t.Cleanup(cancel)
	command := append(append([]string{java, "-XX:-UsePerfData", "-cp", dir}, flags...), class)
	j := &jvm{command: g.Command(ctx, append(command, strings.Fields(arguments)...)...)}
	j.command.Dir = t.TempDir() // for what a JVM leaves that is killed
	j.command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LC_ALL=C"}
	in, err := j.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := j.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	j.command.Stderr = j.command.Stdout
	j.in, j.out = in, bufio.NewScanner(out)
	if err := j.command.Start(); err != nil {
		t.Fatal(err)
	}
	return j
}

// until reads what the JVM says up to a line; false where it ended before.
func (j *jvm) until(line string) bool {
	for j.out.Scan() {
		if j.out.Text() == line {
			return true
		}
		j.said = append(j.said, j.out.Text())
	}
	return false
}

// run lets it serve, and gives the exit code that a shell would: 137 where it was killed.
func (j *jvm) run(t *testing.T) int {
	t.Helper()
	if j.until("ready") {
		_, _ = io.WriteString(j.in, "\n") // it may be killed meanwhile
		j.until("done")
	}
	return j.end(t)
}

// end waits for the JVM.
func (j *jvm) end(t *testing.T) int {
	t.Helper()
	_ = j.in.Close()
	j.until("") // reads what is left, since no line is empty
	err := j.command.Wait()
	var ended *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if status, ok := ended.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return ended.ExitCode()
}

func TestLoadCompiles(t *testing.T) {
	dir, err := classes()
	if err != nil {
		t.Fatal(err)
	}
	if found, err := filepath.Glob(filepath.Join(dir, "Load*.class")); err != nil || len(found) < 3 {
		t.Errorf("%v, %v", found, err)
	}
}
