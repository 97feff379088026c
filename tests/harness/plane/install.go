package plane

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/headroom-dev/headroom/tests/harness/program"
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
	return program.Compile(ctx, p.options.Binary, program.Command) // as the image has it
}

// InstallArguments are what a user types after `helm`.
func InstallArguments(more ...string) []string {
	return append([]string{
		"install", Release, "charts/headroom", "--namespace", ReleaseNamespace, "--create-namespace",
		"--wait", "--timeout", "10m",
	}, more...)
}

// install installs the chart, and waits until the API server reaches the webhook.
func (p *Plane) install(ctx context.Context) error {
	if out := p.Helm(InstallArguments(p.options.HelmArguments...)...); out.Code != 0 {
		return fmt.Errorf("%w\n%s", out.err(), p.Diagnosis())
	}
	return p.WaitWebhook(ctx)
}
