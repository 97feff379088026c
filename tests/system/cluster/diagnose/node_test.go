//go:build system

package diagnose

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
)

// node plays the kubelet of one node: the API server forwards `kubectl exec` to it, and it runs
// the commands by the executor that stands for the container.
type node struct {
	mutex      sync.Mutex
	containers map[string]collect.Executor // by namespace/pod/container
	commands   []string
}

func (n *node) put(container string, x collect.Executor) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.containers[container] = x
}

// asked are the commands that were run, and forgets them.
func (n *node) asked() []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	commands := n.commands
	n.commands = nil
	return commands
}

// startNode makes a Node of which the API server believes that it listens here.
func startNode(t *testing.T, name string) *node {
	t.Helper()
	n := &node{containers: map[string]collect.Executor{}}
	server := httptest.NewUnstartedServer(n)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort(cluster.IP, "0"))
	if err != nil {
		t.Fatal(err)
	}
	server.Listener = listener
	server.StartTLS()
	t.Cleanup(server.Close)
	nodes := cluster.Client.CoreV1().Nodes()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := nodes.Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseInt(port, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		made, err := nodes.Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		made.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: cluster.IP}}
		made.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(number)
		_, err = nodes.UpdateStatus(t.Context(), made, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// ServeHTTP is the kubelet's /exec/NAMESPACE/POD/CONTAINER?command=… in SPDY, which the API
// server speaks to kubelets whatever its client speaks to it.
func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, isExec := strings.CutPrefix(r.URL.Path, "/exec/")
	command := r.URL.Query()["command"]
	n.mutex.Lock()
	x := n.containers[path]
	n.commands = append(n.commands, strings.Join(command, " "))
	n.mutex.Unlock()
	if !isExec || x == nil || len(command) == 0 {
		http.NotFound(w, r)
		return
	}
	if _, err := httpstream.Handshake(r, w, []string{"v4.channel.k8s.io"}); err != nil {
		return
	}
	streams := make(chan httpstream.Stream, 3)
	connection := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
		streams <- s
		return nil
	})
	if connection == nil {
		return
	}
	defer func() { _ = connection.Close() }()
	named := map[string]httpstream.Stream{}
	for len(named) < 3 {
		select {
		case s := <-streams:
			named[s.Headers().Get(corev1.StreamType)] = s
		case <-time.After(10 * time.Minute):
			return
		}
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		<-connection.CloseChan()
		cancel()
	}()
	err := x.Exec(ctx, command, named[corev1.StreamTypeStdout], named[corev1.StreamTypeStderr])
	_ = json.NewEncoder(io.Writer(named[corev1.StreamTypeError])).Encode(statusOf(err))
	for _, s := range named {
		_ = s.Close()
	}
	// The last frames are on their way when the other side hangs up.
	select {
	case <-connection.CloseChan():
	case <-time.After(10 * time.Minute):
	}
}

// statusOf is how a kubelet tells the end of a command.
func statusOf(err error) *metav1.Status {
	var exit *collect.ExitError
	switch {
	case err == nil:
		return &metav1.Status{Status: metav1.StatusSuccess}
	case errors.As(err, &exit):
		return &metav1.Status{
			Status: metav1.StatusFailure, Reason: "NonZeroExitCode", Message: "command terminated with non-zero exit code",
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: "ExitCode", Message: strconv.Itoa(exit.Code)}}},
		}
	}
	return &metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonInternalError, Message: err.Error()}
}
