// Command cert-manager runs cert-manager's real reconcilers against one API server: issuers,
// certificates, requests signed by a CA or by themselves, and the CA injector. Upstream's
// commands are modules of their own and want far more than certificates for a webhook.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	controllerpkg "github.com/cert-manager/cert-manager/pkg/controller"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
)

// userAgent is also the field manager of what the reconcilers write; empty it is refused.
const userAgent = "cert-manager"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "cert-manager:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	// controller-runtime registers "kubeconfig" with the common flag set.
	flags := flag.NewFlagSet("cert-manager", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "how to reach the API server")
	injector := flags.Bool("injector", true, "run the CA injector")
	issuer := flags.Bool("issuer", true, "run the controllers of issuers and certificates")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctrl.SetLogger(klog.Background())

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return fmt.Errorf("read kubeconfig: %w", err)
	}
	config.UserAgent = userAgent

	failed := make(chan error, len(controllerpkg.Known())+1)
	if *injector {
		manager, err := newInjector(ctx, rest.CopyConfig(config))
		if err != nil {
			return fmt.Errorf("set up injector: %w", err)
		}
		go func() { failed <- manager.Start(ctx) }()
	}
	if *issuer {
		if err := startControllers(ctx, *kubeconfig, failed); err != nil {
			return err
		}
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

// startControllers starts every controller whose package is imported above.
func startControllers(ctx context.Context, kubeconfig string, failed chan<- error) error {
	factory, err := controllerpkg.NewContextFactory(ctx, controllerpkg.ContextOptions{
		Kubeconfig:         kubeconfig,
		KubernetesAPIQPS:   100,
		KubernetesAPIBurst: 200,
		IssuerOptions:      controllerpkg.IssuerOptions{ClusterResourceNamespace: "cert-manager"},
		CertificateOptions: controllerpkg.CertificateOptions{
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
	})
	if err != nil {
		return fmt.Errorf("set up controllers: %w", err)
	}
	shared, err := factory.Build()
	if err != nil {
		return fmt.Errorf("set up controllers: %w", err)
	}
	for name, construct := range controllerpkg.Known() {
		controller, err := construct(factory)
		if err != nil {
			return fmt.Errorf("set up controller %s: %w", name, err)
		}
		go func() { failed <- controller.Run(2, ctx) }()
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	return nil
}
