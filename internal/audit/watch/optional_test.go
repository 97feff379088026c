package watch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

var (
	verticals  = cluster.VerticalPodAutoscalers.GroupResource()
	errAbsent  = apierrors.NewNotFound(verticals, "")
	errRefused = apierrors.NewForbidden(verticals, "", errors.New("no rule allows it"))
)

// server answers for a kind that comes, goes, and is forbidden.
type server struct {
	mu     sync.Mutex
	err    error
	served bool
	told   []bool
	items  []unstructured.Unstructured
}

func (s *server) answer(err error, served bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.served = err, served
}

func (s *server) said() []bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.told)
}

func (s *server) optional() *optional {
	return &optional{
		list: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			list := &unstructured.UnstructuredList{Items: s.items}
			list.SetResourceVersion("7")
			return list, s.err
		},
		watch: func(context.Context, metav1.ListOptions) (apiwatch.Interface, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.err != nil {
				return nil, s.err
			}
			return apiwatch.NewFake(), nil
		},
		served: func(context.Context) bool { return s.served },
		tell:   func(forbidden bool) { s.told = append(s.told, forbidden) },
		every:  time.Millisecond,
	}
}

func next(t *testing.T, w apiwatch.Interface) apiwatch.Event {
	t.Helper()
	select {
	case e, open := <-w.ResultChan():
		if !open {
			t.Fatal("the watch has ended")
		}
		return e
	case <-time.After(10 * time.Minute):
		t.Fatal("the watch says nothing")
	}
	return apiwatch.Event{}
}

func expired(e apiwatch.Event) bool {
	return e.Type == apiwatch.Error && apierrors.IsResourceExpired(apierrors.FromObject(e.Object))
}

// TestAbsentKind: of a kind that is not there nothing is listed, and its watch waits until it is.
func TestAbsentKind(t *testing.T) {
	s := &server{err: errAbsent}
	o := s.optional()
	list, err := o.List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.(*objectList).Items) != 0 {
		t.Fatal(list, err)
	}
	w, err := o.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case e := <-w.ResultChan():
		t.Fatalf("it says %v of a kind that is not there", e)
	case <-time.After(20 * time.Millisecond):
	}
	s.answer(nil, true)
	if e := next(t, w); !expired(e) {
		t.Fatal(e)
	}
	if _, open := <-w.ResultChan(); open {
		t.Error("it goes on")
	}
	list, err = o.List(t.Context(), metav1.ListOptions{})
	if err != nil || list.(metav1.ListInterface).GetResourceVersion() != "7" {
		t.Error(list, err)
	}
	if told := s.said(); len(told) > 0 {
		t.Errorf("%v of a kind that nobody forbids", told)
	}
}

// TestKindGoes: what was known of a kind that goes is listed anew, so that it goes, too.
func TestKindGoes(t *testing.T) {
	s := &server{}
	o := s.optional()
	if _, err := o.List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	s.answer(errAbsent, false)
	if w, err := o.Watch(t.Context(), metav1.ListOptions{}); !apierrors.IsResourceExpired(err) {
		t.Fatal(w, err)
	}
	// Where lists are streamed, the stream is an empty one.
	yes := true
	w, err := o.Watch(t.Context(), metav1.ListOptions{SendInitialEvents: &yes})
	if err != nil {
		t.Fatal(err)
	}
	e := next(t, w)
	if e.Type != apiwatch.Bookmark || e.Object.(*object).Annotations[metav1.InitialEventsAnnotationKey] != "true" {
		t.Fatal(e)
	}
	w.Stop()
	for range w.ResultChan() {
		t.Error("it says more after its end")
	}
}

// TestForbiddenKind: it is said once that a kind is forbidden, once that it is allowed again, and nothing of a kind
// that the cluster does not have.
func TestForbiddenKind(t *testing.T) {
	s := &server{err: errRefused}
	o := s.optional()
	ask := func() {
		t.Helper()
		if _, err := o.List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		err    error
		served bool
		want   []bool
	}{
		{errRefused, false, nil},
		{errRefused, true, []bool{true}},
		{errRefused, true, []bool{true}},
		{nil, true, []bool{true, false}},
		{errRefused, true, []bool{true, false, true}},
		{errAbsent, false, []bool{true, false, true}},
		{nil, true, []bool{true, false, true}},
	} {
		s.answer(step.err, step.served)
		ask()
		ask()
		if told := s.said(); !slices.Equal(told, step.want) {
			t.Fatalf("%v, served %v: told %v, want %v", step.err, step.served, told, step.want)
		}
	}
	// Any other error is one of the list, as for other kinds.
	s.answer(apierrors.NewInternalError(errors.New("no")), true)
	if _, err := o.List(t.Context(), metav1.ListOptions{}); !apierrors.IsInternalError(err) {
		t.Error(err)
	}
	if _, err := o.Watch(t.Context(), metav1.ListOptions{}); !apierrors.IsInternalError(err) {
		t.Error(err)
	}
}
