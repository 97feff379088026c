package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"
)

// remote runs commands as `kubectl exec` does.
type remote struct {
	config                    *rest.Config
	client                    rest.Interface
	namespace, pod, container string
}

// Remote is the executor of a container of a Pod. The client is one of the core API, of the
// same server as config.
func Remote(config *rest.Config, client rest.Interface, namespace, pod, container string) Executor {
	return &remote{config: config, client: client, namespace: namespace, pod: pod, container: container}
}

// Exec tries a WebSocket first, and SPDY where a server or a proxy knows none, as kubectl does.
func (r *remote) Exec(ctx context.Context, command []string, stdout, stderr io.Writer) error {
	url := r.client.Post().Resource("pods").Namespace(r.namespace).Name(r.pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{
			Container: r.container, Command: command, Stdout: true, Stderr: true,
		}, scheme.ParameterCodec).URL()
	spdy, err := remotecommand.NewSPDYExecutor(r.config, http.MethodPost, url)
	if err != nil {
		return fmt.Errorf("prepare exec: %w", err)
	}
	// A WebSocket begins with a GET (RFC 6455, 4.1).
	socket, err := remotecommand.NewWebSocketExecutor(r.config, http.MethodGet, url.String())
	if err != nil {
		return fmt.Errorf("prepare exec: %w", err)
	}
	either, err := remotecommand.NewFallbackExecutor(socket, spdy, func(err error) bool {
		// A WebSocket's GET needs the verb get besides create, and an account with create may lack it. SPDY's POST needs
		// create alone.
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err) || strings.Contains(err.Error(), "is forbidden: ")
	})
	if err != nil {
		return fmt.Errorf("prepare exec: %w", err)
	}
	err = either.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: stdout, Stderr: stderr})
	var ended exec.CodeExitError
	if errors.As(err, &ended) {
		return &ExitError{Code: ended.Code}
	}
	if err != nil {
		return fmt.Errorf("exec in %s/%s, container %s: %s", r.namespace, r.pod, r.container, strings.Join(strings.Fields(err.Error()), " "))
	}
	return nil
}
