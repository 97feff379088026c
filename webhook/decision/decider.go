// Package decision decides about objects with the policies and the config of the moment,
// each pod template once.
package decision

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
	"k8s.io/utils/lru"

	"github.com/headroom-dev/headroom/internal/cputime"
	"github.com/headroom-dev/headroom/internal/serve"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// Options say how a Decider starts.
type Options struct {
	// Config is the content of a headroom.yaml; nil for the defaults.
	Config []byte
	// ConfigFile names the config in errors.
	ConfigFile string
	// ImageLock is the content of a headroom-images.yaml, nil for none, and ImageLockFile names it in errors.
	ImageLock     []byte
	ImageLockFile string
	// CacheEntries bounds the cache; 0 means DefaultCacheEntries.
	CacheEntries int
	// Deadline bounds what one evaluation of the policies takes of a processor; 0 means DefaultDeadline.
	Deadline time.Duration
	// Metrics count hits, misses, reloads and panics.
	Metrics *metrics.Metrics
}

// DefaultCacheEntries is enough for the templates of a large cluster.
const DefaultCacheEntries = 4096

// DefaultDeadline is a hundred times what an evaluation takes of a processor (F16).
const DefaultDeadline = 250 * time.Millisecond

// longest is how long an evaluation with the default deadline may last, however little of a processor it gets: the API
// server waits for two seconds.
const longest = 2 * DefaultDeadline

// Decider holds the policies and the config in force, and the decisions made with them. It
// is safe for concurrent use.
type Decider struct {
	serve.Rules
	metrics    *metrics.Metrics
	current    atomic.Pointer[rulebook]
	generation uint64 // of inForce
	cache      *cache
	late       *slowObjects
	flights    singleflight.Group
	gate       *gate
	deadline   time.Duration
	now        func() time.Time
}

// rulebook is what decisions are made with: it is swapped whole.
type rulebook struct {
	generation uint64
	judge      judge
	reductions reductions
}

// judge is the part of the engine that decisions need.
type judge interface {
	Evaluate(context.Context, engine.Review) (engine.Result, error)
	Fix(context.Context, engine.Review) (engine.Fixed, error)
}

// New makes a Decider; a config that is refused is an error.
func New(ctx context.Context, o Options) (*Decider, error) {
	o = o.complete()
	d := &Decider{
		Rules:    serve.Rules{ConfigFile: o.ConfigFile, LockFile: o.ImageLockFile, Metrics: o.Metrics.Metrics},
		metrics:  o.Metrics,
		cache:    newCache(o.CacheEntries),
		late:     &slowObjects{lru.New(maxLate)},
		gate:     newGate(runtime.GOMAXPROCS(0)),
		deadline: o.Deadline,
		now:      time.Now,
	}
	d.gate.meter = func() func() time.Duration { return cputime.Start().Stop }
	d.InForce = d.inForce
	if err := d.Start(ctx, o.Config, o.ImageLock); err != nil {
		return nil, err
	}
	d.metrics.CacheEntries(d.cache.len)
	d.metrics.Waiting(d.gate.waits)
	return d, nil
}

// complete puts the defaults in the place of what is not said.
func (o Options) complete() Options {
	if o.CacheEntries <= 0 {
		o.CacheEntries = DefaultCacheEntries
	}
	if o.Deadline <= 0 {
		o.Deadline = DefaultDeadline
	}
	if o.ConfigFile == "" {
		o.ConfigFile = settings.FileName
	}
	if o.Metrics == nil {
		o.Metrics = metrics.New(nil)
	}
	return o
}

// inForce decides by a new config from now on, and forgets what was decided by the one before.
func (d *Decider) inForce(e *engine.Engine, config map[string]any) {
	d.generation++
	d.current.Store(&rulebook{
		generation: d.generation, judge: e, reductions: reductionsFor(serve.Exempts(config, "name"), labelsThatMatter(config)...),
	})
	d.cache.clear()
	d.late.clear()
}

// labelsThatMatter are the labels by which the config tells classes.
func labelsThatMatter(config map[string]any) []string {
	var names []string
	classes, _ := config["classes"].([]any)
	for _, entry := range classes {
		fields, _ := entry.(map[string]any)
		labels, _ := fields["labels"].(map[string]any)
		names = slices.AppendSeq(names, maps.Keys(labels))
	}
	return names
}

// Laden says whether an object that takes long was judged within some time.
func (d *Decider) Laden(within time.Duration) bool { return d.gate.laden(within) }
