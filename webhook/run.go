// Package webhook serves the admission webhook: it wires decisions, cluster and
// certificates together, and answers probes and Prometheus on ports of their own.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	certmetrics "sigs.k8s.io/controller-runtime/pkg/certwatcher/metrics"

	"github.com/headroom-dev/headroom/internal/certificates"
	"github.com/headroom-dev/headroom/internal/configfile"
	"github.com/headroom-dev/headroom/internal/memorylimit"
	"github.com/headroom-dev/headroom/internal/serve"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/cluster"
	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// The paths that the API server calls.
const (
	PathMutate          = "/mutate"
	PathValidate        = "/validate"
	PathValidateEnforce = "/validate/enforce"
)

// Options are the flags of `headroom webhook`.
type Options struct {
	Listen, MetricsListen, ProbeListen string

	CertDir, ClientCA string
	SelfSigned        bool
	// MetricsCertDir holds the certificate of the metrics port, and the CA of those who may read it.
	MetricsCertDir string
	// Namespace is the webhook's own, in which nothing is judged.
	Namespace string
	// Service is the name that the certificate must be for; empty where the API server
	// calls a URL.
	Service string
	// Secret and Webhook are where a self-signed certificate is kept, and the webhook
	// configurations that are told of its CA.
	Secret, Webhook string

	ConfigFile    string
	ImageLockFile string
	DefaultMode   string
	DefaultMutate bool
	Exclude       []string
	CacheEntries  int
	// Drain is how long requests are answered after the order to stop: as long as the
	// cluster takes to learn that this replica is no longer ready.
	Drain time.Duration
	// drained, of the tests, ends the drain before its time.
	drained <-chan struct{}

	Cluster *rest.Config
	Version string
	Log     logr.Logger
}

// parts are what a running webhook is made of.
type parts struct {
	options      Options
	metrics      *metrics.Metrics
	decider      *decision.Decider
	cluster      *cluster.Cluster
	certificates *certificates.Certificates
	config, lock *configfile.File
	draining     atomic.Bool
}

// Run serves until the context ends and the drain is over.
func Run(ctx context.Context, o Options) error {
	growing := tuneMemory()
	p, err := assemble(ctx, o)
	if err != nil {
		return err
	}
	listeners, err := serve.Listen(ctx, o.Listen, o.ProbeListen, o.MetricsListen)
	if err != nil {
		return err
	}
	// What answers requests goes on while the drain lasts, after the context has ended.
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	failed := make(chan error, 8)
	start := func(name string, run func(context.Context) error) {
		go func() {
			if err := run(background); err != nil && !errors.Is(err, http.ErrServerClosed) {
				failed <- fmt.Errorf("%s: %w", name, err)
			}
		}()
	}
	start("caches", p.cluster.Start)
	start("certificates", p.certificates.Start)
	start("config", func(ctx context.Context) error { p.config.Follow(ctx, p.decider.Reload); return nil })
	start("image lock", func(ctx context.Context) error { p.lock.Follow(ctx, p.decider.ReloadImages); return nil })
	laden := func() bool { return p.decider.Laden(ladenPeriod) }
	start("heap", func(ctx context.Context) error { growing.Follow(ctx, limitPeriod, laden); return nil })
	start("memory", func(ctx context.Context) error { p.giveBack(ctx); return nil })
	if o.SelfSigned {
		start("self-signed certificate", p.selfSigned().Start)
	}
	probes := serve.Server(serve.Probes(p.ready), o.Log)
	monitoring := serve.Server(serve.Monitoring(p.metrics.Handler()), o.Log)
	if o.MetricsCertDir != "" {
		guard := certificates.ForMetrics(o.MetricsCertDir, o.Log)
		start("metrics certificates", guard.Start)
		monitoring.TLSConfig = guard.TLS()
	}
	start("probe port", func(context.Context) error { return probes.Serve(listeners[1]) })
	start("metrics port", func(context.Context) error { return certificates.Serve(monitoring, listeners[2]) })
	o.Log.Info("headroom webhook started", "version", o.Version, "listen", listeners[0].Addr().String(),
		"probes", listeners[1].Addr().String(), "metrics", listeners[2].Addr().String(),
		"defaultMode", o.DefaultMode, "defaultMutate", o.DefaultMutate, "excluded", p.cluster.Excluded(),
		"config", o.ConfigFile)

	serving, abandon := context.WithCancelCause(ctx)
	defer abandon(nil)
	served := make(chan struct{})
	start("webhook port", func(context.Context) error {
		defer close(served)
		return p.admissionServer(listeners[0]).Start(serving)
	})
	select {
	case err = <-failed:
		abandon(errPartFailed)
	case <-ctx.Done():
	}
	<-served
	return errors.Join(err, probes.Close(), monitoring.Close())
}

