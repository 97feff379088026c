//go:build integration

package fixfiles_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/admission"
)

// lists are the objects that speak for a namespace, as engine.NewContext takes them.
type lists = map[string][]map[string]any

var listOf = map[string]string{
	"Namespace": "namespaces", "LimitRange": "limit_ranges", "ResourceQuota": "resource_quotas", "ConfigMap": "config_maps",
	"HorizontalPodAutoscaler": "autoscalers", "VerticalPodAutoscaler": "autoscalers", "StartupCPUBoost": "boosts",
}

// surroundings reads what the files of a folder say of their namespaces.
func surroundings(t tester, folder string) map[string]lists {
	t.Helper()
	found := map[string]lists{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, document := range documents(t, text) {
			for _, o := range itemsOf(document) {
				list, ok := listOf[fmt.Sprint(o["kind"])]
				if !ok {
					continue
				}
				namespace, _ := at(o, "metadata", "namespace").(string)
				if list == "namespaces" {
					namespace, _ = at(o, "metadata", "name").(string)
				}
				if found[namespace] == nil {
					found[namespace] = lists{}
				}
				found[namespace][list] = append(found[namespace][list], o)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func itemsOf(document any) []map[string]any {
	items, ok := at(document, "items").([]any)
	if !ok {
		return []map[string]any{object(document)}
	}
	var all []map[string]any
	for _, item := range items {
		all = append(all, object(item))
	}
	return all
}

// asWebhook: the fixed object is what the engine makes of the one before, and its Pod is what
// the webhook makes of the Pod before.
func (s *setup) asWebhook(
	t tester, name string, was, is map[string]any, prefix []any, around map[string]lists, sum *tally,
) {
	t.Helper()
	namespace, _ := at(was, "metadata", "namespace").(string)
	beside, err := engine.NewContext("", around[namespace])
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := s.engine.Fix(context.Background(), engine.Review{Manifest: was, Around: beside, Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	patch, err := json.Marshal(fixed.Patch)
	if err != nil {
		t.Fatal(err)
	}
	if want := patched(t, was, patch); !reflect.DeepEqual(want, any(is)) {
		t.Errorf("%s: reads\n%s\nthe engine makes\n%s", name, encode(is), encode(want))
	}
	old, fresh := podOf(was), podOf(is)
	if old == nil || fresh == nil {
		return
	}
	// The webhook reads no autoscalers and no boosts: what is fixed because of them, files alone have.
	if len(around[namespace]["autoscalers"])+len(around[namespace]["boosts"]) > 0 {
		return
	}
	sum.pods++
	owners := ownersOf(was)
	s.place.facts = admission.Facts{
		Mode: admission.ModeWarn, Mutate: true, Around: beside.Admitted(namespace, owners),
		Fingerprint: encode(around[namespace]) + encode(owners),
	}
	mutated, changed := s.mutate(t, old)
	if changed {
		sum.fixedPods++
	}
	// What has been mutated is given its defaults, too.
	mutated["spec"] = defaulted(object(mutated, "spec"))
	// HR103's fix is for files alone: a Pod has no workload to take its class from.
	for key, value := range object(fresh, "metadata", "annotations") {
		if _, had := object(old, "metadata", "annotations")[key]; !had && classKey(key) {
			annotate(mutated, key, value)
		}
	}
	leaveSidecars(mutated, fresh)
	if !reflect.DeepEqual(amounts(mutated), amounts(fresh)) {
		t.Errorf("%s: the fixed workload makes\n%s\nthe webhook makes\n%s", name, encode(fresh), encode(mutated))
	}
	s.place.facts.Around = beside.Admitted(namespace, ownersOf(is))
	s.place.facts.Fingerprint += "fixed"
	if _, changed := s.mutate(t, fresh); changed {
		t.Errorf("%s: the webhook changes the Pod of what was fixed:\n%s", name, encode(fresh))
	}
}

func classKey(key string) bool {
	return key == "headroom.dev/workload-class" || strings.HasPrefix(key, "class.headroom.dev/")
}

func annotate(pod map[string]any, key string, value any) {
	if object(pod, "metadata", "annotations") == nil {
		object(pod, "metadata")["annotations"] = map[string]any{}
	}
	object(pod, "metadata", "annotations")[key] = value
}

// mutate sends a Pod to the webhook, as the API server does, and gives what comes of it but
// for the record.
func (s *setup) mutate(t tester, pod map[string]any) (map[string]any, bool) {
	t.Helper()
	body := fmt.Sprintf(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",`+
		`"kind":{"group":"","version":"v1","kind":"Pod"},"namespace":"shop","operation":"CREATE",`+
		`"userInfo":{"username":"me"},"object":%s,"oldObject":null}}`, encode(pod))
	request := httptest.NewRequest(http.MethodPost, "/mutate?timeout=2s", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	s.hook.Mutate.ServeHTTP(answer, request)
	var review admissionv1.AdmissionReview
	err := json.Unmarshal(answer.Body.Bytes(), &review)
	if err != nil || review.Response == nil || !review.Response.Allowed {
		t.Fatalf("%d %s %v", answer.Code, answer.Body, err)
	}
	if len(review.Response.Patch) == 0 {
		return object(decode(t, []byte(encode(pod)))), false
	}
	out := object(patched(t, pod, review.Response.Patch))
	annotations := object(out, "metadata", "annotations")
	if record, had := object(pod, "metadata", "annotations")["headroom.dev/applied"]; had {
		annotations["headroom.dev/applied"] = record
		return out, true
	}
	delete(annotations, "headroom.dev/applied")
	if len(annotations) == 0 && object(pod, "metadata", "annotations") == nil {
		delete(object(out, "metadata"), "annotations")
	}
	return out, true
}

// leaveSidecars makes of the sidecars of the config's lists (names, images) in fresh what the webhook leaves of them. At
// admission they may be other webhooks'; in a file they are its owner's.
func leaveSidecars(mutated, fresh map[string]any) {
	theirs, _ := object(mutated, "spec")["containers"].([]any)
	ours, _ := object(fresh, "spec")["containers"].([]any)
	for i := range min(len(theirs), len(ours)) {
		c, _ := ours[i].(map[string]any)
		image, _ := c["image"].(string)
		if c["name"] == "kube-rbac-proxy" || strings.Contains(image, "/brancz/kube-rbac-proxy:") {
			ours[i] = theirs[i]
		}
	}
}
