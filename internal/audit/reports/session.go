package reports

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"k8s.io/client-go/metadata/metadatainformer"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/render/policyreport/result"
)

// session is the time in which one kind of reports is written.
type session struct {
	api       API
	informers []toolscache.SharedIndexInformer
	end       func() // and waits for it
}

// bySubject finds the reports of a subject.
const bySubject = "subject"

// selector finds headroom's own reports.
const selector = labelManager + "=" + result.Source

// followAPIs keeps a session with the kind of reports that the cluster knows.
func (w *Writer) followAPIs(ctx context.Context) {
	tick := time.NewTicker(lookInterval)
	defer tick.Stop()
	told := false
	for {
		found, err := served(ctx, w.discovery)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			w.options.Log.V(1).Info("the kinds of reports are not known", "error", err.Error())
		default:
			if len(found) == 0 && !told {
				w.options.Log.Info("the cluster knows neither Reports (openreports.io) nor PolicyReports " +
					"(wgpolicyk8s.io): only metrics are kept until it does")
			}
			told = len(found) == 0
			w.follow(ctx, found)
		}
		select {
		case <-ctx.Done():
			w.follow(context.WithoutCancel(ctx), nil)
			return
		case <-tick.C:
		}
	}
}

// follow begins a session with the first of the APIs, unless that one is under way.
func (w *Writer) follow(ctx context.Context, found []API) {
	before := w.latest
	if before == nil && len(found) == 0 || before != nil && len(found) > 0 && before.api == found[0] {
		return
	}
	if before != nil {
		before.end()
		w.latest = nil
		w.mu.Lock()
		w.session = nil
		w.mu.Unlock()
	}
	w.options.Metrics.Writes("")
	if len(found) == 0 {
		return
	}
	w.options.Log.Info("writing reports", "api", found[0].GroupVersion.String())
	w.options.Metrics.Writes(found[0].GroupVersion.String())
	w.latest = w.begin(ctx, found[0], found[1:])
}

// begin starts a session, which removes what is left of the other kinds. It writes once it
// knows the reports that are there.
func (w *Writer) begin(ctx context.Context, api API, others []API) *session {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	s := &session{api: api, end: func() { cancel(); group.Wait() }}
	for _, kind := range []Kind{api.Namespaced, api.Cluster} {
		if kind.Resource == "" {
			continue
		}
		informer := metadatainformer.NewFilteredMetadataInformer(w.metadata, api.GroupVersion.WithResource(kind.Resource),
			metav1.NamespaceAll, 0, toolscache.Indexers{bySubject: func(object any) ([]string, error) {
				return []string{indexKey(subjectOf(object.(metav1.Object)))}, nil
			}}, func(o *metav1.ListOptions) { o.LabelSelector = selector }).Informer()
		// Neither can fail before the informer runs.
		_ = informer.SetTransform(slim)
		_, _ = informer.AddEventHandler(w.following(s))
		s.informers = append(s.informers, informer)
		group.Go(func() { informer.RunWithContext(ctx) })
	}
	for _, other := range others {
		group.Go(func() { w.sweep(ctx, other) })
	}
	group.Go(func() {
		if !toolscache.WaitForCacheSync(ctx.Done(), s.synced) {
			return
		}
		w.mu.Lock()
		w.session = s
		keys := make([]cluster.Key, 0, len(w.wants))
		for key := range w.wants {
			keys = append(keys, key)
		}
		w.mu.Unlock()
		for _, key := range keys {
			w.queue.Add(key)
		}
		s.addAll(w.queue.Add)
	})
	return s
}

func indexKey(key cluster.Key) string { return key.Kind + "/" + key.Namespace + "/" + key.Name }

// following puts a subject into the queue when its report is not what it should be.
func (w *Writer) following(s *session) toolscache.ResourceEventHandler {
	look := func(object any, gone bool) {
		if tombstone, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
			object = tombstone.Obj
		}
		o, ok := object.(metav1.Object)
		if !ok {
			return
		}
		key := subjectOf(o)
		wanted, now, known := w.wanted(key)
		right := !gone && wanted.name == o.GetName() && wanted.digest == o.GetAnnotations()[annotationDigest]
		if now != s || !known || right {
			return
		}
		w.queue.Add(key)
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { look(object, false) },
		UpdateFunc: func(_, object any) { look(object, false) },
		DeleteFunc: func(object any) { look(object, true) },
	}
}

func (s *session) synced() bool {
	return !slices.ContainsFunc(s.informers, func(i toolscache.SharedIndexInformer) bool { return !i.HasSynced() })
}

// addAll names the subject of every report.
func (s *session) addAll(add func(cluster.Key)) {
	for _, informer := range s.informers {
		for _, object := range informer.GetStore().List() {
			add(subjectOf(object.(metav1.Object)))
		}
	}
}

// has says whether a subject has a report.
func (s *session) has(key cluster.Key) bool {
	found, err := s.reportsOf(key)
	return err != nil || len(found) > 0
}

// reportsOf are the reports reportsOf a subject, as far as the watch has told reportsOf them.
func (s *session) reportsOf(key cluster.Key) ([]existing, error) {
	var all []existing
	var failed error
	for _, informer := range s.informers {
		found, err := informer.GetIndexer().ByIndex(bySubject, indexKey(key))
		failed = errors.Join(failed, err)
		for _, object := range found {
			o := object.(metav1.Object)
			// A report with another name is not headroom's: it only carries the label.
			if strings.HasPrefix(o.GetName(), namePrefix) {
				all = append(all, existing{o.GetName(), o.GetUID(), o.GetAnnotations()[annotationDigest]})
			}
		}
	}
	return all, failed
}
