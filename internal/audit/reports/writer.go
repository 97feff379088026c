package reports

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
	"github.com/headroom-dev/headroom/internal/audit/watch/queue"
)

// Options say where and how fast reports are written.
type Options struct {
	Config *rest.Config
	// Rate bounds the writes, per second; 0 means DefaultRate.
	Rate float32
	// Missing is called when a report has to be written whose content is not in memory: the
	// subject must be judged again.
	Missing func(cluster.Key)
	// After, if set, is closed when writing may begin.
	After   <-chan struct{}
	Metrics *metrics.Metrics
	Log     logr.Logger
}

// DefaultRate writes the reports of 10 000 workloads in four minutes, and is a small part of
// what an API server and its etcd take.
const DefaultRate = 40

// workers write at the same time: a write is some milliseconds of waiting.
const workers = 4

// lookInterval stands between questions which kinds of reports there are.
const lookInterval = 10 * time.Second

// Writer makes the reports of the cluster what they should be, for one term of leadership.
type Writer struct {
	options   Options
	dynamic   dynamic.Interface
	metadata  metadata.Interface
	discovery discoverer
	limiter   flowcontrol.RateLimiter
	queue     *queue.Queue[cluster.Key]
	latest    *session // of followAPIs; it may not know yet what is there

	mu      sync.Mutex
	wants   map[cluster.Key]want
	session *session // that knows what is there; nil without a session
	// complete is set once every subject has been judged: what is not wanted then is not
	// wanted at all.
	complete bool
}

// want is the report that a subject should have; without a name it should have none.
type want struct {
	name, digest string
	body         pack.Packed // until it has been written
}

// New prepares a writer; it asks the API server nothing.
func New(o Options) (*Writer, error) {
	if o.Rate <= 0 {
		o.Rate = DefaultRate
	}
	config := rest.CopyConfig(o.Config)
	config.QPS = -1 // the limiter below counts writes
	w := &Writer{
		options: o,
		limiter: flowcontrol.NewTokenBucketRateLimiter(o.Rate, max(1, int(o.Rate))),
		wants:   map[cluster.Key]want{},
	}
	w.queue = queue.New[cluster.Key](func(lag time.Duration) { o.Metrics.Took(metrics.Report, lag) })
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("prepare connections to the API server: %w", err)
	}
	if w.dynamic, err = dynamic.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("prepare the client for reports: %w", err)
	}
	if w.metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), client); err != nil {
		return nil, fmt.Errorf("prepare the client for reports: %w", err)
	}
	if w.discovery, err = discovery.NewDiscoveryClientForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("prepare the client for reports: %w", err)
	}
	return w, nil
}

// Waiting is how many reports wait to be written, and for how long.
func (w *Writer) Waiting() (int, time.Duration) { return w.queue.Waiting() }

// Want says which report a subject should have; nil stands for none.
func (w *Writer) Want(key cluster.Key, r *Report) error {
	var next want
	if r != nil {
		body, digest, err := r.packed()
		if err != nil {
			return err
		}
		next = want{name: r.Subject.reportName(), digest: digest, body: body}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session == nil {
		next.body = nil // it is asked for again when there is somewhere to write it
	}
	w.wants[key] = next
	if w.session != nil && (next.name != "" || w.session.has(key)) {
		w.queue.Add(key)
	}
	return nil
}

// Complete says that every subject has been judged, so that what is left of others can go.
func (w *Writer) Complete() {
	w.mu.Lock()
	w.complete = true
	s := w.session
	w.mu.Unlock()
	if s != nil {
		s.addAll(w.queue.Add)
	}
}

// wanted is what a subject should have; known is false until that is decided.
func (w *Writer) wanted(key cluster.Key) (wanted want, s *session, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wanted, known = w.wants[key]
	return wanted, w.session, known || w.complete
}

// written forgets the content that has been written, and a subject that is to have nothing.
func (w *Writer) written(key cluster.Key, what want) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, known := w.wants[key]
	switch {
	case !known || now.digest != what.digest || now.name != what.name:
	case now.name == "" && w.complete:
		delete(w.wants, key)
	default:
		now.body = nil
		w.wants[key] = now
	}
}

// Run writes until the context ends, and returns when nothing is being written any more.
func (w *Writer) Run(ctx context.Context) {
	var group sync.WaitGroup
	group.Go(func() {
		if w.options.After != nil {
			select {
			case <-ctx.Done():
			case <-w.options.After:
			}
		}
		w.queue.Work(ctx, workers, w.sync)
	})
	w.followAPIs(ctx)
	group.Wait()
}
