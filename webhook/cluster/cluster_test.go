package cluster

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/testr"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/webhook/admission"
	"github.com/headroom-dev/headroom/webhook/internal/apitest"
)

var (
	apiServer *apitest.Server
	api       *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if apiServer, err = apitest.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = apiServer.Stop() }()
	if api, err = kubernetes.NewForConfig(apiServer.Config); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// start gives a filled memory of the API server.
func start(t *testing.T, config *rest.Config) *Cluster {
	t.Helper()
	c, err := New(Options{
		Config: config, DefaultMode: admission.ModeWarn, Exclude: []string{"kube-system", "headroom-system"}, Log: testr.New(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { cancel(); <-done })
	go func() { defer close(done); _ = c.Start(ctx) }()
	eventually(t, "caches to be filled", func() bool { return c.Ready() == nil })
	return c
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}

func around(t *testing.T, c *Cluster, namespace string, owners ...metav1.OwnerReference) admission.Facts {
	t.Helper()
	facts, err := c.Around(context.Background(), namespace, admission.Owned{Kind: "Pod", Owners: owners})
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

func newNamespace(t *testing.T, labels, annotations map[string]string) string {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels, Annotations: annotations}}
	if _, err := api.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLabelsSayTheMode(t *testing.T) {
	c := start(t, apiServer.Config)
	for _, tc := range []struct {
		name, mode, mutate string
		wantMode           string
		wantMutate         bool
	}{
		{"nothing", "", "", "warn", false},
		{"off", "off", "disabled", "off", false},
		{"audit", "audit", "enabled", "audit", true},
		{"warn", "warn", "", "warn", false},
		{"enforce", "enforce", "enabled", "enforce", true},
		{"no known value", "Enforce", "yes", "warn", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			labels := map[string]string{}
			if tc.mode != "" {
				labels[labelMode] = tc.mode
			}
			if tc.mutate != "" {
				labels[labelMutate] = tc.mutate
			}
			facts := around(t, c, newNamespace(t, labels, nil))
			if facts.Mode != tc.wantMode || facts.Mutate != tc.wantMutate || facts.Excluded {
				t.Errorf("mode %q, mutate %v, excluded %v", facts.Mode, facts.Mutate, facts.Excluded)
			}
		})
	}
}

func TestAChangedLabelIsSeen(t *testing.T) {
	c := start(t, apiServer.Config)
	namespace := newNamespace(t, nil, nil)
	before := around(t, c, namespace)
	patch := []byte(`{"metadata":{"labels":{"headroom.dev/mode":"enforce"}}}`)
	if _, err := api.CoreV1().Namespaces().Patch(t.Context(), namespace, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the mode to change", func() bool { return around(t, c, namespace).Mode == "enforce" })
	if around(t, c, namespace).Fingerprint != before.Fingerprint {
		t.Error("a label changed the fingerprint, though no policy reads it")
	}
}

func TestExcludedNamespacesAreNotLookedUp(t *testing.T) {
	c, err := New(Options{Config: &rest.Config{Host: "https://127.0.0.1:1"}, Exclude: []string{"kube-system"}, Log: testr.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	if facts := around(t, c, "kube-system"); !facts.Excluded || facts.Mode != admission.ModeOff {
		t.Errorf("%+v", facts)
	}
	// F14: what is not known is an error.
	if _, err := c.Around(t.Context(), "shop", admission.Owned{}); err == nil {
		t.Error("an answer without any knowledge of the cluster")
	}
}

// Everything in the context that a policy can read is in the fingerprint.
func TestFingerprint(t *testing.T) {
	c := start(t, apiServer.Config)
	namespace := newNamespace(t, nil, map[string]string{"headroom.dev/default-class": "batch", "example.com/note": "x"})
	last := around(t, c, namespace).Fingerprint
	if last == "" {
		t.Fatal("no fingerprint")
	}
	changed := func(what string) {
		t.Helper()
		eventually(t, what+" to change the fingerprint", func() bool { return around(t, c, namespace).Fingerprint != last })
		last = around(t, c, namespace).Fingerprint
	}
	patch := []byte(`{"metadata":{"annotations":{"headroom.dev/default-class":"cron"}}}`)
	if _, err := api.CoreV1().Namespaces().Patch(t.Context(), namespace, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	changed("a namespace annotation")
	limits := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "limits"}, Spec: corev1.LimitRangeSpec{
		Limits: []corev1.LimitRangeItem{{Type: "Container", Default: corev1.ResourceList{"cpu": resource.MustParse("1")}}},
	}}
	if _, err := api.CoreV1().LimitRanges(namespace).Create(t.Context(), limits, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	changed("a LimitRange")
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "quota"}, Spec: corev1.ResourceQuotaSpec{
		Hard: corev1.ResourceList{"limits.cpu": resource.MustParse("10")},
	}}
	created, err := api.CoreV1().ResourceQuotas(namespace).Create(t.Context(), quota, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changed("a ResourceQuota")
	// What is used of the quota changes with each Pod, and must not make it a new question.
	created.Status.Hard = created.Spec.Hard
	created.Status.Used = corev1.ResourceList{"limits.cpu": resource.MustParse("3")}
	if _, err := api.CoreV1().ResourceQuotas(namespace).UpdateStatus(t.Context(), created, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	patch = []byte(`{"metadata":{"annotations":{"example.com/note":"y"}}}`)
	if _, err := api.CoreV1().Namespaces().Patch(t.Context(), namespace, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	first := around(t, c, namespace)
	if first.Fingerprint != last {
		t.Error("what no policy reads changed the fingerprint")
	}
	if around(t, c, namespace).Around != first.Around {
		t.Error("the context was worked out twice")
	}
	if around(t, c, namespace, controller("example.com/v1", "Rollout", "web", "1")).Fingerprint == last {
		t.Error("an owner did not change the fingerprint")
	}
	if err := api.CoreV1().LimitRanges(namespace).Delete(t.Context(), "limits", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	changed("deleting a LimitRange")
}

func controller(version, kind, name string, uid types.UID) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: uid, Controller: &yes}
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
		Spec: batchv1.CronJobSpec{Schedule: "0 0 * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job, err := batch.Jobs(namespace).Create(t.Context(), &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Name: "nightly-1", OwnerReferences: []metav1.OwnerReference{controller("batch/v1", "CronJob", "nightly", cron.UID)},
		},
		Spec: batchv1.JobSpec{Template: template},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// At once, before the watch can have told: the look-up answers.
	chain := c.owners(t.Context(), namespace, []metav1.OwnerReference{controller("batch/v1", "Job", "nightly-1", job.UID)})
	want := []owner{{Kind: "Job"}, {Kind: "CronJob", Annotations: map[string]string{
		"headroom.dev/cpu-average": "1", "app.headroom.dev/x": "y",
	}}}
	if fmt.Sprint(chain) != fmt.Sprint(want) {
		t.Errorf("owners %v, want %v", chain, want)
	}
	other := c.owners(t.Context(), namespace, []metav1.OwnerReference{controller("batch/v1", "Job", "nightly-1", "another")})
	if fmt.Sprint(other) != fmt.Sprint([]owner{{Kind: "Job"}}) {
		t.Errorf("owners of another UID: %v", other)
	}
	unwatched := c.owners(t.Context(), namespace, []metav1.OwnerReference{controller("argoproj.io/v1alpha1", "Rollout", "web", "1")})
	if fmt.Sprint(unwatched) != fmt.Sprint([]owner{{Kind: "Rollout"}}) {
		t.Errorf("owners of a kind that is not watched: %v", unwatched)
	}
	if none := c.owners(t.Context(), namespace, []metav1.OwnerReference{{Kind: "Job", Name: "nightly-1"}}); none != nil {
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
		ObjectMeta: metav1.ObjectMeta{Name: "web", Annotations: map[string]string{"headroom.dev/workload-class": "batch"}},
		Spec:       appsv1.DeploymentSpec{Selector: selector, Template: always},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	replicas, err := api.AppsV1().ReplicaSets(namespace).Create(t.Context(), &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: "web-1", OwnerReferences: []metav1.OwnerReference{controller("apps/v1", "Deployment", "web", deployment.UID)},
		},
		Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: always},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reference := controller("apps/v1", "ReplicaSet", "web-1", replicas.UID)
	first := around(t, c, namespace, reference)
	eventually(t, "the ReplicaSet to be in memory", func() bool {
		_, cached, err := c.get(t.Context(), ownerKinds[0], namespace, "web-1", replicas.UID)
		return err == nil && cached
	})
	if again := around(t, c, namespace, reference); again.Fingerprint != first.Fingerprint {
		t.Error("looked up and remembered, an owner is not the same")
	}
}
