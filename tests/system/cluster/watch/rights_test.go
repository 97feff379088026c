//go:build system

package watch

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// recorder stands before the API server and notes what is asked of it, and what is refused.
type recorder struct {
	mu      sync.Mutex
	asked   map[string]bool
	refused []string
}

func (r *recorder) server(t testing.TB) *httptest.Server {
	t.Helper()
	target, err := url.Parse(cluster.Server)
	if err != nil {
		t.Fatal(err)
	}
	config := rest.CopyConfig(cluster.Config)
	config.CertFile, config.KeyFile, config.CertData, config.KeyData = "", "", nil, nil
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport, proxy.FlushInterval = transport, -1
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {} // it is killed with requests under way
	proxy.ModifyResponse = func(response *http.Response) error {
		if response.StatusCode == http.StatusForbidden || response.StatusCode == http.StatusUnauthorized {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.refused = append(r.refused, response.Request.Method+" "+response.Request.URL.Path)
		}
		return nil
	}
	// With TLS: client-go keeps a token from anybody else.
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		r.asked[verb(request)+" "+resource(request.URL.Path)] = true
		r.mu.Unlock()
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server
}

func verb(request *http.Request) string {
	switch {
	case request.URL.Query().Get("watch") != "":
		return "watch"
	case request.Method == http.MethodGet && named(request.URL.Path):
		return "get"
	case request.Method == http.MethodGet:
		return "list"
	}
	return map[string]string{
		http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete",
	}[request.Method]
}

// segments are a path's, without /api/v1 or /apis/GROUP/VERSION and without the namespace.
func segments(path string) []string {
	all := strings.Split(strings.Trim(path, "/"), "/")
	skip := 2
	if all[0] == "apis" {
		skip = 3
	}
	all = all[min(skip, len(all)):]
	if len(all) > 2 && all[0] == "namespaces" {
		all = all[2:]
	}
	return all
}

func named(path string) bool { return len(segments(path)) > 1 }

func resource(path string) string {
	if all := segments(path); len(all) > 0 {
		return all[0]
	}
	return "discovery"
}

// TestRights: with the rights of the chart's ServiceAccount nothing is refused, and nothing
// more is asked for than the chart allows: no Secrets, no ConfigMaps, no other writes.
func TestRights(t *testing.T) {
	serve(t, openReports)
	scale := func(count string) {
		cluster.Must(t, "scale", "deployment", name, "--replicas="+count, "--namespace", plane.ReleaseNamespace)
	}
	scale("0")
	defer func() {
		scale("2")
		leader(t, "")
	}()
	plane.Eventually(t, "the audit to stop", func() error {
		if all, err := replicas(); err != nil || len(all) > 0 {
			return errOld
		}
		return nil
	})
	r := &recorder{asked: map[string]bool{}}
	server := r.server(t)
	token := strings.TrimSpace(cluster.Must(t, "create", "token", name, "--namespace", plane.ReleaseNamespace))
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte(`
apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: "`+server.URL+`", insecure-skip-tls-verify: true}}]
users: [{name: a, user: {token: `+token+`}}]
contexts: [{name: a, context: {cluster: a, user: a}}]
current-context: a
`), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), cluster.Binary(), "audit", "--watch",
		"--kubeconfig="+kubeconfig, "--lease-namespace="+plane.ReleaseNamespace, "--no-config",
		"--metrics-listen=127.0.0.1:0", "--probe-listen=127.0.0.1:0")
	command.Stdout, command.Stderr, command.Env = log, log, []string{
		// API servers before 1.34 stream no lists: pages do it, too.
		"HOME=" + t.TempDir(), "KUBE_FEATURE_WatchListClient=false",
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
		if text, _ := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("%s", text)
		}
	}()

	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	only(t, namespace, "HR306=fail")
	apply(t, namespace, deployment("batch", tooSmall))
	only(t, namespace, "HR204=fail HR306=fail")
	apply(t, namespace, "{apiVersion: v1, kind: Pod, metadata: {name: a}, "+
		"spec: {containers: [{name: a, image: a, resources: "+tooSmall+"}]}}")
	plane.Eventually(t, "the Pod's report", func() error {
		if all, err := reportsIn("reports", namespace); err != nil || len(all) != 2 {
			return errNone
		}
		return nil
	})
	cluster.Must(t, "delete", "pod,deployment", "--all", "--namespace", namespace, "--force", "--grace-period=0")
	only(t, namespace, "")
	time.Sleep(11 * time.Second) // kinds of reports are asked for again

	r.mu.Lock()
	defer r.mu.Unlock()
	for _, request := range r.refused {
		t.Errorf("refused: %s", request)
	}
	read := strings.Fields("namespaces limitranges resourcequotas deployments statefulsets daemonsets cronjobs " +
		"pods replicationcontrollers replicasets jobs " +
		"horizontalpodautoscalers verticalpodautoscalers startupcpuboosts")
	for _, asked := range slices.Sorted(maps.Keys(r.asked)) {
		verb, resource, _ := strings.Cut(asked, " ")
		var allowed []string
		switch {
		case resource == "discovery":
			allowed = []string{"list"}
		case resource == "pods":
			allowed = []string{"list", "watch", "get"}
		case slices.Contains(read, resource):
			allowed = []string{"list", "watch"}
		case resource == "reports", resource == "clusterreports":
			allowed = []string{"list", "watch", "get", "create", "update", "delete"}
		case resource == "leases":
			allowed = []string{"get", "create", "update"}
		}
		if !slices.Contains(allowed, verb) {
			t.Errorf("asks to %s", asked)
		}
	}
	for _, needed := range []string{
		"list deployments", "list pods", "watch deployments", "get pods", "watch horizontalpodautoscalers",
		"create reports", "update reports", "update leases",
	} {
		if !r.asked[needed] {
			t.Errorf("nobody asked to %s: this test looks at nothing", needed)
		}
	}
}
