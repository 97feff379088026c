package plane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Names of the chart, as a user installs it.
const (
	Release          = "headroom"
	ReleaseNamespace = "headroom-system"
	WebhookName      = "headroom-webhook"
)

// build compiles the headroom whose webhook runs, or takes the one that was given.
func (p *Plane) build(ctx context.Context) error {
	if p.options.Binary != "" {
		return nil
	}
	p.options.Binary = filepath.Join(p.Dir, "headroom")
	//nolint:gosec // our own folder
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", p.options.Binary, "./cmd/headroom")
	command.Dir = p.root
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// InstallArguments are what a user types after `helm`.
func InstallArguments(more ...string) []string {
	return append([]string{
		"install", Release, "charts/headroom", "--namespace", ReleaseNamespace, "--create-namespace",
		"--wait", "--timeout", "90s",
	}, more...)
}

// install installs the chart, and waits until the API server reaches the webhook.
func (p *Plane) install(ctx context.Context) error {
	if out := p.Helm(InstallArguments(p.options.HelmArguments...)...); out.Code != 0 {
		return fmt.Errorf("%w\n%s", out.err(), p.Diagnosis())
	}
	return p.WaitWebhook(ctx)
}
