//go:build !lean

package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/reports"
	"github.com/headroom-dev/headroom/internal/audit/watch"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook"
)

// watchFlags are those of an audit without end, as the chart runs it.
type watchFlags struct {
	watch.Options
	on       bool
	logLevel string
	flags    *pflag.FlagSet
	// own are those that say nothing without --watch.
	own *pflag.FlagSet
}

func (f *watchFlags) add(all *pflag.FlagSet) {
	f.flags = all
	f.MeasureEvery = watch.DefaultMeasureEvery
	all.BoolVar(&f.on, "watch", false,
		"go on for ever: judge the whole cluster and then what changes, write reports into it, serve metrics")
	flags := pflag.NewFlagSet("watch", pflag.ContinueOnError)
	defer func() { all.AddFlagSet(flags) }()
	f.own = flags
	flags.StringVar(&f.Namespace, "lease-namespace", ownNamespace(),
		"with --watch, `NAMESPACE` of the Lease by which one of several replicas leads")
	flags.StringVar(&f.Lease, "lease-name", "headroom-audit", "with --watch, `NAME` of that Lease")
	flags.StringVar(&f.ClusterName, "cluster-name", "",
		"with --watch, `NAME` that all metrics have as the label cluster, to tell several clusters apart")
	flags.StringVar(&f.MetricsListen, "metrics-listen", ":8080", "with --watch, `ADDRESS` of /metrics")
	flags.StringVar(&f.MetricsCertDir, "metrics-cert-dir", "", "with --watch, `DIR` with tls.crt, tls.key and ca.crt: "+
		"/metrics with TLS, for clients with a certificate of that CA")
	flags.StringVar(&f.ProbeListen, "probe-listen", ":8081", "with --watch, `ADDRESS` of /healthz and /readyz")
	flags.Float64Var(&f.ReportRate, "report-rate", reports.DefaultRate,
		"with --watch, `NUMBER` of reports that are written a second at most")
	flags.DurationVar(&f.Resync, "resync", watch.DefaultResync,
		"with --watch, `TIME` between looks for exemptions that have ended; what has not changed is not judged again")
	flags.Var((*durationValue)(&f.MeasureEvery), "prometheus-every", "with --watch, how often --prometheus is asked, "+
		"and the status of the Pods for OOM kills; 0 is never")
	flags.StringVar(&f.logLevel, "log-level", "info", "with --watch, lowest `LEVEL` to log: debug, info, warn or error")
}

// once are flags of an audit that ends, and prefixes of such.
var once = []string{
	"namespace", "selector", "output", "fail-on", "preview", "vpa", "baseline", "write-baseline",
	"strict-baseline",
}

// idle refuses flags that have no effect in an audit that ends.
func (f *watchFlags) idle() (err error) {
	f.own.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed && !f.on && err == nil {
			err = fmt.Errorf("--%s is for an audit that goes on: it needs --watch", flag.Name)
		}
	})
	return err
}

// check refuses flags that have no effect in an audit without end.
func (f *watchFlags) check() (err error) {
	f.flags.Visit(func(flag *pflag.Flag) {
		for _, name := range once {
			if flag.Name == name || strings.HasPrefix(flag.Name, name+"-") {
				err = fmt.Errorf("--watch judges the whole cluster and writes reports into it: leave out --%s", flag.Name)
			}
		}
	})
	return err
}

func (f *auditFlags) watchCluster(ctx context.Context, o engine.Options) error {
	cluster, name, err := f.cluster()
	if err != nil {
		return err
	}
	source, err := f.measure.forContext(name).source(cluster)
	if err != nil {
		return err
	}
	if source != nil {
		f.watch.Measure = source
	}
	return f.watch.run(ctx, cluster, o)
}

// run audits until the context ends. The file of --config is followed.
func (f *watchFlags) run(ctx context.Context, config *rest.Config, o engine.Options) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.Namespace == "" {
		return fmt.Errorf("--watch needs --lease-namespace outside a cluster")
	}
	log, err := webhook.NewLogger(os.Stderr, f.logLevel)
	if err != nil {
		return err
	}
	f.Log, f.Version, f.Engine = log, versionString(), o
	f.Cluster = rest.CopyConfig(config)
	f.Cluster.UserAgent = "headroom-audit/" + f.Version
	f.Identity = os.Getenv("POD_NAME")
	// The options of the command for one run hold for an endless one, too.
	if f.ConfigFile, err = f.flags.GetString("config"); err != nil {
		return err
	}
	if f.ImageLockFile, err = f.flags.GetString("images"); err != nil {
		return err
	}
	if f.Exclude, err = f.flags.GetStringSlice("exclude-namespaces"); err != nil {
		return err
	}
	if f.Workers, err = f.flags.GetInt("workers"); err != nil {
		return err
	}
	return watch.Run(ctx, f.Options)
}
