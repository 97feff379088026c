package watch

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// pageSize is how many objects a list asks for at a time, where the API server does not
// stream lists.
const pageSize = 500

// source lists and watches a kind. What it gives is small already: an informer would first
// hold a whole list of what the API server sends, a hundred times as much.
type source struct {
	kind  cluster.Kind
	small func(any) (*object, error)
	// leave says that an object is of no interest.
	leave func(metav1.Object) bool
	list  func(context.Context, metav1.ListOptions) (runtime.Object, error)
	watch func(context.Context, metav1.ListOptions) (apiwatch.Interface, error)

	// given are the objects that have been handed out and not taken back. One that is to be
	// left from now on (a Pod that is adopted) must be taken back, and only then.
	mu    sync.Mutex
	given map[string]*object
}

func newSource(k cluster.Kind, all dynamic.Interface, slim metadata.Interface, leave func(metav1.Object) bool) *source {
	s := &source{kind: k, leave: leave}
	if k.Made {
		client := slim.Resource(k.GroupVersionResource)
		s.small = stub
		s.list = func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return client.List(ctx, o) }
		s.watch = client.Watch
		return s
	}
	client := all.Resource(k.GroupVersionResource)
	s.small = whole(k)
	s.list = func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return client.List(ctx, o) }
	s.watch = client.Watch
	return s
}

// informer keeps the kind in memory, by namespace.
func (s *source) informer() toolscache.SharedIndexInformer {
	return toolscache.NewSharedIndexInformerWithOptions(
		&toolscache.ListWatch{ListWithContextFunc: s.List, WatchFuncWithContext: s.Watch}, &object{},
		toolscache.SharedIndexInformerOptions{
			ObjectDescription: s.kind.Kind,
			Indexers: toolscache.Indexers{
				toolscache.NamespaceIndex: toolscache.MetaNamespaceIndexFunc,
				bySubject:                 s.subjects,
				byTarget:                  targets,
			},
		})
}

// List gives the whole list, read page by page. Without a resourceVersion the API server
// keeps to the size of pages.
func (s *source) List(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	o.ResourceVersion, o.ResourceVersionMatch, o.Continue, o.Limit = "", "", "", pageSize
	s.forget()
	small := &objectList{}
	for {
		page, err := s.list(ctx, o)
		if err != nil {
			return nil, err
		}
		about, err := meta.ListAccessor(page)
		if err != nil {
			return nil, fmt.Errorf("read a list of %s: %w", s.kind.Kind, err)
		}
		if err := meta.EachListItem(page, func(item runtime.Object) error { return s.addObject(small, item) }); err != nil {
			return nil, err
		}
		small.ResourceVersion = about.GetResourceVersion()
		if o.Continue = about.GetContinue(); o.Continue == "" {
			return small, nil
		}
	}
}

func (s *source) addObject(into *objectList, item runtime.Object) error {
	if s.leave(item.(metav1.Object)) {
		return nil
	}
	kept, err := s.small(item)
	if err != nil {
		return fmt.Errorf("keep a %s: %w", s.kind.Kind, err)
	}
	s.give(kept)
	into.Items = append(into.Items, kept)
	return nil
}

// Watch gives changes, made small.
func (s *source) Watch(ctx context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
	if o.SendInitialEvents != nil && *o.SendInitialEvents {
		s.forget()
	}
	w, err := s.watch(ctx, o)
	if err != nil {
		return nil, err
	}
	return filter(w, s.event), nil
}

func (s *source) event(e apiwatch.Event) (apiwatch.Event, bool) {
	from, ok := e.Object.(metav1.Object)
	if !ok || e.Type == apiwatch.Error {
		return e, true // a Status
	}
	if e.Type == apiwatch.Bookmark {
		e.Object = &object{ObjectMeta: metav1.ObjectMeta{
			ResourceVersion: from.GetResourceVersion(), Annotations: from.GetAnnotations(),
		}}
		return e, true
	}
	if e.Type == apiwatch.Deleted || s.leave(from) {
		gone := &object{ObjectMeta: naming(from)}
		e.Type, e.Object = apiwatch.Deleted, gone
		return e, s.takeBack(gone)
	}
	kept, err := s.small(e.Object)
	if err != nil {
		return e, false // it came as JSON and is JSON again: this cannot fail
	}
	s.give(kept)
	e.Object = kept
	return e, true
}

func (s *source) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given = nil
}

func (s *source) give(o *object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given == nil {
		s.given = map[string]*object{}
	}
	s.given[o.Namespace+"/"+o.Name] = o
}

// takeBack says whether the object had been given, by whom it was controlled then, and what it was for.
func (s *source) takeBack(o *object) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := o.Namespace + "/" + o.Name
	before, given := s.given[key]
	if given {
		o.OwnerReferences, o.target = before.OwnerReferences, before.target
	}
	delete(s.given, key)
	return given
}

// filtered is a watch whose events are changed or left out on their way. The one of
// apimachinery leaves its goroutine behind when it is stopped with an event on its hands.
type filtered struct {
	from   apiwatch.Interface
	change func(apiwatch.Event) (apiwatch.Event, bool)
	events chan apiwatch.Event
	stop   func()
	ended  chan struct{}
}

func filter(from apiwatch.Interface, change func(apiwatch.Event) (apiwatch.Event, bool)) apiwatch.Interface {
	f := &filtered{from: from, change: change, events: make(chan apiwatch.Event), ended: make(chan struct{})}
	f.stop = sync.OnceFunc(func() { close(f.ended); from.Stop() })
	go f.run()
	return f
}

// Stop implements watch.Interface.
func (f *filtered) Stop() { f.stop() }

// ResultChan implements watch.Interface.
func (f *filtered) ResultChan() <-chan apiwatch.Event { return f.events }

func (f *filtered) run() {
	defer close(f.events)
	for event := range f.from.ResultChan() {
		event, keep := f.change(event)
		if !keep {
			continue
		}
		select {
		case f.events <- event:
		case <-f.ended:
			return
		}
	}
}
