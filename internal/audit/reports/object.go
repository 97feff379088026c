package reports

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/render/policyreport/result"
)

// What tells headroom's reports from those of others.
const (
	labelManager     = "app.kubernetes.io/managed-by"
	annotationDigest = "headroom.dev/report-digest"
	namePrefix       = "headroom-"
)

// object is the report as the cluster takes it. Of previous, which may be nil, it keeps what
// others wrote beside it, and the times of the results that have stayed.
func (r *Report) object(api API, previous *unstructured.Unstructured, digest string, now time.Time) (
	*unstructured.Unstructured, error,
) {
	o := previous
	if o == nil {
		o = &unstructured.Unstructured{Object: map[string]any{}}
	}
	kept := times(o)
	o.SetAPIVersion(api.GroupVersion.String())
	o.SetKind(api.kindFor(r.Subject.Namespace).Kind)
	o.SetNamespace(r.Subject.Namespace)
	o.SetName(r.Subject.reportName())
	labels, annotations := o.GetLabels(), o.GetAnnotations()
	o.SetLabels(with(labels, labelManager, result.Source))
	o.SetAnnotations(with(annotations, annotationDigest, digest))
	o.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: r.Subject.APIVersion, Kind: r.Subject.Kind, Name: r.Subject.Name, UID: r.Subject.UID,
	}})
	if api.GroupVersion == APIs[0].GroupVersion {
		o.Object["source"] = result.Source
	}
	scope := map[string]any{
		"apiVersion": r.Subject.APIVersion, "kind": r.Subject.Kind, "name": r.Subject.Name,
		"uid": string(r.Subject.UID),
	}
	if r.Subject.Namespace != "" {
		scope["namespace"] = r.Subject.Namespace
	}
	o.Object["scope"] = scope
	summary := map[string]any{}
	for _, outcome := range []string{result.Pass, result.Fail, result.Warn, result.Error, result.Skip} {
		summary[outcome] = r.Summary[outcome]
	}
	o.Object["summary"] = summary
	results := make([]any, 0, len(r.Results))
	for _, entry := range r.Results {
		entry.Timestamp = nil
		same, err := json.Marshal(entry)
		if err != nil {
			return nil, fmt.Errorf("encode a result: %w", err)
		}
		at, known := kept[place(entry)]
		if !known {
			at = now.Unix()
		}
		content := map[string]any{}
		if err := json.Unmarshal(same, &content); err != nil {
			return nil, fmt.Errorf("encode a result: %w", err)
		}
		content["timestamp"] = map[string]any{"seconds": at, "nanos": int64(0)}
		results = append(results, content)
	}
	o.Object["results"] = results
	return o, nil
}

// times are when the results of a report were first written, in seconds since 1970.
func times(o *unstructured.Unstructured) map[string]int64 {
	kept := map[string]int64{}
	text, err := json.Marshal(o.Object["results"])
	if err != nil {
		return kept
	}
	var results []result.Result
	if err := json.Unmarshal(text, &results); err != nil {
		return kept // edited by others: all times are new
	}
	for _, entry := range results {
		if entry.Timestamp == nil {
			continue
		}
		kept[place(entry)] = entry.Timestamp.Seconds
	}
	return kept
}

// place is what a result is about: with other figures it is still the same.
func place(r result.Result) string {
	return strings.Join([]string{r.Rule, r.Policy, r.Result, r.Properties["container"], r.Properties["path"]}, "\n")
}

func with(entries map[string]string, key, value string) map[string]string {
	if entries == nil {
		entries = map[string]string{}
	}
	entries[key] = value
	return entries
}

// existing is what is kept in memory of a report in the cluster.
type existing struct {
	name   string
	uid    types.UID
	digest string
}

// slim drops what nothing here reads, before a report's metadata go into memory.
func slim(object any) (any, error) {
	o, ok := object.(*metav1.PartialObjectMetadata)
	if !ok {
		return object, nil
	}
	kept := &metav1.PartialObjectMetadata{TypeMeta: o.TypeMeta}
	kept.Name, kept.Namespace, kept.UID, kept.ResourceVersion = o.Name, o.Namespace, o.UID, o.ResourceVersion
	kept.Annotations = map[string]string{annotationDigest: o.Annotations[annotationDigest]}
	if len(o.OwnerReferences) > 0 {
		kept.OwnerReferences = o.OwnerReferences[:1:1]
	}
	return kept, nil
}

// subjectOf is the object that a report is about: its owner. A report without an owner is
// about an object that does not exist.
func subjectOf(o metav1.Object) cluster.Key {
	owners := o.GetOwnerReferences()
	if len(owners) == 0 {
		return cluster.Key{Namespace: o.GetNamespace(), Name: o.GetName()}
	}
	return SubjectKey(owners[0].APIVersion, owners[0].Kind, o.GetNamespace(), owners[0].Name)
}

// SubjectKey names a subject. A kind that headroom does not read is told from one of the same
// name by its group: Volcano has a Job, too.
func SubjectKey(apiVersion, kind, namespace, name string) cluster.Key {
	if _, known := cluster.KindOf(apiVersion, kind); !known && apiVersion != "v1" {
		group, _, _ := strings.Cut(apiVersion, "/")
		kind += "." + group
	}
	return cluster.Key{Kind: kind, Namespace: namespace, Name: name}
}
