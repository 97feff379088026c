package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// rulebook is what is judged with: it is swapped whole.
type rulebook struct {
	engine *engine.Engine
	// generation grows with every config that is put in force.
	generation uint64
	// dated says that the config holds exemptions that end.
	dated bool
}

// rules keep the rulebook in force.
type rules struct {
	file string
	// lockFile is that of a lock of images, config and lock what is in force.
	lockFile     string
	config, lock []byte
	// What was read last of each and refused is not in force.
	configRefused, lockRefused bool

	loading sync.Mutex
	options engine.Options // without a file
	metrics *metrics.Metrics
	current atomic.Pointer[rulebook]
	changed atomic.Pointer[func()] // told of a new rulebook
}

// load puts a config in force, nil for what the command was started with. One that is
// refused changes nothing but a metric.
func (r *rules) load(ctx context.Context, content []byte) error {
	r.loading.Lock()
	defer r.loading.Unlock()
	return r.put(ctx, content, r.lock, &r.configRefused)
}

// loadImages does the same with a lock of images.
func (r *rules) loadImages(ctx context.Context, content []byte) error {
	r.loading.Lock()
	defer r.loading.Unlock()
	return r.put(ctx, r.config, content, &r.lockRefused)
}

func (r *rules) put(ctx context.Context, config, lock []byte, refused *bool) error {
	next, err := r.read(ctx, config, lock)
	*refused = err != nil
	r.metrics.ConfigLoaded(time.Now(), err, r.configRefused || r.lockRefused)
	if err != nil {
		return err
	}
	r.config, r.lock = config, lock
	if before := r.current.Load(); before != nil {
		next.generation = before.generation + 1
	}
	r.current.Store(next)
	if tell := r.changed.Load(); tell != nil {
		(*tell)()
	}
	return nil
}

func (r *rules) read(ctx context.Context, content, lock []byte) (*rulebook, error) {
	options := r.options
	if content != nil {
		config, err := settings.Parse(r.file, content)
		if err != nil {
			return nil, fmt.Errorf("refuse the config: %w", err)
		}
		options.Config = config
	}
	if lock != nil {
		known, err := settings.ParseLock(r.lockFile, lock)
		if err != nil {
			return nil, fmt.Errorf("refuse the image lock: %w", err)
		}
		options.ImageLock = known
	}
	e, err := engine.New(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("make the policies ready: %w", err)
	}
	// The first evaluation shows that the config can be judged with at all.
	if _, err := e.Evaluate(ctx, engine.Review{Manifest: map[string]any{}, Around: &engine.Context{}}); err != nil {
		return nil, fmt.Errorf("try the policies: %w", err)
	}
	ignored, err := json.Marshal(options.Config["ignore"])
	if err != nil {
		return nil, fmt.Errorf("read the config: %w", err)
	}
	return &rulebook{engine: e, dated: strings.Contains(string(ignored), `"until"`)}, nil
}
