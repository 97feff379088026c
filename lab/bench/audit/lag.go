//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// stride leads through all namespaces and mistakes, and comes to each workload once.
const stride = 41

// lags changes workloads one after the other. It gives the time from each change's request until a
// client of the API server hears of its Report.
func (c *standing) lags(ctx context.Context, workloads, count int) ([]time.Duration, error) {
	all := c.dynamic.Resource(reportsResource)
	first, err := all.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return nil, err
	}
	events, err := all.Watch(ctx, metav1.ListOptions{ResourceVersion: first.GetResourceVersion()})
	if err != nil {
		return nil, err
	}
	defer events.Stop()
	var lags []time.Duration
	for n := 0; len(lags) < count && n < workloads; n++ {
		w := workloadOf(n * stride % workloads)
		if w.kind != "Deployment" {
			continue
		}
		// A class that there is not: HR102, whatever else is wrong with it.
		patch := fmt.Appendf(nil,
			`{"spec":{"template":{"metadata":{"annotations":{"headroom.dev/workload-class":"none-%d"}}}}}`, n)
		began := time.Now()
		_, err := c.client.AppsV1().Deployments(w.namespace).
			Patch(ctx, w.name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		if err != nil {
			return nil, err
		}
		if err := told(ctx, events, w); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", w.namespace, w.name, err)
		}
		lags = append(lags, time.Since(began))
	}
	if len(lags) == 0 {
		return nil, errors.New("no workload was changed")
	}
	return lags, nil
}

// told waits for the report of a workload that names HR102.
func told(ctx context.Context, events watch.Interface, w workload) error {
	late := time.After(time.Minute)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return errors.New("no report of its change within a minute")
		case event, open := <-events.ResultChan():
			if !open {
				return errors.New("the watch of reports has ended")
			}
			if o, ok := event.Object.(*unstructured.Unstructured); ok && about(o.Object, w) {
				return nil
			}
		}
	}
}

func about(object map[string]any, w workload) bool {
	name, _, _ := unstructured.NestedString(object, "scope", "name")
	namespace, _, _ := unstructured.NestedString(object, "metadata", "namespace")
	results, _, _ := unstructured.NestedSlice(object, "results")
	if name != w.name || namespace != w.namespace {
		return false
	}
	for _, entry := range results {
		result, _ := entry.(map[string]any)
		if result["rule"] == "HR102" {
			return true
		}
	}
	return false
}
