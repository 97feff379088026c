package plane

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// startCertManager installs cert-manager's resources from its Go module and runs its
// reconcilers. The first issuer is answered as soon as they have read the cluster.
func (p *Plane) startCertManager(ctx context.Context) error {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/cert-manager/cert-manager")
	list.Dir = filepath.Join(p.root, "tools", "cert-manager")
	module, err := list.Output()
	if err != nil {
		return fmt.Errorf("find cert-manager's module: %w", err)
	}
	crds := filepath.Join(strings.TrimSpace(string(module)), "deploy", "crds")
	if out := p.Kubectl("apply", "--server-side", "-f", crds); out.Code != 0 {
		return fmt.Errorf("install cert-manager's resources: %w", out.err())
	}
	if out := p.Kubectl("wait", "--for=condition=Established", "--timeout=10m", "-f", crds); out.Code != 0 {
		return fmt.Errorf("install cert-manager's resources: %w", out.err())
	}
	if p.CertManager, err = p.process("cert-manager", "--kubeconfig="+p.Kubeconfig); err != nil {
		return err
	}
	return p.CertManager.Start()
}
