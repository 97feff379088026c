//go:build system

package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// every is the share of the corpus that is created: each makes Pods, and there are a thousand.
const every = 9

// subject is an object, what is foretold of it, and what came.
type subject struct {
	cases.Case
	namespace string
	foretold  report.PreviewItem
	// refused are the rules that the webhook names; nil where it let the object in.
	refused []string
}

// corpus is a part of the conformance corpus: all that is about namespaces, kinds and
// mutations, and some of the rest.
func corpus(t *testing.T, e *engine.Engine) []cases.Case {
	t.Helper()
	all, err := cases.Load(cluster.Root(), nil, func(apiVersion, kind string) (bool, error) {
		known, err := e.Kind(t.Context(), apiVersion, kind)
		return known.Inert, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(c cases.Case) bool {
		// Whole applications want ServiceAccounts and volumes before they get Pods.
		whole := strings.HasPrefix(c.Source, "tests/manifests") || strings.HasPrefix(c.Source, "samples")
		if whole || engine.TemplatePath(c.APIVersion, c.Kind) == "" {
			return true
		}
		for _, file := range []string{"core-namespaces", "core-kinds", "namespace-fights-class"} {
			if strings.Contains(c.Source, file) {
				return false
			}
		}
		// By its place, so that another case changes nothing for this one.
		chance := crc32.ChecksumIEEE([]byte(c.Source))
		return chance%every != 0 && (chance%2 != 0 || !strings.Contains(c.Source, "corpus/mutate-"))
	})
}

// room gives a case its namespace: one for all whose file brings none.
func room(t *testing.T, c cases.Case, shared string, labels []string) string {
	t.Helper()
	if len(c.Around) == 0 {
		return shared
	}
	name := cluster.Namespace(t, labels...)
	for _, neighbour := range c.Around {
		metadata, _ := neighbour["metadata"].(map[string]any)
		kind, _ := neighbour["kind"].(string)
		if kind == "Namespace" {
			patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": metadata["annotations"]}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = cluster.Client.CoreV1().Namespaces().
				Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{})
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		neighbour = maps.Clone(neighbour)
		metadata = maps.Clone(metadata)
		metadata["namespace"] = name
		neighbour["metadata"] = metadata
		if err := post(t.Context(), "/api/v1/namespaces/"+name+"/"+strings.ToLower(kind)+"s", neighbour); err != nil {
			t.Fatalf("%s: %v", c.Source, err)
		}
	}
	return name
}

// foretell previews an object in its namespace.
func foretell(ctx context.Context, e *engine.Engine, c cases.Case, mutate bool) (report.PreviewItem, error) {
	lists := map[string][]map[string]any{}
	for _, neighbour := range c.Around {
		kind, _ := neighbour["kind"].(string)
		list := map[string]string{"Namespace": "namespaces", "LimitRange": "limit_ranges", "ResourceQuota": "resource_quotas"}[kind]
		lists[list] = append(lists[list], neighbour)
	}
	around, err := engine.NewContext("", lists)
	if err != nil {
		return report.PreviewItem{}, err
	}
	item, _, err := preview.Of(ctx, e, engine.Review{Manifest: c.Object, Around: around}, preview.Enforce, mutate)
	return item, err
}

// resources of the kinds that are created; of other versions the API server knows none.
var resources = map[string]string{
	"v1 Pod": "pods", "v1 ReplicationController": "replicationcontrollers",
	"apps/v1 Deployment": "deployments", "apps/v1 StatefulSet": "statefulsets", "apps/v1 DaemonSet": "daemonsets",
	"apps/v1 ReplicaSet": "replicasets", "batch/v1 Job": "jobs", "batch/v1 CronJob": "cronjobs",
}

// create has the API server take a subject. One that it takes for invalid, whatever any
// webhook says, is of no use.
func create(ctx context.Context, s *subject) (invalid bool, err error) {
	resource := resources[s.APIVersion+" "+s.Kind]
	if resource == "" {
		return true, nil
	}
	root := "/apis/"
	if s.APIVersion == "v1" {
		root = "/api/"
	}
	object := maps.Clone(s.Object)
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	metadata["namespace"] = s.namespace
	object["metadata"] = metadata
	err = post(ctx, root+s.APIVersion+"/namespaces/"+s.namespace+"/"+resource, object)
	var status apierrors.APIStatus
	switch {
	case err == nil:
		return false, nil
	case apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsNotFound(err):
		return true, nil
	case errors.As(err, &status) && strings.Contains(err.Error(), "headroom refuses"):
		for _, cause := range status.Status().Details.Causes {
			s.refused = append(s.refused, string(cause.Type))
		}
		s.refused = set(s.refused)
		return false, nil
	default:
		return false, err
	}
}

func post(ctx context.Context, path string, object map[string]any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return cluster.Client.CoreV1().RESTClient().Post().AbsPath(path).
		SetHeader("Content-Type", "application/json").Body(text).Do(ctx).Error()
}

func set(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// rules are those of findings, each once.
func rules(findings []engine.Finding) []string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Rule)
	}
	return set(list)
}

// changes in words, sorted.
func changes(applied []engine.Applied) []string {
	var list []string
	for _, a := range applied {
		list = append(list, fmt.Sprintf("%s %s %s %q -> %q, added %q", a.Rule, a.Container, a.Path, stored(a.Old), stored(a.New), a.Added))
	}
	return set(list)
}

// stored is a value as the API server gives it back, which writes quantities in a form of its own.
func stored(value string) string {
	if amount, err := resource.ParseQuantity(value); err == nil {
		return amount.String()
	}
	return value
}
