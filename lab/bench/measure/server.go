//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/process"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

// server is a Prometheus that scrapes nothing.
type server struct {
	url     string
	command *exec.Cmd
}

func start(ctx context.Context, program, folder string) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // at once
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	_ = listener.Close()
	config := filepath.Join(folder, "prometheus.yml")
	if err := os.WriteFile(config, []byte("scrape_configs: []\n"), 0o600); err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the program has its own
	//nolint:gosec // the program of the command line
	command := exec.CommandContext(ctx, program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(folder, "data"),
		"--storage.tsdb.retention.time=30d", "--web.listen-address="+address, "--log.level=warn",
		"--web.enable-remote-write-receiver")
	command.Stdout, command.Stderr = out, out
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &server{url: "http://" + address, command: command}
	const patience = 5 * time.Minute
	for until := time.Now().Add(patience); time.Now().Before(until) && ctx.Err() == nil; time.Sleep(time.Second) {
		if s.ready(ctx) {
			return s, nil
		}
	}
	s.stop()
	return nil, errors.New("Prometheus does not get ready: see its log in " + folder)
}

func (s *server) ready(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/-/ready", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (s *server) stop() {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	_ = s.command.Wait() // it was told to
}

// one asks one query.
func one(ctx context.Context, s *server, query string, end time.Time) error {
	_, theirs, err := watch(s, func() error {
		form := url.Values{"query": {query}, "time": {strconv.FormatInt(end.Unix(), 10)}, "limit": {"1"}}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/query?"+form.Encode(), nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(theirs.cells(query), "  "))
	return nil
}

// cost is what something took a process.
type cost struct {
	wall, cpu    time.Duration
	before, peak int64 // resident, the pages of the files that were read among them
	own          int64 // without those, at its peak
}

func (c cost) cells(name string) []string {
	return []string{
		name, report.Milliseconds(c.wall), report.Milliseconds(c.cpu), report.Megabytes(c.before), report.Megabytes(c.peak),
		report.Megabytes(c.own), "", "",
	}
}

// watch measures this process and Prometheus while something is done. The kernel starts to look for the peak anew.
func watch(s *server, do func() error) (ours, theirs cost, err error) {
	costs := []*cost{&ours, &theirs}
	pids := []int{os.Getpid(), s.command.Process.Pid}
	for i, pid := range pids {
		if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
			return ours, theirs, err
		}
		if costs[i].cpu, err = process.CPU(pid); err != nil {
			return ours, theirs, err
		}
		if costs[i].before, err = process.Memory(pid, "VmRSS"); err != nil {
			return ours, theirs, err
		}
	}
	began := time.Now()
	done := make(chan error, 1)
	go func() { done <- do() }()
	for waits := true; waits; {
		select {
		case err := <-done:
			if err != nil {
				return ours, theirs, err
			}
			waits = false
		case <-time.After(often):
			for i, pid := range pids {
				if own, err := process.Memory(pid, "RssAnon"); err == nil {
					costs[i].own = max(costs[i].own, own)
				}
			}
		}
	}
	for i, pid := range pids {
		after, err := process.CPU(pid)
		if err != nil {
			return ours, theirs, err
		}
		if costs[i].peak, err = process.Memory(pid, "VmHWM"); err != nil {
			return ours, theirs, err
		}
		costs[i].cpu, costs[i].wall = after-costs[i].cpu, time.Since(began)
	}
	return ours, theirs, nil
}

// often is how often the memory that is a process' own is looked at: the kernel keeps no peak of it.
const often = 20 * time.Millisecond
