//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/process"
)

// startLimit is how long a server may take until it is ready.
const startLimit = time.Minute

// server is a running program that is measured.
type server struct {
	cmd                      *exec.Cmd
	address, probes, metrics string
	processors               int
	idle                     int64 // bytes, before the first request
}

// startServer starts a program on its processors and waits until its log says where it
// listens.
func startServer(p processors, name string, args ...string) (*server, error) {
	s := &server{cmd: exec.Command(name, args...), processors: p.count} //nolint:gosec // the programs of the command line
	s.cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", p.count))
	if os.Getenv("GOMEMLIMIT") == "" {
		s.cmd.Env = append(s.cmd.Env, "GOMEMLIMIT="+memoryLimit)
	}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.start(s.cmd); err != nil {
		return nil, err
	}
	var said strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		var line struct{ Listen, Probes, Metrics string }
		_ = json.Unmarshal(lines.Bytes(), &line) // some lines are for people
		if line.Listen != "" {
			s.address, s.probes, s.metrics = line.Listen, line.Probes, line.Metrics
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return s, nil
		}
		fmt.Fprintln(&said, lines.Text())
	}
	return nil, fmt.Errorf("%s ended: %w\n%s", name, s.cmd.Wait(), said.String())
}

// ready waits until the server says that it is.
func (s *server) ready() error {
	for end := time.Now().Add(startLimit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		response, err := http.Get("http://" + s.probes + "/readyz")
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
	}
	return fmt.Errorf("not ready after %s", startLimit)
}

func (s *server) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // killed
}

// counted reads metrics whose names, labels included, are given.
func (s *server) counted(names ...string) ([]float64, error) {
	m, err := process.ReadMetrics(context.Background(), http.DefaultClient, "http://"+s.metrics+"/metrics")
	values := make([]float64, len(names))
	for i, name := range names {
		values[i] = m[name]
	}
	return values, err
}
