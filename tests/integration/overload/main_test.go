//go:build integration

// Package overload asks a running webhook, set as the chart sets it, for more than it is made for.
package overload

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

var (
	binary    string
	apiServer *apitest.Server
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "headroom")
		if err == nil {
			defer func() { _ = os.RemoveAll(dir) }()
			binary = filepath.Join(dir, "headroom")
			err = program.Build(context.Background(), binary)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return apitest.Run(m, func(s *apitest.Server) error { apiServer = s; return nil })
	}())
}

// server is a webhook that runs with what the chart gives it.
type server struct {
	ca      *tlstest.CA
	pid     int
	address string
	metrics string
}

// chart is what is read of the chart's values.
type chart struct {
	MaxProcs  int `json:"maxProcs"`
	Resources struct {
		Limits struct {
			Memory string `json:"memory"`
		} `json:"limits"`
	} `json:"resources"`
}

// limits are the memory limit in MiB, and the variables that the chart makes of it.
func limits(t *testing.T) (mebibytes int, variables []string) {
	t.Helper()
	text, err := os.ReadFile(repo.Path("charts", "headroom", "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var values chart
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	memory, ok := strings.CutSuffix(values.Resources.Limits.Memory, "Mi")
	if mebibytes, err = strconv.Atoi(memory); err != nil || !ok {
		t.Fatalf("a memory limit of %s", memory)
	}
	deployment, err := os.ReadFile(repo.Path("charts", "headroom", "templates", "deployment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(deployment), `"headroom.memLimit" (list .Values.resources.limits.memory `)
	percent, _, _ := strings.Cut(rest, ")")
	share, err := strconv.Atoi(percent)
	if err != nil {
		t.Fatal(err)
	}
	return mebibytes, []string{
		fmt.Sprintf("GOMEMLIMIT=%dMiB", mebibytes*share/100), fmt.Sprintf("GOMAXPROCS=%d", values.MaxProcs),
	}
}

// serve starts a webhook, and waits until it is ready.
func serve(t *testing.T, mutate string) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{ca: tlstest.NewCA(t)}
	s.ca.Write(t, dir, tlstest.Leaf{})
	kubeconfig := filepath.Join(dir, "kubeconfig")
	if err := os.WriteFile(kubeconfig, apiServer.KubeConfig, 0o600); err != nil {
		t.Fatal(err)
	}
	const local = "127.0.0.1:0"
	command := exec.CommandContext(t.Context(), binary, "webhook", "--kubeconfig", kubeconfig, "--cert-dir", dir,
		"--listen", local, "--probe-listen", local, "--metrics-listen", local, "--default-mutate", mutate)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGKILL) }
	_, variables := limits(t)
	command.Env = append(append(os.Environ(), "GOGC="), variables...) // the chart leaves it to the program
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	s.pid = command.Process.Pid
	lines := bufio.NewScanner(said)
	probes := ""
	for s.address == "" && lines.Scan() {
		var line map[string]any
		if json.Unmarshal(lines.Bytes(), &line) == nil && strings.Contains(fmt.Sprint(line["msg"]), "started") {
			s.address, probes, s.metrics = fmt.Sprint(line["listen"]), fmt.Sprint(line["probes"]), fmt.Sprint(line["metrics"])
		}
	}
	go func() {
		for lines.Scan() { // or it would wait for a reader
		}
	}()
	wait.For(t, "readiness", func() bool {
		answer, err := http.Get("http://" + probes + "/readyz")
		if err != nil {
			return false
		}
		_ = answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return s
}

func (s *server) tls() *tls.Config { return &tls.Config{RootCAs: s.ca.Pool, ServerName: "localhost"} }

func (s *server) client() *http.Client {
	return &http.Client{Timeout: 10 * time.Minute, Transport: &http.Transport{TLSClientConfig: s.tls(), MaxIdleConnsPerHost: 100}}
}

// status is what the kernel tells of the process, as "VmHWM", in KiB.
func (s *server) status(t *testing.T, field string) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			n, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("the kernel tells no %s", field)
	return 0
}

// forget makes the kernel's peak begin anew.
func (s *server) forget(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}