// assemble makes the parts; it starts none of them.
func assemble(ctx context.Context, o Options) (*parts, error) {
	rules, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(rules))
	for _, rule := range rules {
		ids = append(ids, rule.ID)
	}
	p := &parts{options: o, metrics: metrics.New(ids)}
	p.metrics.BuildInfo(o.Version)
	// How often the certificate was read, and could not be (F11).
	p.metrics.Register(certmetrics.ReadCertificateTotal, certmetrics.ReadCertificateErrors)
	p.config, p.lock = serve.Files(o.ConfigFile, o.ImageLockFile, o.Log)
	config, err := p.config.First()
	if err != nil {
		return nil, err
	}
	lock, err := p.lock.First()
	if err != nil {
		return nil, err
	}
	p.decider, err = decision.New(ctx, decision.Options{
		Config: config, ConfigFile: o.ConfigFile, ImageLock: lock, ImageLockFile: o.ImageLockFile, CacheEntries: o.CacheEntries, Metrics: p.metrics,
	})
	if err != nil {
		return nil, err
	}
	p.cluster, err = cluster.New(cluster.Options{
		Config: o.Cluster, DefaultMode: o.DefaultMode, DefaultMutate: o.DefaultMutate,
		Exclude: excluded(o), Log: o.Log.WithName("cluster"),
	})
	if err != nil {
		return nil, err
	}
	p.certificates = certificates.New(certificates.Options{
		Dir: o.CertDir, ClientCA: o.ClientCA, DNSName: serviceName(o), Expires: p.metrics.CertificateExpires,
		Log: o.Log.WithName("certificates"),
	})
	return p, nil
}

// giveBack returns to the system, once, what starting took and serving does not need.
func (p *parts) giveBack(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for p.ready() != nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	debug.FreeOSMemory()
	releasePages()
}

// excluded are the Namespaces of the flag and the webhook's own.
func excluded(o Options) []string {
	if o.Namespace == "" {
		return o.Exclude
	}
	return append(append([]string{}, o.Exclude...), o.Namespace)
}

// serviceName is the name that the API server calls a Service by.
func serviceName(o Options) string {
	if o.Service == "" {
		return ""
	}
	return o.Service + "." + o.Namespace + ".svc"
}

func (p *parts) selfSigned() certificates.SelfSigned {
	return certificates.SelfSigned{
		Config: p.options.Cluster, Namespace: p.options.Namespace, Secret: p.options.Secret,
		Webhook: p.options.Webhook, DNSName: serviceName(p.options), Dir: p.options.CertDir,
		Log: p.options.Log.WithName("self-signed"),
	}
}

// Garbage collection while serving. A decision makes garbage and keeps nothing, so the heap may
// grow well past what is alive before it is worth collecting. With Go's default of 100 the webhook
// spends its core on that. A soft limit bounds the growth: small where little is alive.
const (
	servePercent = 400
	smallLimit   = 64 << 20 // with the program's own pages, less than 96 MiB in all
	runtimeBytes = 12 << 20 // stacks and the runtime's own, which the limit counts too
	memoryShare  = 0.8      // of the container's memory; the rest is buffers and the program
	limitPeriod  = time.Second
	ladenPeriod  = 10 * time.Second
)

func heap(most int64, fixed bool) memorylimit.Heap {
	return memorylimit.Heap{Most: most, Small: smallLimit, Extra: runtimeBytes, Fixed: fixed}
}

// tuneMemory sets the garbage collector for serving. The variables GOGC and GOMEMLIMIT,
// where they are set, hold.
func tuneMemory() memorylimit.Heap {
	h := heap(memorylimit.Tune(servePercent, memoryShare))
	debug.SetMemoryLimit(h.For(0, false))
	return h
}
