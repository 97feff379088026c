package serve

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"

	"github.com/headroom-dev/headroom/internal/configfile"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// Rules keep in force what a config and a lock of images say. It is safe for concurrent use.
type Rules struct {
	// ConfigFile and LockFile name what is read in errors.
	ConfigFile, LockFile string
	// Options hold without a config and a lock.
	Options engine.Options
	Metrics *Metrics
	// InForce takes what is to be judged with from now on, one after the other.
	InForce func(*engine.Engine, map[string]any)

	mu     sync.Mutex
	config source
	lock   source
}

// source is the content of a file that is followed.
type source struct {
	text []byte // in force; nil for none
	// refused says that what was read last is not in force.
	refused bool
}

// Start puts a config and a lock in force, nil for none.
func (r *Rules) Start(ctx context.Context, config, lock []byte) error {
	r.lock.text = lock
	return r.Reload(ctx, config)
}

// Reload puts a config in force, nil for none. One that is refused changes nothing but a metric.
func (r *Rules) Reload(ctx context.Context, content []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.load(ctx, &r.config, content)
}

// ReloadImages does the same with a lock of images.
func (r *Rules) ReloadImages(ctx context.Context, content []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.load(ctx, &r.lock, content)
}

func (r *Rules) load(ctx context.Context, s *source, content []byte) error {
	before := s.text
	s.text = content
	e, config, err := r.read(ctx)
	s.refused = err != nil
	r.Metrics.ConfigLoaded(time.Now(), err, r.config.refused || r.lock.refused)
	if err != nil {
		s.text = before
		return err
	}
	r.InForce(e, config)
	return nil
}

func (r *Rules) read(ctx context.Context) (*engine.Engine, map[string]any, error) {
	options := r.Options
	var err error
	if r.config.text != nil {
		if options.Config, err = settings.Parse(r.ConfigFile, r.config.text); err != nil {
			return nil, nil, fmt.Errorf("refuse the config: %w", err)
		}
	}
	if r.lock.text != nil {
		if options.ImageLock, err = settings.ParseLock(r.LockFile, r.lock.text); err != nil {
			return nil, nil, fmt.Errorf("refuse the image lock: %w", err)
		}
	}
	e, err := engine.New(ctx, options)
	if err != nil {
		return nil, nil, fmt.Errorf("make the policies ready: %w", err)
	}
	// The first evaluation makes what later ones share, and shows that the config can be
	// judged with at all.
	if _, err := e.Evaluate(ctx, engine.Review{Manifest: map[string]any{}, Around: &engine.Context{}}); err != nil {
		return nil, nil, fmt.Errorf("try the policies: %w", err)
	}
	return e, options.Config, nil
}

// Exempts says whether an exemption of a config has a field.
func Exempts(config map[string]any, field string) bool {
	ignored, _ := config["ignore"].([]any)
	for _, entry := range ignored {
		fields, _ := entry.(map[string]any)
		if _, has := fields[field]; has {
			return true
		}
	}
	return false
}

// Files are a config and a lock of images that are followed; a path may be empty.
func Files(config, lock string, log logr.Logger) (c, l *configfile.File) {
	return &configfile.File{Path: config, Log: log.WithName("config")},
		&configfile.File{Path: lock, What: "image lock", Log: log.WithName("images")}
}
