package verdicts

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// covered are the rules whose findings the policies fix: the CPU matrix, the processors
// of JVMs, and memory requests.
var covered = []string{"HR201", "HR202", "HR204", "HR205", "HR206", "HR207", "HR302", "HR402"}

const applied = "headroom.dev/applied"

// Mutated creates Pods of every case where they may be changed, and holds them to what the engine
// makes of them. Then it creates the result once more, which stays as it is. Pods of which the
// webhook would fix more than the policies can are left out.
func (s *Suite) Mutated(t testing.TB) {
	t.Helper()
	const label = "headroom.dev/mutate=enabled"
	plain, mutable := NewRooms(s.cluster), NewRooms(s.cluster, label)
	type expected struct {
		Case
		pod corev1.Pod
	}
	var changing, staying []expected
	more := 0
	for _, c := range s.Cases {
		c.Object = podOf(c.Object)
		// As the API server hands it on: with its defaults.
		seen := plain.Put(t, c)
		out := seen.Create(t, s.cluster)
		if Invalid(out) {
			continue
		}
		seen.Object = map[string]any{}
		if err := json.Unmarshal([]byte(out.Stdout), &seen.Object); err != nil {
			t.Fatalf("%s: %v\n%s", c.Name, err, out.Stderr)
		}
		fixed, err := s.Judge.Fix(t.Context(), seen.Object, seen.Namespace())
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		for _, change := range fixed.Applied {
			if !slices.Contains(covered, change.Rule) {
				fixed.Patch = nil
				more++
				break
			}
		}
		if len(fixed.Patch) == 0 && len(fixed.Applied) > 0 {
			continue
		}
		operations, err := fixed.Recorded(seen.Object)
		if err != nil {
			t.Fatal(err)
		}
		wanted := expected{Case: mutable.Put(t, c)}
		if err := patched(out.Stdout, operations, &wanted.pod); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if len(operations) > 0 {
			changing = append(changing, wanted)
		} else {
			staying = append(staying, wanted)
		}
	}
	until := time.Now().Add(patience)
	for _, c := range append(changing, staying...) {
		plane.Eventually(t, c.Name, func() error {
			err := s.changed(t, c.Case, c.pod)
			if err != nil && time.Now().After(until) {
				t.Errorf("%s: %v", c.Name, err)
				return nil
			}
			return err
		})
	}
	t.Logf("%d Pods are changed, %d are not; of %d more the webhook would fix other things too",
		len(changing), len(staying), more)
}

func patched(object string, operations any, into *corev1.Pod) error {
	text, err := json.Marshal(operations)
	if err != nil {
		return err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return err
	}
	result, err := patch.Apply([]byte(object))
	if err != nil {
		return err
	}
	return json.Unmarshal(result, into)
}

// changed creates a Pod twice: as it was written, and as it became.
func (s *Suite) changed(t testing.TB, c Case, want corev1.Pod) error {
	t.Helper()
	for _, attempt := range []string{"created", "created again"} {
		out := c.Create(t, s.cluster)
		var got corev1.Pod
		if err := json.Unmarshal([]byte(out.Stdout), &got); err != nil {
			return fmt.Errorf("%s: %w\n%s", attempt, err, out.Stderr)
		}
		if was, is := essence(want), essence(got); !equality.Semantic.DeepEqual(was, is) {
			return fmt.Errorf("%s, it is\n%s, the engine makes\n%s", attempt, written(is), written(was))
		}
		got.UID, got.ResourceVersion = "", ""
		again, err := json.Marshal(got)
		if err != nil {
			return err
		}
		c.Object = map[string]any{}
		if err := json.Unmarshal(again, &c.Object); err != nil {
			return err
		}
	}
	return nil
}

// part is what may be changed of a container.
type part struct {
	Name      string
	Resources corev1.ResourceRequirements
	Env       []corev1.EnvVar
}

type whole struct {
	Containers []part
	Applied    []string
}

func essence(pod corev1.Pod) whole {
	var w whole
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		w.Containers = append(w.Containers, part{c.Name, c.Resources, c.Env})
	}
	var changes []json.RawMessage
	// A record that cannot be read has no entries, and so is not the one that is wanted.
	_ = json.Unmarshal([]byte(pod.Annotations[applied]), &changes)
	for _, change := range changes {
		w.Applied = append(w.Applied, string(change))
	}
	slices.Sort(w.Applied)
	return w
}

func written(w whole) string {
	text, err := json.Marshal(w)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// podOf is the Pod that a workload's template makes, as its controller would own it where
// that says what kind of work it is.
func podOf(object map[string]any) map[string]any {
	at := object
	for _, key := range []string{"jobTemplate", "template"} {
		spec, _ := at["spec"].(map[string]any)
		if inner, ok := spec[key].(map[string]any); ok {
			at = inner
		}
	}
	inner := map[string]any{}
	for key, value := range metadata(at) {
		inner[key] = value
	}
	inner["name"] = metadata(object)["name"]
	delete(inner, "generateName")
	switch object["kind"] {
	case "Job", "CronJob":
		inner["ownerReferences"] = []any{map[string]any{
			"apiVersion": "batch/v1", "kind": "Job", "name": "owner", "controller": true,
			"uid": "00000000-0000-0000-0000-000000000001",
		}}
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": inner, "spec": at["spec"]}
}
