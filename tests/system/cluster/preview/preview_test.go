//go:build system

package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// applied is where the webhook writes down what it changed.
const applied = "headroom.dev/applied"

func TestEnforce(t *testing.T) { held(t, false, "headroom.dev/mode=enforce") }

func TestEnforceAndMutate(t *testing.T) {
	held(t, true, "headroom.dev/mode=enforce", "headroom.dev/mutate=enabled")
}

// held creates a part of the corpus where the mode is enforce, and finds refused what the
// preview names, for those rules, and changed in Pods what it says.
func held(t *testing.T, mutate bool, labels ...string) {
	e := defaults.Engine(t)
	shared := cluster.Namespace(t, labels...)
	var subjects []*subject
	invalid, refused := 0, 0
	for _, c := range corpus(t, e) {
		s := &subject{Case: c, namespace: room(t, c, shared, labels)}
		var err error
		if s.foretold, err = foretell(t.Context(), e, c, mutate); err != nil {
			t.Fatalf("%s: %v", c.Source, err)
		}
		switch unfit := s.create(t); {
		case unfit:
			invalid++
		case s.refused != nil:
			refused++
		default:
			subjects = append(subjects, s)
		}
	}
	pods, changed := 0, 0
	for _, s := range subjects {
		if s.Kind == "CronJob" {
			cluster.Must(t, "create", "job", s.ID, "--from=cronjob/"+s.ID, "--namespace", s.namespace)
		}
		switch {
		case len(s.foretold.Refused) > 0:
			s.podsRefused(t)
		case s.wantsPods():
			pods++
			if s.changed(t) {
				changed++
			}
		}
	}
	t.Logf("%d refused, %d let in, %d of them with Pods, %d of those changed; %d were invalid",
		refused, len(subjects), pods, changed, invalid)
	if refused < 20 || pods < 20 || mutate != (changed > 10) {
		t.Error("too few to tell anything")
	}
}

// attempts at what a busy machine makes the webhook too late for: it then lets a Pod in as it
// is, or refuses it unjudged.
const attempts = 5

// whenLate are the attempts where the webhook says that it was too late: other work may hold a machine up for a minute.
const whenLate = 60

// create creates the subject, and holds its refusal to the preview.
func (s *subject) create(t *testing.T) (unfit bool) {
	t.Helper()
	want := rules(s.foretold.Refused)
	for attempt := 1; ; attempt++ {
		s.refused = nil
		unfit, err := create(t.Context(), s)
		if unfit || err == nil && (s.refused == nil || slices.Equal(s.refused, want)) {
			return unfit
		}
		late := err != nil && strings.Contains(err.Error(), "it took more than")
		if attempt >= attempts && !late || attempt == whenLate {
			t.Errorf("%s %s %s: refused for %q, foretold %q; %v", s.Source, s.ID, s.Kind, s.refused, want, err)
			return false
		}
		time.Sleep(time.Second)
	}
}

// changed holds what is written down in a Pod to the preview, and says whether it is anything.
func (s *subject) changed(t *testing.T) bool {
	t.Helper()
	want := changes(append(s.recorded(), s.foretold.Changed...))
	for attempt := 1; ; attempt++ {
		pod := s.pod(t)
		var record []engine.Applied
		if text := pod.Annotations[applied]; text != "" {
			if err := json.Unmarshal([]byte(text), &record); err != nil && !s.wrote(text) {
				t.Fatalf("%s: %v", s.Source, err)
			}
		}
		is := changes(record)
		if slices.Equal(is, want) {
			return len(is) > 0
		}
		if attempt == attempts {
			t.Errorf("%s %s %s: changed\n  %s\nforetold\n  %s", s.Source, s.ID, s.Kind,
				strings.Join(is, "\n  "), strings.Join(want, "\n  "))
			return false
		}
		now := int64(0)
		err := cluster.Client.CoreV1().Pods(s.namespace).
			Delete(t.Context(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
		if err != nil {
			t.Fatal(err)
		}
		if s.Kind == "Pod" {
			s.create(t)
		}
	}
}

// wrote says whether an annotation stands in the manifest, which may say anything.
func (s *subject) wrote(text string) bool {
	manifest, err := json.Marshal(s.Object)
	quoted, _ := json.Marshal(text)
	return err == nil && strings.Contains(string(manifest), string(quoted))
}

// recorded is what the manifest of a Pod says that was changed before.
func (s *subject) recorded() []engine.Applied {
	text, _, err := unstructured.NestedString(s.Object, "metadata", "annotations", applied)
	var record []engine.Applied
	if err != nil || text == "" || s.Kind != "Pod" || json.Unmarshal([]byte(text), &record) != nil {
		return nil
	}
	return record
}

// wantsPods says whether a controller makes Pods of it. What names an owner that is not there is collected.
func (s *subject) wantsPods() bool {
	metadata, _ := s.Object["metadata"].(map[string]any)
	if owners, _ := metadata["ownerReferences"].([]any); len(owners) > 0 {
		return false
	}
	spec, _ := s.Object["spec"].(map[string]any)
	if replicas, ok := spec["replicas"]; ok && fmt.Sprint(replicas) == "0" {
		return false
	}
	return spec["suspend"] != true || s.Kind != "Job"
}

// pod waits for a Pod of the subject.
func (s *subject) pod(t *testing.T) *corev1.Pod {
	t.Helper()
	var found *corev1.Pod
	plane.Eventually(t, "a Pod of "+s.Source+" "+s.ID, func() error {
		list, err := cluster.Client.CoreV1().Pods(s.namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if name := list.Items[i].Name; list.Items[i].DeletionTimestamp == nil && (name == s.ID || strings.HasPrefix(name, s.ID+"-")) {
				found = &list.Items[i]
				return nil
			}
		}
		return errors.New("there is none")
	})
	return found
}

// podsRefused waits for the controller to say that its Pods are refused.
func (s *subject) podsRefused(t *testing.T) {
	t.Helper()
	plane.Eventually(t, fmt.Sprintf("the Pods of %s %s to be refused for %q", s.Source, s.ID, rules(s.foretold.Refused)),
		func() error {
			list, err := cluster.Client.CoreV1().Events(s.namespace).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				return err
			}
			for _, event := range list.Items {
				name := event.InvolvedObject.Name
				ours := name == s.ID || strings.HasPrefix(name, s.ID+"-")
				if ours && strings.Contains(event.Message, "headroom refuses Pod") {
					return nil
				}
			}
			return errors.New("no event says so")
		})
}
