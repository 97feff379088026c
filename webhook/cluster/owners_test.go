//go:build integration

package cluster

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/tests/harness/wait"
)

func controller(version, kind, name string, uid types.UID) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: uid, Controller: &yes}
}

func by(reference metav1.OwnerReference) []metav1.OwnerReference {
	return []metav1.OwnerReference{reference}
}

var template = corev1.PodTemplateSpec{
	ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
	Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		Containers:    []corev1.Container{{Name: "app", Image: "example.com/app:1"}},
	},
}

func TestOwnersAreFollowedToTheTop(t *testing.T) {
	c := start(t, apiServer.Config)
	namespace := newNamespace(t, nil, nil)
	batch := api.BatchV1()
	cron, err := batch.CronJobs(namespace).Create(t.Context(), &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: "nightly", Annotations: map[string]string{
			"headroom.dev/cpu-average": "1", "app.headroom.dev/x": "y", "example.com/z": "w", "notheadroom.dev/a": "b",
		}},
		Spec: batchv1.CronJobSpec{
			Schedule: "0 0 * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job, err := batch.Jobs(namespace).Create(t.Context(), &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Name: "nightly-1", OwnerReferences: by(controller("batch/v1", "CronJob", "nightly", cron.UID)),
		},
		Spec: batchv1.JobSpec{Template: template},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// At once, before the watch can have told: the look-up answers.
	chain := c.owners(t.Context(), namespace, by(controller("batch/v1", "Job", "nightly-1", job.UID)))
	want := []owner{{Kind: "Job"}, {Kind: "CronJob", Annotations: map[string]string{
		"headroom.dev/cpu-average": "1", "app.headroom.dev/x": "y",
	}}}
	if fmt.Sprint(chain) != fmt.Sprint(want) {
		t.Errorf("owners %v, want %v", chain, want)
	}
	other := c.owners(t.Context(), namespace, by(controller("batch/v1", "Job", "nightly-1", "another")))
	if fmt.Sprint(other) != fmt.Sprint([]owner{{Kind: "Job"}}) {
		t.Errorf("owners of another UID: %v", other)
	}
	unwatched := c.owners(t.Context(), namespace, by(controller("argoproj.io/v1alpha1", "Rollout", "web", "1")))
	if fmt.Sprint(unwatched) != fmt.Sprint([]owner{{Kind: "Rollout"}}) {
		t.Errorf("owners of a kind that is not watched: %v", unwatched)
	}
	if none := c.owners(t.Context(), namespace, by(metav1.OwnerReference{Kind: "Job", Name: "nightly-1"})); none != nil {
		t.Errorf("an owner that is no controller: %v", none)
	}
}

func TestReplicaSetOfADeployment(t *testing.T) {
	c := start(t, apiServer.Config)
	namespace := newNamespace(t, nil, nil)
	selector := &metav1.LabelSelector{MatchLabels: template.Labels}
	always := template
	always.Spec.RestartPolicy = corev1.RestartPolicyAlways
	deployment, err := api.AppsV1().Deployments(namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Name: "web", Annotations: map[string]string{"headroom.dev/workload-class": "batch"},
		},
		Spec: appsv1.DeploymentSpec{Selector: selector, Template: always},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	replicas, err := api.AppsV1().ReplicaSets(namespace).Create(t.Context(), &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: "web-1", OwnerReferences: by(controller("apps/v1", "Deployment", "web", deployment.UID)),
		},
		Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: always},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reference := controller("apps/v1", "ReplicaSet", "web-1", replicas.UID)
	first := around(t, c, namespace, reference)
	wait.For(t, "the ReplicaSet to be in memory", func() bool {
		_, cached, err := c.get(t.Context(), ownerKinds[0], namespace, "web-1", replicas.UID)
		return err == nil && cached
	})
	if again := around(t, c, namespace, reference); again.Fingerprint != first.Fingerprint {
		t.Error("looked up and remembered, an owner is not the same")
	}
	patch := []byte(`{"metadata":{"annotations":{"headroom.dev/workload-class":"latency-sensitive"}}}`)
	_, err = api.AppsV1().Deployments(namespace).Patch(t.Context(), "web", types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wait.For(t, "an owner's annotation to change the fingerprint", func() bool {
		return around(t, c, namespace, reference).Fingerprint != first.Fingerprint
	})
}

// W14: annotations cannot fill the memory.
func TestOnlyOursAndOnlySoMuch(t *testing.T) {
	large := strings.Repeat("x", maxKept)
	kept := ownEntries(map[string]string{
		"headroom.dev/a": "1", "headroom.dev/b": large, "x.headroom.dev/c": "2", "headroom.dev/applied": "[]",
		"headroom.dev.example.com/d": "3", "headroom.dev": "4",
	})
	want := map[string]string{"headroom.dev/a": "1", "x.headroom.dev/c": "2", "headroom.dev": "4"}
	if !maps.Equal(kept, want) {
		t.Errorf("%d entries kept, want %v", len(kept), want)
	}
	if ownEntries(map[string]string{"example.com/a": "1"}) != nil {
		t.Error("something of somebody else's is kept")
	}
}

// W14: nor with owners that are not there, whose kind may be as long as an object.
func TestLongOwnersAreNotRemembered(t *testing.T) {
	s := &surroundings{name: "shop", mode: "warn", about: []byte("{}"), chains: map[string]chain{}}
	long := []owner{{Kind: strings.Repeat("x", maxChain)}}
	first, err := s.facts(long)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.facts(long)
	if err != nil || again.Fingerprint != first.Fingerprint || len(s.chains) != 0 {
		t.Errorf("%d chains remembered, %v", len(s.chains), err)
	}
	if _, err := s.facts([]owner{{Kind: "Job"}}); err != nil || len(s.chains) != 1 {
		t.Errorf("%d chains remembered, %v", len(s.chains), err)
	}
}
