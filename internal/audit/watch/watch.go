// Package watch audits a cluster without end: what changes is judged again, and nothing
// else. Of several replicas one leads and writes reports and metrics. No admission waits for it.
package watch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/certificates"
	"github.com/headroom-dev/headroom/internal/configfile"
	"github.com/headroom-dev/headroom/internal/memorylimit"
	"github.com/headroom-dev/headroom/internal/serve"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Options are the flags of `headroom audit --watch`.
type Options struct {
	Cluster *rest.Config
	// ClusterName is the label cluster of all metrics; "" for none.
	ClusterName string
	// Engine is what the command was told of the policies. ConfigFile, where there is one,
	// is followed and takes the place of its Config.
	Engine     engine.Options
	ConfigFile string
	// ImageLockFile is a lock of images, which is followed, too.
	ImageLockFile string
	// Exclude are namespaces in which nothing is judged.
	Exclude []string
	// Namespace and Lease name the Lease by which one replica leads.
	Namespace, Lease string
	// Identity is this replica's; "" is that of the Pod, or of the machine.
	Identity string
	// MetricsListen and ProbeListen are addresses of /metrics, and of /healthz and /readyz.
	MetricsListen, ProbeListen string
	// MetricsCertDir holds the certificate of the metrics port, and the CA of those who may read it.
	MetricsCertDir string
	// Workers is how many objects are judged at a time; 0 is DefaultWorkers.
	Workers int
	// ReportRate bounds the writes of reports, per second; 0 is reports.DefaultRate.
	ReportRate float64
	// Resync is how often is looked for what a date has changed; 0 is DefaultResync.
	Resync time.Duration
	// Measure, if set, gives measured use. It is asked every MeasureEvery, and the Pods how their containers ended; 0 is never.
	Measure      measure.Source
	MeasureEvery time.Duration
	Version      string
	Log          logr.Logger
}

// DefaultWorkers judge some thousand objects a second, and one large one holds up no other.
const DefaultWorkers = 2

// DefaultResync brings the end of an exemption to light within the hour.
const DefaultResync = time.Hour

// auditor is what lasts from one term of leadership to the next.
type auditor struct {
	options    Options
	metrics    *metrics.Metrics
	rules      *rules
	categories map[string]string
	term       atomic.Pointer[term]
	stopping   atomic.Bool
}

// Run audits until the context ends, and has given up the Lease when it returns.
func Run(ctx context.Context, o Options) error {
	tuneMemory()
	a, config, lock, err := prepare(ctx, &o)
	if err != nil {
		return err
	}
	listeners, err := serve.Listen(ctx, o.MetricsListen, o.ProbeListen)
	if err != nil {
		return err
	}
	// Probes are answered until the last write has ended.
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	leading, resign := context.WithCancel(ctx)
	defer resign()
	monitoring := serve.Server(serve.Monitoring(a.metrics.Handler()), o.Log)
	if o.MetricsCertDir != "" {
		guard := certificates.ForMetrics(o.MetricsCertDir, o.Log)
		go func() { _ = guard.Start(background) }() // it ends with the context alone
		monitoring.TLSConfig = guard.TLS()
	}
	servers := []*http.Server{monitoring, serve.Server(serve.Probes(a.ready), o.Log)}
	failed := make(chan error, len(servers))
	var group sync.WaitGroup
	for i, server := range servers {
		group.Go(func() {
			if err := certificates.Serve(server, listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				failed <- fmt.Errorf("serve %s: %w", listeners[i].Addr(), err)
				resign()
			}
		})
	}
	group.Go(func() { config.Follow(background, a.rules.Reload) })
	group.Go(func() { lock.Follow(background, a.rules.ReloadImages) })
	o.Log.Info("headroom audit started", "version", o.Version, "metrics", listeners[0].Addr().String(),
		"probes", listeners[1].Addr().String(), "lease", o.Namespace+"/"+o.Lease, "identity", o.Identity,
		"config", o.ConfigFile)
	err = a.campaign(leading)
	a.stopping.Store(true)
	stop()
	for _, server := range servers {
		err = errors.Join(err, server.Close())
	}
	group.Wait()
	select {
	case failure := <-failed:
		err = errors.Join(err, failure)
	default:
	}
	o.Log.Info("stopped")
	return err
}

// prepare makes the parts; it asks the API server nothing.
func prepare(ctx context.Context, o *Options) (a *auditor, config, lock *configfile.File, err error) {
	if o.Workers <= 0 {
		o.Workers = DefaultWorkers
	}
	if o.Resync <= 0 {
		o.Resync = DefaultResync
	}
	if o.Identity == "" {
		host, err := os.Hostname()
		if err != nil {
			return nil, nil, nil, fmt.Errorf("name this replica: %w", err)
		}
		o.Identity = host + "_" + string(uuid.NewUUID())
	}
	catalogue, err := engine.Rules()
	if err != nil {
		return nil, nil, nil, err
	}
	a = &auditor{options: *o, metrics: metrics.New(o.ClusterName), categories: map[string]string{}}
	a.metrics.BuildInfo(o.Version)
	a.metrics.MeasuresEvery(o.MeasureEvery)
	for _, rule := range catalogue {
		a.categories[rule.ID] = rule.Category
	}
	a.rules = newRules(o, a.metrics)
	config, lock = serve.Files(o.ConfigFile, o.ImageLockFile, o.Log)
	content, err := config.First()
	if err != nil {
		return nil, nil, nil, err
	}
	images, err := lock.First()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := a.rules.Start(ctx, content, images); err != nil {
		return nil, nil, nil, err
	}
	return a, config, lock, nil
}

// ready says why this replica is not ready: it should lead with filled caches, or wait to lead.
func (a *auditor) ready() error {
	if a.stopping.Load() {
		return errors.New("stopping")
	}
	if t := a.term.Load(); t != nil && !t.synced.Load() {
		return errors.New("the caches are not filled yet")
	}
	return nil
}

// Garbage collection while watching: some more than half of what is alive, which is what is
// known of the cluster and the policies, may be added before it is collected.
const watchPercent = 60

// memoryShare of the container's memory may be used; the rest is buffers and the program.
const memoryShare = 0.85

// tuneMemory sets the garbage collector. The command has set it for a short run.
func tuneMemory() {
	most, _ := memorylimit.Tune(watchPercent, memoryShare)
	debug.SetMemoryLimit(most)
}

// giveBack returns to the system what the first look at everything took.
func giveBack() { debug.FreeOSMemory() }
