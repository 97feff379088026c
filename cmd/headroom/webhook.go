//go:build !lean

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/headroom-dev/headroom/webhook"
	"github.com/headroom-dev/headroom/webhook/admission"
)

type webhookFlags struct {
	webhook.Options
	mutate     string
	kubeconfig string
	logLevel   string
}

func webhookCommand() *cobra.Command {
	var f webhookFlags
	cmd := &cobra.Command{
		Use:   "webhook",
		Short: "Serve the admission webhook: warn, refuse, fix Pods",
		Long: `Serve the admission webhook that the chart installs. It judges workloads and Pods
by the same rules as headroom lint, and the label of a Namespace says what follows:

  headroom.dev/mode=off        nothing
  headroom.dev/mode=audit      findings go to the API server's audit log
  headroom.dev/mode=warn       kubectl shows findings as warnings
  headroom.dev/mode=enforce    findings of severity error refuse the request
  headroom.dev/mutate=enabled  what is auto-fixable is fixed in Pods, as they are created

Paths: /mutate, /validate, /validate/enforce. Probes: /healthz, /readyz. It is not ready
without a valid certificate, and until it knows the Namespaces of the cluster. On SIGTERM
it turns not ready and answers on for as long as --drain says.

The heap grows with what is alive, and never above GOMEMLIMIT, else 80 % of the container's
memory. A GOGC that is set holds instead.`,
		Example: `  # beside a cluster, to try it
  headroom webhook --kubeconfig ~/.kube/config --cert-dir ./tls --listen 127.0.0.1:9443
  # in a cluster without cert-manager
  headroom webhook --self-signed --namespace headroom-system --service-name headroom-webhook`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runWebhook(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Listen, "listen", ":9443", "`ADDRESS` that the API server calls, with TLS")
	flags.StringVar(&f.MetricsListen, "metrics-listen", ":8080", "`ADDRESS` of /metrics")
	flags.StringVar(&f.MetricsCertDir, "metrics-cert-dir", "",
		"`DIR` with tls.crt, tls.key and ca.crt: /metrics with TLS, for clients with a certificate of that CA")
	flags.StringVar(&f.ProbeListen, "probe-listen", ":8081", "`ADDRESS` of /healthz and /readyz")
	flags.StringVar(&f.CertDir, "cert-dir", "/tls", "`DIR` with tls.crt and tls.key; followed when they change")
	flags.StringVar(&f.ClientCA, "client-ca", "",
		"`FILE` with the CAs of clients: who shows no certificate of theirs is refused; followed when it changes")
	flags.BoolVar(&f.SelfSigned, "self-signed", false,
		"make and rotate the certificate, and write its CA into the webhook configurations")
	flags.StringVar(&f.Namespace, "namespace", ownNamespace(),
		"`NAMESPACE` of the webhook itself; nothing in it is judged")
	flags.StringVar(&f.Service, "service-name", "",
		"`NAME` of the webhook's Service: not ready with a certificate for another")
	flags.StringVar(&f.Secret, "secret-name", "headroom-webhook-self-signed",
		"`NAME` of the Secret for a self-signed certificate")
	flags.StringVar(&f.Webhook, "webhook-name", "headroom", "`NAME` of both webhook configurations, with --self-signed")
	flags.StringVar(&f.ConfigFile, "config", "/etc/headroom/headroom.yaml",
		"config `FILE`; the defaults where there is none; followed when it changes")
	flags.StringVar(&f.ImageLockFile, "images", "",
		"lock `FILE` of headroom images lock, which says what the images start; followed when it changes")
	flags.StringVar(&f.DefaultMode, "default-mode", admission.ModeWarn,
		"`MODE` of Namespaces without the label headroom.dev/mode: off, audit, warn or enforce")
	flags.StringVar(&f.mutate, "default-mutate", "disabled",
		"`STATE` of Namespaces without the label headroom.dev/mutate: enabled or disabled")
	flags.StringSliceVar(&f.Exclude, "exclude-namespaces", []string{"kube-system", "kube-public", "kube-node-lease"},
		"`NAMESPACES` in which nothing is judged, whatever their labels; the webhook's own is one of them")
	flags.IntVar(&f.CacheEntries, "cache-entries", 4096, "`NUMBER` of decisions that are remembered")
	flags.DurationVar(&f.Drain, "drain", 10*time.Second, "`TIME` to answer on after SIGTERM")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "kubeconfig `FILE`, outside a cluster")
	flags.StringVar(&f.logLevel, "log-level", "info", "lowest `LEVEL` to log: debug, info, warn or error")
	cmd.AddCommand(probeCommand())
	return cmd
}

func runWebhook(cmd *cobra.Command, f webhookFlags) error {
	modes := []string{admission.ModeOff, admission.ModeAudit, admission.ModeWarn, admission.ModeEnforce}
	if !slices.Contains(modes, f.DefaultMode) {
		return fmt.Errorf("--default-mode %q is not one of %s", f.DefaultMode, strings.Join(modes, ", "))
	}
	switch f.mutate {
	case "enabled":
		f.DefaultMutate = true
	case "disabled":
	default:
		return fmt.Errorf("--default-mutate %q is not enabled or disabled", f.mutate)
	}
	if f.SelfSigned && f.Service == "" {
		f.Service = "headroom-webhook"
	}
	if f.Service != "" && f.Namespace == "" {
		return fmt.Errorf("--service-name and --self-signed need --namespace")
	}
	log, err := webhook.NewLogger(cmd.ErrOrStderr(), f.logLevel)
	if err != nil {
		return err
	}
	f.Log, f.Version = log, versionString()
	if f.Cluster, err = clusterConfig(f.kubeconfig); err != nil {
		return err
	}
	f.Cluster.UserAgent = "headroom-webhook/" + f.Version
	return webhook.Run(cmd.Context(), f.Options)
}

func clusterConfig(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		config, err := rest.InClusterConfig()
		if err != nil {
			return nil, fmt.Errorf("this is not a Pod of a cluster, so name a --kubeconfig: %w", err)
		}
		return config, nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read --kubeconfig: %w", err)
	}
	return config, nil
}

// ownNamespace is the Namespace of the Pod that this runs in, "" outside a cluster.
func ownNamespace() string {
	content, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}
