//go:build system

package cluster

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

// What `make cluster` runs: it starts, says how to reach the cluster, and Ctrl-C leaves
// neither a process nor a file.
func TestClusterCommand(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "cluster")
	if err := program.Compile(t.Context(), binary, "./tests/harness/plane/run"); err != nil {
		t.Fatal(err)
	}
	var printed locked
	command := exec.CommandContext(context.Background(), binary,
		"-headroom", cluster.Binary(), "-samples", "--", "--set", "replicas=1")
	command.Dir = cluster.Root()
	command.Stdout, command.Stderr = &printed, &printed
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = command.Process.Kill() }()
	plane.Eventually(t, "the cluster to start", func() error {
		return contains(printed.String(), "Ctrl-C stops")
	})
	kubeconfig := regexp.MustCompile(`export KUBECONFIG=(\S+)`).FindStringSubmatch(printed.String())
	if kubeconfig == nil {
		t.Fatalf("no kubeconfig in:\n%s", printed.String())
	}
	pods := cluster.Kubectl("--kubeconfig", kubeconfig[1], "get", "pods", "-n", plane.ReleaseNamespace, "--no-headers")
	if strings.Count(pods.Stdout, "1/1") != 1 {
		t.Errorf("want one ready replica:\n%s%s", pods.Stdout, pods.Stderr)
	}

	// There is something to audit, as docs/audit.md walks through it.
	report := filepath.Join(t.TempDir(), "report.html")
	audit := exec.CommandContext(t.Context(), cluster.Binary(), "audit", "-A", "-o", "table", "-o", "html="+report)
	audit.Env = []string{"HOME=" + t.TempDir(), "KUBECONFIG=" + kubeconfig[1]}
	out, err := audit.CombinedOutput()
	if audit.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "Deployment old-news/article-service") {
		t.Errorf("headroom audit: %v\n%s", err, out)
	}
	if _, err := os.Stat(report); err != nil {
		t.Error(err)
	}

	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("Ctrl-C ends it with %v:\n%s", err, printed.String())
	}
	dir := filepath.Dir(kubeconfig[1])
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range commands {
		if line, _ := os.ReadFile(file); bytes.Contains(line, []byte(dir)) {
			t.Errorf("a process is left: %s", bytes.ReplaceAll(line, []byte{0}, []byte(" ")))
		}
	}
}

// locked is a buffer that one goroutine writes and another reads.
type locked struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.buffer.Write(p)
}

func (l *locked) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.buffer.String()
}
