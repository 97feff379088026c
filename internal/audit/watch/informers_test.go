package watch

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// listed is an informer that has listed its kind, or has not.
type listed struct {
	toolscache.SharedIndexInformer
	done bool
}

func (l listed) HasSynced() bool { return l.done }

// TestWaitForCaches: for workloads it is waited as long as it takes, and half a minute for what scales them.
func TestWaitForCaches(t *testing.T) {
	for name, c := range map[string]struct {
		workloads, scalers bool
		filled             bool
		after              time.Duration
		says               string
	}{
		"all":       {true, true, true, 0, ""},
		"workloads": {true, false, true, unfilled, `"kinds"=["VerticalPodAutoscaler"]`},
		"scalers":   {false, true, false, time.Hour, "nothing is judged"},
		"nothing":   {false, false, false, time.Hour, "nothing is judged"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []string
				a := &term{informers: map[string]toolscache.SharedIndexInformer{
					"Deployment": listed{done: c.workloads}, cluster.VerticalPodAutoscalers.Kind: listed{done: c.scalers},
				}}
				a.options.Log = funcr.New(func(_, line string) { said = append(said, line) }, funcr.Options{})
				ctx, stop := context.WithTimeout(t.Context(), time.Hour)
				defer stop()
				began := time.Now()
				filled := a.waitForCaches(ctx)
				if took := time.Since(began); filled != c.filled || took < c.after || took > c.after+time.Second {
					t.Errorf("filled %v after %v", filled, took)
				}
				has := slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, c.says) })
				if (c.says == "") != (len(said) == 0) || c.says != "" && !has {
					t.Errorf("it says %q", said)
				}
			})
		})
	}
}

// TestOptionalInformer: an informer of a kind that is not there is in step at once, has what comes later, and loses it
// with the kind.
func TestOptionalInformer(t *testing.T) {
	s := &server{err: errAbsent, items: []unstructured.Unstructured{autoscaler(cluster.VerticalPodAutoscalers, nil)}}
	o := s.optional()
	watching := make(chan *apiwatch.FakeWatcher, 1)
	o.watch = func(_ context.Context, asked metav1.ListOptions) (apiwatch.Interface, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.err != nil {
			return nil, s.err
		}
		if asked.SendInitialEvents != nil {
			return nil, apierrors.NewBadRequest("lists are not streamed")
		}
		w := apiwatch.NewFake()
		watching <- w
		return w, nil
	}
	informer := (&source{
		kind: cluster.VerticalPodAutoscalers, small: sign(cluster.VerticalPodAutoscalers), list: o.List, watch: o.Watch,
		leave: func(metav1.Object) bool { return false },
	}).informer()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { informer.RunWithContext(ctx); close(ended) }()
	defer func() { stop(); <-ended }()
	until := func(what string, holds func() bool) {
		t.Helper()
		for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
			if time.Since(began) > 10*time.Minute {
				t.Fatal("not " + what)
			}
		}
	}
	known := func() int {
		found, err := informer.GetIndexer().ByIndex(byTarget, "shop/cart")
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	until("in step", informer.HasSynced)
	if known() != 0 {
		t.Error("something is known of a kind that is not there")
	}
	s.answer(nil, true)
	until("found", func() bool { return known() == 1 })
	s.answer(errAbsent, false)
	(<-watching).Stop()
	until("gone", func() bool { return known() == 0 })
}
