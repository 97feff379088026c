package watch

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/reports"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/audit/watch/queue"
)

// term is one term of leadership: it begins with nothing in memory and leaves nothing behind
// but the reports.
type term struct {
	options    Options
	metrics    *metrics.Metrics
	rules      *rules
	categories map[string]string
	client     dynamic.Interface
	kinds      map[string]cluster.Kind
	informers  map[string]toolscache.SharedIndexInformer
	around     *surroundings
	verdicts   *verdicts
	queue      *queue.Queue[cluster.Key]
	writer     *reports.Writer
	tally      *metrics.Tally
	reader     *cluster.Reader
	measured   *measures
	lacks      map[string]bool // what the log has said that Prometheus lacks
	idle       sync.Map        // UIDs of stubs that were found to do nothing, with what told so
	filled     chan struct{}   // closed when the caches are
	synced     atomic.Bool
	complete   atomic.Bool
}

// Requests to the API server, per second: some lists and watches, and single reads of what
// controllers make.
const (
	readRate  = 50
	readBurst = 100
)

func newTerm(o Options, m *metrics.Metrics, r *rules, categories map[string]string) (*term, error) {
	config := rest.CopyConfig(o.Cluster)
	config.QPS, config.Burst = readRate, readBurst
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("prepare connections to the API server: %w", err)
	}
	t := &term{
		options: o, metrics: m, rules: r, categories: categories, verdicts: newVerdicts(), measured: newMeasures(),
		kinds: map[string]cluster.Kind{}, informers: map[string]toolscache.SharedIndexInformer{}, filled: make(chan struct{}),
	}
	if t.client, err = dynamic.NewForConfigAndClient(config, http); err != nil {
		return nil, fmt.Errorf("prepare the client for workloads: %w", err)
	}
	if t.reader, err = cluster.New(cluster.Options{Config: o.Cluster}); err != nil {
		return nil, err
	}
	slim, err := metadata.NewForConfigAndClient(metadata.ConfigFor(config), http)
	if err != nil {
		return nil, fmt.Errorf("prepare the client for metadata: %w", err)
	}
	t.queue = queue.New[cluster.Key](func(lag time.Duration) { m.Took(metrics.Judge, lag) })
	t.writer, err = reports.New(reports.Options{
		Config: o.Cluster, Rate: float32(o.ReportRate), Metrics: m, Log: o.Log.WithName("reports"), After: t.measured.first,
		Missing: func(key cluster.Key) {
			t.verdicts.doubt(key)
			t.queue.Add(key)
		},
	})
	if err != nil {
		return nil, err
	}
	t.tally = metrics.NewTally(map[string]func() (int, time.Duration){
		metrics.Judge: t.queue.Waiting, metrics.Report: t.writer.Waiting,
	})
	t.inform(slim)
	t.around = &surroundings{
		namespaces: t.informers[cluster.Namespaces.Kind], ranges: t.informers[cluster.LimitRanges.Kind],
		quotas: t.informers[cluster.ResourceQuotas.Kind], boosts: t.informers[cluster.StartupCPUBoosts.Kind],
		known: map[string]around{},
	}
	return t, nil
}

// run judges until the context ends, and returns when nothing runs any more.
func (t *term) run(ctx context.Context) error {
	defer t.metrics.Register(t.tally)()
	var group sync.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for kind, informer := range t.informers {
		if _, err := informer.AddEventHandler(t.following(kind)); err != nil {
			return fmt.Errorf("watch %s: %w", kind, err)
		}
		group.Go(func() { informer.RunWithContext(ctx) })
	}
	all := t.all
	t.rules.changed.Store(&all)
	defer t.rules.changed.Store(nil)
	group.Go(func() { t.writer.Run(ctx) })
	group.Go(func() { t.begin(ctx) })
	group.Go(func() { t.measuring(ctx) })
	group.Go(func() { t.resync(ctx) })
	group.Wait()
	return nil
}

// begin judges everything once the caches are filled.
func (t *term) begin(ctx context.Context) {
	began := time.Now()
	if !t.waitForCaches(ctx) {
		return
	}
	t.synced.Store(true)
	close(t.filled)
	t.options.Log.Info("caches are filled", "seconds", time.Since(began).Seconds())
	t.all()
	t.queue.Work(ctx, t.options.Workers, t.judge)
}

// settleInterval is how often is looked whether everything has been judged.
const settleInterval = time.Second

// resync looks at everything again now and then: an exemption may have ended with the day.
// What has not changed is not judged again, and that costs microseconds.
func (t *term) resync(ctx context.Context) {
	settled, resync := time.NewTicker(settleInterval), time.NewTicker(t.options.Resync)
	defer settled.Stop()
	defer resync.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-resync.C:
			t.all()
		case now := <-settled.C:
			if waiting, _ := t.queue.Waiting(); waiting > 0 || !t.synced.Load() {
				continue
			}
			t.metrics.Synced(now)
			if t.complete.CompareAndSwap(false, true) {
				t.options.Log.Info("everything has been judged", "subjects", t.verdicts.size())
				t.writer.Complete()
				giveBack()
			}
		}
	}
}

// all puts every object into the queue.
func (t *term) all() {
	if !t.synced.Load() {
		return
	}
	for kind := range t.kinds {
		for _, stored := range t.informers[kind].GetStore().List() {
			t.queue.Add(subjectOf(t.kinds[kind], stored.(*object)))
		}
	}
}
