package reports

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
)

// fieldManager is who wrote, in the reports' managedFields.
const fieldManager = "headroom-audit"

// writeTimeout bounds one write.
const writeTimeout = 15 * time.Second

// sync makes the reports of one subject what they should be.
func (w *Writer) sync(ctx context.Context, key cluster.Key) error {
	wanted, s, known := w.wanted(key)
	if s == nil || !known {
		return nil // the session's begin, or Complete, comes back to it
	}
	if key.Namespace == "" && s.api.Cluster.Resource == "" {
		return nil
	}
	found, err := s.reportsOf(key)
	if err != nil {
		return err
	}
	there := false
	for _, report := range found {
		if report.name == wanted.name {
			there = report.digest == wanted.digest
			continue
		}
		if err := w.remove(ctx, s.api, key.Namespace, report); err != nil {
			return err
		}
	}
	if wanted.name != "" && !there {
		if wanted.body == nil {
			w.options.Missing(key)
			return nil
		}
		if err := w.write(ctx, s.api, key, wanted); err != nil {
			return err
		}
	}
	w.written(key, wanted)
	return nil
}

func (w *Writer) client(api API, namespace string) dynamic.ResourceInterface {
	all := w.dynamic.Resource(api.resource(namespace))
	if namespace == "" {
		return all
	}
	return all.Namespace(namespace)
}

// write creates the report, or changes the one that is there.
func (w *Writer) write(ctx context.Context, api API, key cluster.Key, wanted want) error {
	if err := w.limiter.Wait(ctx); err != nil {
		return err
	}
	term := ctx
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	content := &Report{}
	if err := wanted.body.Decode(content); err != nil {
		return err
	}
	client, operation := w.client(api, key.Namespace), metrics.Update
	previous, err := client.Get(ctx, wanted.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		previous, operation, err = nil, metrics.Create, nil
	}
	if previous != nil && previous.GetAnnotations()[annotationDigest] == wanted.digest {
		return nil // the watch has not told of it yet
	}
	if err == nil {
		err = w.writeReport(ctx, client, api, content, previous, wanted.digest)
	}
	if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return nil // its workloads are about to go, too
	}
	if term.Err() != nil {
		return term.Err()
	}
	w.options.Metrics.Wrote(operation, err)
	if err != nil {
		w.failed(operation, key, err)
		return fmt.Errorf("%s report of %s: %w", operation, key, err)
	}
	return nil
}

func (w *Writer) writeReport(
	ctx context.Context, client dynamic.ResourceInterface, api API, content *Report,
	previous *unstructured.Unstructured, digest string,
) error {
	report, err := content.object(api, previous, digest, time.Now())
	if err != nil {
		return err
	}
	if previous == nil {
		_, err = client.Create(ctx, report, metav1.CreateOptions{FieldManager: fieldManager})
		return err
	}
	// With the resourceVersion that was read: a change in between is a conflict, and the next
	// try reads it.
	_, err = client.Update(ctx, report, metav1.UpdateOptions{FieldManager: fieldManager})
	return err
}

// remove deletes a report, and none that has taken its name since.
func (w *Writer) remove(ctx context.Context, api API, namespace string, report existing) error {
	if err := w.limiter.Wait(ctx); err != nil {
		return err
	}
	term := ctx
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err := w.client(api, namespace).Delete(ctx, report.name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &report.uid},
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // the garbage collector was faster
	}
	if term.Err() != nil {
		return term.Err()
	}
	w.options.Metrics.Wrote(metrics.Delete, err)
	if err != nil {
		w.failed(metrics.Delete, cluster.Key{Namespace: namespace, Name: report.name}, err)
		return fmt.Errorf("delete report %s: %w", report.name, err)
	}
	return nil
}

func (w *Writer) failed(operation string, key cluster.Key, err error) {
	w.options.Log.Error(err, "report not written, it is tried again later", "operation", operation,
		"kind", key.Kind, "namespace", key.Namespace, "name", key.Name)
}

// sweepPage is how many leftover reports are listed at a time.
const sweepPage = 500

// sweep deletes headroom's reports of a kind that is not written any more.
func (w *Writer) sweep(ctx context.Context, api API) {
	for _, kind := range []Kind{api.Namespaced, api.Cluster} {
		for kind.Resource != "" && ctx.Err() == nil {
			err := w.sweepKind(ctx, api, kind)
			if err == nil {
				break
			}
			w.options.Log.Info("leftover reports not removed, it is tried again later", "error", err.Error())
			select {
			case <-ctx.Done():
			case <-time.After(lookInterval):
			}
		}
	}
}

func (w *Writer) sweepKind(ctx context.Context, api API, kind Kind) error {
	options := metav1.ListOptions{LabelSelector: selector, Limit: sweepPage}
	for {
		list, err := w.metadata.Resource(api.GroupVersion.WithResource(kind.Resource)).List(ctx, options)
		if err != nil {
			return err
		}
		for _, o := range list.Items {
			if !strings.HasPrefix(o.Name, namePrefix) {
				continue
			}
			if err := w.remove(ctx, api, o.Namespace, existing{name: o.Name, uid: o.UID}); err != nil {
				return err
			}
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return nil
		}
	}
}
