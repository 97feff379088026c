package history

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Server is a running Prometheus.
type Server struct {
	URL string
	// Log is what it prints.
	Log string
}

// Options choose how it runs.
type Options struct {
	Flags []string // more of Prometheus' own
	Web   string   // its web.yml: TLS, basic auth
	// Client is how it is asked whether it is there, where Web says more than plain HTTP.
	Client *http.Client
	Scheme string // http without it
}

// Start runs Prometheus until the test ends, and waits until it has scraped the history.
func Start(t testing.TB, h *History, o Options) *Server {
	t.Helper()
	exporter := httptest.NewServer(once(h.text()))
	t.Cleanup(exporter.Close)
	dir := t.TempDir()
	config := fmt.Sprintf(`
scrape_configs:
- job_name: history
  honor_labels: true
  scrape_interval: 3s
  scrape_timeout: 3s
  static_configs: [{targets: [%q]}]
`, exporter.Listener.Addr())
	write(t, filepath.Join(dir, "prometheus.yml"), config)
	address := free(t)
	arguments := append([]string{
		"--config.file=" + filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path=" + filepath.Join(dir, "data"),
		"--storage.tsdb.retention.time=30d", "--web.listen-address=" + address, "--log.level=warn",
	}, o.Flags...)
	if o.Web != "" {
		write(t, filepath.Join(dir, "web.yml"), o.Web)
		arguments = append(arguments, "--web.config.file="+filepath.Join(dir, "web.yml"))
	}
	s := &Server{URL: "http://" + address, Log: filepath.Join(dir, "log")}
	if o.Scheme != "" {
		s.URL = o.Scheme + "://" + address
	}
	run(t, s.Log, Program(t), arguments)
	s.wait(t, o.Client)
	return s
}

// Program is the Prometheus that the Makefile builds.
func Program(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	program := filepath.Join(filepath.Dir(file), "..", "..", "..", ".tools", "bin", "prometheus")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("make tools builds Prometheus: %v", err)
	}
	return program
}

// once serves the history to the first who asks: a sample cannot be scraped twice.
func once(text []byte) http.Handler {
	var told sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		told.Do(func() { _, _ = w.Write(text) })
	})
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// free is an address on which nobody listens.
func free(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func run(t testing.TB, log, program string, arguments []string) {
	t.Helper()
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	started, ended := make(chan error), make(chan struct{})
	var command *exec.Cmd
	go func() {
		// The kernel ends the program with the thread that started it: this one waits for it.
		runtime.LockOSThread()
		command = exec.CommandContext(context.Background(), program, arguments...) //nolint:gosec // ours
		command.Stdout, command.Stderr = out, out
		command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait()
		}
		close(ended)
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = command.Process.Kill()
			<-ended
		}
		_ = out.Close()
	})
}

// wait returns when the whole history is there.
func (s *Server) wait(t testing.TB, client *http.Client) {
	t.Helper()
	if client == nil {
		client = http.DefaultClient
	}
	connection, err := api.NewClient(api.Config{Address: s.URL, Client: client})
	if err != nil {
		t.Fatal(err)
	}
	ask := v1.NewAPI(connection)
	const patience = 2 * time.Minute
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var answer model.Value
		answer, _, _, err = ask.Query(t.Context(), complete, time.Now())
		if vector, ok := answer.(model.Vector); ok && len(vector) == 1 {
			return
		}
	}
	text, _ := os.ReadFile(s.Log)
	t.Fatalf("Prometheus has not scraped the history: %v\n%s", err, text)
}
