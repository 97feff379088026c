package history

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/headroom-dev/headroom/tests/harness/ports"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// Server is a running Prometheus.
type Server struct {
	URL string
	// Log is the file of what it prints.
	Log string
	// Stop ends it.
	Stop func()
}

// Options choose how it runs.
type Options struct {
	Flags []string // more of Prometheus' own
	Web   string   // its web.yml: TLS, basic auth
	// Client is how it is asked whether it is there, where Web says more than plain HTTP.
	Client *http.Client
	Scheme string // http without it
	Listen string // where; without it on a free port of loopback
	Jobs   string // more of scrape_configs
	Failed int32  // scrapes that fail before one succeeds, as they do on a busy machine
}

// Start runs Prometheus until the test ends, and waits until it has scraped the history.
func Start(t testing.TB, h *History, o Options) *Server {
	t.Helper()
	s, err := h.Serve(t.Context(), t.TempDir(), o)
	if s != nil {
		t.Cleanup(s.Stop)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Serve runs Prometheus until it is stopped, also after an error, and waits until it has scraped
// the history. All of its files are in dir.
func (h *History) Serve(ctx context.Context, dir string, o Options) (*Server, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	told := &exporter{text: h.text()}
	told.failing.Store(o.Failed)
	listening := httptest.NewServer(told)
	s := &Server{Log: filepath.Join(dir, "log"), Stop: listening.Close}
	// A scrape that fails writes samples of its own, of now: without the window, all that is an hour older is dropped.
	config := fmt.Sprintf(`
storage: {tsdb: {out_of_order_time_window: 30d}}
scrape_configs:
- job_name: history
  honor_labels: true
  scrape_interval: 3s
  scrape_timeout: 3s
  static_configs: [{targets: [%q]}]
%s`, listening.Listener.Addr(), o.Jobs)
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		return s, err
	}
	address := o.Listen
	if address == "" {
		if address, err = ports.Address(); err != nil {
			return s, err
		}
	}
	arguments := append([]string{
		"--config.file=" + filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path=" + filepath.Join(dir, "data"),
		"--storage.tsdb.retention.time=30d", "--web.listen-address=" + address, "--log.level=warn",
		"--query.timeout=1h", // a busy machine is not what is tested
	}, o.Flags...)
	if o.Web != "" {
		file := filepath.Join(dir, "web.yml")
		if err := os.WriteFile(file, []byte(o.Web), 0o600); err != nil {
			return s, err
		}
		arguments = append(arguments, "--web.config.file="+file)
	}
	s.URL = "http://" + address
	if o.Scheme != "" {
		s.URL = o.Scheme + "://" + address
	}
	stop, err := run(s.Log, program, arguments)
	if err != nil {
		return s, err
	}
	s.Stop = func() {
		stop()
		listening.Close()
	}
	err = s.wait(ctx, o.Client)
	told.had.Store(true)
	return s, err
}

// find finds the Prometheus that the Makefile builds.
func find() (string, error) {
	program := repo.Tool("prometheus")
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("make tools builds Prometheus: %w", err)
	}
	return program, nil
}

// exporter serves a history until Prometheus has it, which may have given up on the first scrape
// of a busy machine. Samples that it has already it drops.
type exporter struct {
	text []byte
	had  atomic.Bool
	// failing is how many scrapes are still to fail.
	failing atomic.Int32
}

func (e *exporter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if e.failing.Add(-1) >= 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	if !e.had.Load() {
		_, _ = w.Write(e.text)
	}
}

// run starts the program and gives what stops it.
func run(log, program string, arguments []string) (stop func(), err error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(context.Background(), program, arguments...) //nolint:gosec // ours
	command.Stdout, command.Stderr = out, out
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		// The kernel ends the program with the thread that started it: this one waits for it.
		runtime.LockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait()
		}
		close(ended)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = command.Process.Kill()
			<-ended
		}
		_ = out.Close()
	}, nil
}

// wait returns when the whole history is there.
func (s *Server) wait(ctx context.Context, client *http.Client) error {
	if client == nil {
		client = http.DefaultClient
	}
	connection, err := api.NewClient(api.Config{Address: s.URL, Client: client})
	if err != nil {
		return err
	}
	ask := v1.NewAPI(connection)
	const patience = 10 * time.Minute
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		var answer model.Value
		answer, _, _, err = ask.Query(ctx, complete, time.Now())
		if vector, ok := answer.(model.Vector); ok && len(vector) == 1 {
			return nil
		}
	}
	text, _ := os.ReadFile(s.Log)
	if err == nil {
		err = errors.New("it has not its last sample")
	}
	return fmt.Errorf("Prometheus has not scraped the history: %w\n%s", err, text) //nolint:staticcheck // a name
}
