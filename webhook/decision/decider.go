// Package decision decides about objects with the policies and the config of the moment,
// each pod template once.
package decision

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

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
	// Deadline bounds one evaluation of the policies; 0 means DefaultDeadline.
	Deadline time.Duration
	// Metrics count hits, misses, reloads and panics.
	Metrics *metrics.Metrics
}

// DefaultCacheEntries is enough for the templates of a large cluster.
const DefaultCacheEntries = 4096

// DefaultDeadline is a hundred times what an evaluation takes (F16).
const DefaultDeadline = 250 * time.Millisecond

// Decider holds the policies and the config in force, and the decisions made with them. It
// is safe for concurrent use.
type Decider struct {
	file     string
	lockFile string
	contents contents // under reloading
	// What was read last of each and refused is not in force. Under reloading.
	configRefused, lockRefused bool

	metrics    *metrics.Metrics
	current    atomic.Pointer[rulebook]
	reloading  sync.Mutex
	generation uint64 // under reloading
	cache      *cache
	late       *late
	flights    singleflight.Group
	gate       *gate
	deadline   time.Duration
	now        func() time.Time
}

// contents are those of the files that are followed.
type contents struct{ config, lock []byte }

// rulebook is what decisions are made with: it is swapped whole.
type rulebook struct {
	generation uint64
	judge      judge
	cuts       cuts
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
		file:     o.ConfigFile,
		lockFile: o.ImageLockFile,
		contents: contents{lock: o.ImageLock},
		metrics:  o.Metrics,
		cache:    newCache(o.CacheEntries),
		late:     newLate(),
		gate:     newGate(runtime.GOMAXPROCS(0)),
		deadline: o.Deadline,
		now:      time.Now,
	}
	if err := d.Reload(ctx, o.Config); err != nil {
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

// Reload puts a config in force, nil for the defaults. One that is refused changes nothing
// but a metric.
func (d *Decider) Reload(ctx context.Context, content []byte) error {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	return d.load(ctx, contents{content, d.contents.lock}, &d.configRefused)
}

// ReloadImages does the same with a lock of images, nil for none.
func (d *Decider) ReloadImages(ctx context.Context, content []byte) error {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	return d.load(ctx, contents{d.contents.config, content}, &d.lockRefused)
}

func (d *Decider) load(ctx context.Context, c contents, refused *bool) error {
	next, err := d.rulebook(ctx, c)
	*refused = err != nil
	d.metrics.ConfigLoaded(d.now(), err, d.configRefused || d.lockRefused)
	if err != nil {
		return err
	}
	d.contents = c
	d.generation++
	next.generation = d.generation
	d.current.Store(next)
	d.cache.clear()
	d.late.clear()
	return nil
}

func (d *Decider) rulebook(ctx context.Context, c contents) (*rulebook, error) {
	var config, lock map[string]any
	var err error
	if c.config != nil {
		if config, err = settings.Parse(d.file, c.config); err != nil {
			return nil, fmt.Errorf("refuse the config: %w", err)
		}
	}
	if c.lock != nil {
		if lock, err = settings.ParseLock(d.lockFile, c.lock); err != nil {
			return nil, fmt.Errorf("refuse the image lock: %w", err)
		}
	}
	e, err := engine.New(ctx, engine.Options{Config: config, ImageLock: lock})
	if err != nil {
		return nil, fmt.Errorf("make the policies ready: %w", err)
	}
	// The first evaluation makes what later ones share, and shows that the config can be
	// judged with at all.
	if _, err := e.Evaluate(ctx, engine.Review{Manifest: map[string]any{}, Around: &engine.Context{}}); err != nil {
		return nil, fmt.Errorf("try the policies: %w", err)
	}
	return &rulebook{judge: e, cuts: cutsFor(namesMatter(config), labelsThatMatter(config)...)}, nil
}

// namesMatter tells whether an exemption of the config goes by an object's name.
func namesMatter(config map[string]any) bool {
	ignored, _ := config["ignore"].([]any)
	for _, entry := range ignored {
		fields, _ := entry.(map[string]any)
		if _, ok := fields["name"]; ok {
			return true
		}
	}
	return false
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
