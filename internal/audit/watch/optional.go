package watch

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
)

// again is the time between two tries to read a kind that could not be read.
const again = 10 * time.Second

// optional lists and watches a kind that a cluster may lack or forbid. The list is empty then, and
// the watch waits until the kind can be read.
type optional struct {
	list  func(context.Context, metav1.ListOptions) (runtime.Object, error)
	watch func(context.Context, metav1.ListOptions) (apiwatch.Interface, error)
	// served says whether the cluster has the kind. Without the right to list, the error is the same either way.
	served func(context.Context) bool
	// tell is told when it becomes forbidden, and when it is allowed again.
	tell func(forbidden bool)
	// every is the time between two tries.
	every time.Duration

	mu    sync.Mutex
	state state
}

type state int

const (
	readable state = iota
	absent
	refused
)

// absence says whether an error means that there is no such kind, or no right to read it.
func absence(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsForbidden(err) }

// List gives nothing where nothing can be read.
func (o *optional) List(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	list, err := o.list(ctx, options)
	o.note(ctx, err)
	if !absence(err) {
		return list, err
	}
	return &objectList{ListMeta: metav1.ListMeta{ResourceVersion: "0"}}, nil
}

// Watch gives no changes where nothing can be read, and ends when something can.
func (o *optional) Watch(ctx context.Context, options metav1.ListOptions) (apiwatch.Interface, error) {
	w, err := o.watch(ctx, options)
	if !absence(err) {
		o.note(ctx, err)
		return w, err
	}
	whole := options.SendInitialEvents != nil && *options.SendInitialEvents
	if !whole && !o.away() {
		// What is known of it has to go first, with a new list.
		return nil, apierrors.NewResourceExpired("it cannot be read any more")
	}
	o.note(ctx, err)
	return o.pending(ctx, whole), nil
}

// pending is a watch that waits until the kind can be read, and says then that what is known is too old. It begins with
// the end of a list that is empty, where one was asked for.
func (o *optional) pending(ctx context.Context, whole bool) apiwatch.Interface {
	events := make(chan apiwatch.Event)
	w := apiwatch.NewProxyWatcher(events)
	send := func(e apiwatch.Event) bool {
		select {
		case events <- e:
			return true
		case <-w.StopChan():
		case <-ctx.Done():
		}
		return false
	}
	go func() {
		defer close(events)
		if whole && !send(apiwatch.Event{Type: apiwatch.Bookmark, Object: &object{ObjectMeta: metav1.ObjectMeta{
			ResourceVersion: "0", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"},
		}}}) {
			return
		}
		for {
			select {
			case <-time.After(o.every):
			case <-w.StopChan():
				return
			case <-ctx.Done():
				return
			}
			_, err := o.list(ctx, metav1.ListOptions{Limit: 1})
			o.note(ctx, err)
			if err == nil {
				break
			}
		}
		expired := apierrors.NewResourceExpired("it can be read now").Status()
		send(apiwatch.Event{Type: apiwatch.Error, Object: &expired})
	}()
	return w
}

// note remembers whether the kind can be read. Other errors tell nothing about that.
func (o *optional) note(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.state
	switch {
	case err == nil:
		o.state = readable
	case apierrors.IsNotFound(err):
		o.state = absent
	case apierrors.IsForbidden(err) && before != refused:
		o.state = absent
		if o.served(ctx) {
			o.state = refused
		}
	}
	if o.state != before && (o.state == refused || before == refused && o.state == readable) {
		o.tell(o.state == refused)
	}
}

func (o *optional) away() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state != readable
}
