package plane

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/ports"
)

const (
	kyvernoNamespace = "kyverno"
	kyvernoName      = "kyverno-admission-controller"
)

// startKyverno installs what Kyverno's own manifest holds and runs its admission controller
// as that manifest would, with the rights of its ServiceAccount. It is ready when it has told
// the API server where to find it.
func (p *Plane) startKyverno(ctx context.Context) error {
	container, err := p.installKyverno(ctx)
	if err != nil {
		return err
	}
	kubeconfig, err := p.kyvernoKubeconfig(ctx)
	if err != nil {
		return err
	}
	free, err := ports.Free(p.IP, 1)
	if err != nil {
		return err
	}
	// The last of two flags of one name counts. With an address of its own the API server
	// calls Kyverno there, and needs no endpoints.
	address := net.JoinHostPort(p.IP, strconv.Itoa(free[0]))
	arguments := slices.Concat(container.Args, []string{
		"--kubeconfig=" + kubeconfig,
		"--serverIP=" + address, "--webhookServerHost=" + p.IP, fmt.Sprintf("--webhookServerPort=%d", free[0]),
		"--disableMetrics=true", "--controllerRuntimeMetricsAddress=0",
	})
	if p.Kyverno, err = p.process("kyverno-admission", arguments...); err != nil {
		return err
	}
	for _, variable := range container.Env {
		value := variable.Value
		switch {
		case variable.ValueFrom != nil && variable.ValueFrom.FieldRef != nil:
			value = map[string]string{
				"metadata.namespace": kyvernoNamespace, "metadata.name": kyvernoName,
			}[variable.ValueFrom.FieldRef.FieldPath]
		case variable.Name == "TUF_ROOT":
			value = filepath.Join(p.Dir, "sigstore")
		}
		p.Kyverno.environment = append(p.Kyverno.environment, variable.Name+"="+value)
	}
	if err := p.Kyverno.Start(); err != nil {
		return err
	}
	return p.waitKyverno(ctx, "https://"+address+"/health/readiness")
}

// waitKyverno waits until the API server knows whom to ask about policies, and would get an
// answer: before Kyverno has its certificate, it ends every connection.
func (p *Plane) waitKyverno(ctx context.Context, readiness string) error {
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // as the kubelet's probes do
	}}
	return until(ctx, "Kyverno to be ready", func(ctx context.Context) error {
		if !p.Kyverno.Running() {
			return stop(p.Kyverno.failure())
		}
		_, err := p.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().
			Get(ctx, "kyverno-policy-validating-webhook-cfg", metav1.GetOptions{})
		if err != nil {
			return err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, readiness, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s answers %s", readiness, response.Status)
		}
		return nil
	})
}

// installKyverno applies the manifest in Kyverno's Go module and gives the admission
// controller's container. The Pods of its Deployments stay Pending, as all Pods here.
func (p *Plane) installKyverno(ctx context.Context) (*corev1.Container, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/kyverno/kyverno")
	list.Dir = filepath.Join(p.root, "tools", "kyverno")
	module, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("find Kyverno's module: %w", err)
	}
	manifest := filepath.Join(strings.TrimSpace(string(module)), "config", "install-latest-testing.yaml")
	if out := p.Kubectl("apply", "--server-side", "-f", manifest); out.Code != 0 {
		return nil, fmt.Errorf("install Kyverno's objects: %w", out.err())
	}
	deployment, err := p.Client.AppsV1().Deployments(kyvernoNamespace).Get(ctx, kyvernoName, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read Kyverno's Deployment: %w", err)
	}
	return &deployment.Spec.Template.Spec.Containers[0], nil
}

// kyvernoKubeconfig holds the token of the controller's ServiceAccount: it may do what its
// ClusterRoles say, and no more.
func (p *Plane) kyvernoKubeconfig(ctx context.Context) (string, error) {
	day := int64(24 * 60 * 60)
	request, err := p.Client.CoreV1().ServiceAccounts(kyvernoNamespace).CreateToken(ctx, kyvernoName,
		&authentication.TokenRequest{Spec: authentication.TokenRequestSpec{ExpirationSeconds: &day}},
		metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("request Kyverno's token: %w", err)
	}
	token := filepath.Join(p.Dir, "kyverno.token")
	if err := os.WriteFile(token, []byte(request.Status.Token), 0o600); err != nil {
		return "", err
	}
	file := filepath.Join(p.Dir, "kyverno.kubeconfig")
	return file, writeKubeconfig(file, p.Server, p.authority.bundle(), byToken(token))
}
