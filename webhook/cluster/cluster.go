// Package cluster knows what stands around an object that asks to be admitted: its
// Namespace, the LimitRanges and ResourceQuotas of that Namespace and the owners of a Pod.
// It answers from memory. It sees no ConfigMap and no Secret, of most kinds only metadata,
// and of that metadata only what the policies read.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/singleflight"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/headroom-dev/headroom/webhook/admission"
)

// liveTimeout bounds what a look-up adds to a request whose Namespace or owner is not in
// memory yet. The API server waits two seconds for the whole answer.
const liveTimeout = 500 * time.Millisecond

// Requests to the API server, per second: only objects younger than the watch's delay are
// asked for one by one.
const (
	liveRate  = 50
	liveBurst = 100
)

// Options say which cluster, and what holds for a Namespace that says nothing itself.
type Options struct {
	Config *rest.Config
	// DefaultMode is the mode of a Namespace without the label headroom.dev/mode.
	DefaultMode string
	// DefaultMutate says whether Pods are changed in a Namespace without the label
	// headroom.dev/mutate.
	DefaultMutate bool
	// Exclude are Namespaces in which nothing is judged or changed, with any labels.
	Exclude []string
	Log     logr.Logger
}

// Cluster is the memory. It survives an API server that is away: what was there last is
// what holds.
type Cluster struct {
	options  Options
	excluded map[string]bool
	cache    cache.Cache
	live     client.Reader
	flights  singleflight.Group
	asking   asking
	synced   atomic.Bool
	unknown  sync.Map // the last value of each label that means nothing and has been logged

	mu         sync.RWMutex
	namespaces map[string]*surroundings
	changes    uint64 // grows with every event, so that an old view is not remembered
}

var _ admission.Surroundings = (*Cluster)(nil)

// New prepares the caches. It asks the API server nothing, so that the webhook starts
// while no API server answers.
func New(o Options) (*Cluster, error) {
	config := limited(o.Config)
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("prepare connections to the API server: %w", err)
	}
	c := &Cluster{options: o, excluded: map[string]bool{}, namespaces: map[string]*surroundings{}}
	for _, name := range o.Exclude {
		c.excluded[name] = true
	}
	if c.cache, err = newCache(config, http); err != nil {
		return nil, err
	}
	c.live, err = client.New(config, client.Options{HTTPClient: http, Scheme: runtime.NewScheme(), Mapper: mapper()})
	if err != nil {
		return nil, fmt.Errorf("prepare look-ups: %w", err)
	}
	return c, nil
}

// limited asks no more often than a request needs it.
func limited(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = liveRate, liveBurst
	return config
}

func newCache(config *rest.Config, http *http.Client) (cache.Cache, error) {
	objects := map[client.Object]cache.ByObject{}
	for _, kind := range watched {
		objects[kind.object()] = cache.ByObject{Transform: kind.keep}
	}
	shared := true // nothing here changes what it reads
	c, err := cache.New(config, cache.Options{
		HTTPClient:                   http,
		Scheme:                       runtime.NewScheme(),
		Mapper:                       mapper(),
		ByObject:                     objects,
		ReaderFailOnMissingInformer:  true,
		DefaultUnsafeDisableDeepCopy: &shared,
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the caches: %w", err)
	}
	return c, nil
}

// Start fills the caches and keeps them up to date until the context ends.
func (c *Cluster) Start(ctx context.Context) error {
	for _, kind := range watched {
		informer, err := c.cache.GetInformer(ctx, kind.object(), cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("watch %s: %w", kind.Kind, err)
		}
		if kind.namespaceOf == nil {
			continue
		}
		if _, err := informer.AddEventHandler(c.forgetting(kind)); err != nil {
			return fmt.Errorf("watch %s: %w", kind.Kind, err)
		}
	}
	go func() {
		if c.cache.WaitForCacheSync(ctx) {
			c.synced.Store(true)
			c.options.Log.Info("caches are filled")
		}
	}()
	return c.cache.Start(ctx)
}

// Ready says why nothing can be answered yet, nil once the caches have been filled. An API
// server that goes away later does not change that.
func (c *Cluster) Ready() error {
	if !c.synced.Load() {
		return errors.New("the caches are not filled yet")
	}
	return nil
}

// forgetting drops what was worked out for a Namespace when something in it changes.
func (c *Cluster) forgetting(k kind) toolscache.ResourceEventHandler {
	forget := func(object any) {
		if gone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		if o, ok := object.(metav1.Object); ok {
			c.forget(k.namespaceOf(o))
		}
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc:    forget,
		DeleteFunc: forget,
		UpdateFunc: func(before, after any) {
			if !k.same(before, after) {
				forget(after)
			}
		},
	}
}

func (c *Cluster) forget(namespace string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	delete(c.namespaces, namespace)
}

// Around gives what is known around an object in a Namespace. An error says that the
// Namespace could not be looked up: what holds in it is then unknown.
func (c *Cluster) Around(ctx context.Context, namespace string, object admission.Owned) (admission.Facts, error) {
	if c.excluded[namespace] {
		return admission.Facts{Mode: admission.ModeOff, Excluded: true}, nil
	}
	if err := c.Ready(); err != nil {
		return admission.Facts{}, err
	}
	s, err := c.surroundings(ctx, namespace)
	if err != nil {
		return admission.Facts{}, err
	}
	return s.facts(c.owners(ctx, namespace, object.Owners))
}

// surroundings are those of a Namespace, worked out once per change in it.
func (c *Cluster) surroundings(ctx context.Context, namespace string) (*surroundings, error) {
	c.mu.RLock()
	s, ok := c.namespaces[namespace]
	before := c.changes
	c.mu.RUnlock()
	if ok {
		return s, nil
	}
	found, cached, err := c.get(ctx, kindNamespace, "", namespace, "")
	if err != nil {
		return nil, fmt.Errorf("look up namespace %s: %w", namespace, err)
	}
	s, err = c.survey(ctx, found)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Remembering what only a look-up has seen would need someone to forget it.
	if cached && c.changes == before {
		c.namespaces[namespace] = s
	}
	return s, nil
}

// Excluded lists the Namespaces in which nothing is judged, sorted.
func (c *Cluster) Excluded() []string {
	return slices.Sorted(maps.Keys(c.excluded))
}
