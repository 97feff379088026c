//go:build system

package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/internal/audit"
)

// container is a Pod spec with one container and no resources.
const container = `{containers: [{name: app, image: registry.example/app:1}], restartPolicy: %s}`

func pods(restart string) string { return fmt.Sprintf(container, restart) }

func workload(kind, name, more string) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: %s
metadata: {name: %s}
spec:
  %s
  selector: {matchLabels: {app: %s}}
  template:
    metadata: {labels: {app: %s}}
    spec: %s
---`, kind, name, more, name, name, pods("Always"))
}

// saidToBeServices gives the workloads of a namespace a class. Until somebody does, what lacks is a warning.
func saidToBeServices(t *testing.T, namespace string) {
	t.Helper()
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/default-class=latency-sensitive")
}

func bare(name, restart, more string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  name: %s
  labels: {app: %s}
  %s
spec: %s
---`, name, name, more, pods(restart))
}

// Every kind, with what the controller manager makes of it: only the top is reported.
func TestOwningWorkloadsOnce(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, workload("Deployment", "web", "replicas: 3")+
		workload("Deployment", "idle", "replicas: 0")+
		workload("StatefulSet", "db", "replicas: 2\n  podManagementPolicy: Parallel\n  serviceName: db")+
		workload("DaemonSet", "agent", "minReadySeconds: 0")+
		workload("ReplicaSet", "alone", "replicas: 2")+`
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec: {replicas: 1, selector: {app: old}, template: {metadata: {labels: {app: old}}, spec: `+pods("Always")+`}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {template: {spec: `+pods("Never")+`}}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {parallelism: 2, template: {spec: `+pods("Never")+`}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: done}
spec: {template: {spec: `+pods("Never")+`}}
---`+bare("single", "Always", "")+bare("ended", "Never", ""))
	cluster.Must(t, "create", "job", "-n", namespace, "--from=cronjob/nightly", "nightly-by-hand")
	cluster.Pods(t, namespace, "app=web", 3)
	cluster.Pods(t, namespace, "app=agent", 3) // one a node
	cluster.Pods(t, namespace, "app=db", 2)
	// A second revision leaves a ReplicaSet scaled to nothing.
	cluster.Must(t, "set", "image", "-n", namespace, "deployment/web", "app=registry.example/app:2")
	activate(t, namespace)
	finish(t, namespace)

	want := []string{
		"CronJob/nightly ×1", "DaemonSet/agent ×3", "Deployment/idle ×0", "Deployment/web ×3", "Job/once ×2",
		"Pod/single ×1", "ReplicaSet/alone ×2", "ReplicationController/old ×1", "StatefulSet/db ×2",
	}
	for _, size := range []int64{0, 1, 2, 3} {
		r := run(t, audit.Options{Namespaces: []string{namespace}, PageSize: size})
		sound(t, r)
		if got := workloads(r); !slices.Equal(got, want) {
			t.Errorf("in pages of %d:\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got := skipped(r); !slices.Equal(got, []string{"1 finished Job", "1 finished Pod"}) {
			t.Errorf("skipped: %q", got)
		}
		for _, w := range r.Workloads {
			if found := findings(r, w.Resource.Kind, w.Resource.Name); !slices.Contains(found, "HR301 app") {
				t.Errorf("%s %s has no memory limit, and the findings are %q", w.Resource.Kind, w.Resource.Name, found)
			}
		}
	}
}

// activate lists a Job with its CronJob, as the schedule does: the controller keeps it there.
func activate(t *testing.T, namespace string) {
	t.Helper()
	job, err := cluster.Client.BatchV1().Jobs(namespace).Get(t.Context(), "nightly-by-hand", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	active := `{"apiVersion":"batch/v1","kind":"Job","namespace":%q,"name":%q,"uid":%q}`
	patch := fmt.Sprintf(`{"status":{"active":[`+active+`]}}`,
		namespace, job.Name, job.UID)
	_, err = cluster.Client.BatchV1().CronJobs(namespace).Patch(t.Context(), "nightly", types.MergePatchType,
		[]byte(patch), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
}

// finish does the kubelet's part for a Job and a Pod, and waits for the counts of the others.
func finish(t *testing.T, namespace string) {
	t.Helper()
	eventually(t, "the Job's Pod", func() error {
		list, err := cluster.Client.CoreV1().Pods(namespace).List(t.Context(),
			metav1.ListOptions{LabelSelector: "job-name=done"})
		if err == nil && len(list.Items) != 1 {
			err = fmt.Errorf("%d pods", len(list.Items))
		}
		if err != nil {
			return err
		}
		return succeed(t, namespace, list.Items[0].Name)
	})
	if err := succeed(t, namespace, "ended"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the controllers", func() error {
		job, err := cluster.Client.BatchV1().Jobs(namespace).Get(t.Context(), "done", metav1.GetOptions{})
		if err != nil || len(job.Status.Conditions) == 0 {
			return fmt.Errorf("job done: %v", err)
		}
		once, err := cluster.Client.BatchV1().Jobs(namespace).Get(t.Context(), "once", metav1.GetOptions{})
		if err != nil || once.Status.Active != 2 {
			return fmt.Errorf("job once: %d active, %v", once.Status.Active, err)
		}
		cron, err := cluster.Client.BatchV1().CronJobs(namespace).Get(t.Context(), "nightly", metav1.GetOptions{})
		if err != nil || len(cron.Status.Active) != 1 {
			return fmt.Errorf("cronjob: %d active, %v", len(cron.Status.Active), err)
		}
		sets, err := cluster.Client.AppsV1().ReplicaSets(namespace).List(t.Context(),
			metav1.ListOptions{LabelSelector: "app=web"})
		if err != nil || len(sets.Items) != 2 {
			return fmt.Errorf("%d ReplicaSets of web, %v", len(sets.Items), err)
		}
		return nil
	})
}

func succeed(t *testing.T, namespace, pod string) error {
	_, err := cluster.Client.CoreV1().Pods(namespace).Patch(t.Context(), pod, types.MergePatchType,
		[]byte(`{"status":{"phase":"Succeeded"}}`), metav1.PatchOptions{}, "status")
	return err
}

// What controllers of other kinds make is reported once for its owner.
func TestOwnersOfOtherKinds(t *testing.T) {
	namespace := cluster.Namespace(t)
	owned := func(apiVersion, kind, name string) string {
		return fmt.Sprintf("ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}]",
			apiVersion, kind, name, uid(name))
	}
	set := func(name, replicas string) string {
		text := workload("ReplicaSet", name, "replicas: "+replicas)
		return strings.Replace(text, "metadata: {name: "+name+"}",
			"metadata: {name: "+name+", "+owned("argoproj.io/v1alpha1", "Rollout", "shop")+"}", 1)
	}
	apply(t, namespace, set("shop-1", "0")+set("shop-2", "2")+set("shop-3", "1")+
		bare("kafka-0", "Always", owned("core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"))+
		bare("kafka-1", "Always", owned("core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"))+
		bare("kafka-2", "Never", owned("core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"))+
		bare("gone", "Never", owned("example.com/v1", "Deployment", "gone"))+
		strings.Replace(
			bare("mirror", "Always", "annotations: {kubernetes.io/config.mirror: abc}\n  "+owned("v1", "Node", "node-a")),
			"{containers", "{nodeName: node-a, containers", 1))
	for _, pod := range []string{"kafka-2", "gone"} {
		if err := succeed(t, namespace, pod); err != nil {
			t.Fatal(err)
		}
	}
	r := sound(t, run(t, audit.Options{Namespaces: []string{namespace}, PageSize: 2}))
	want := []string{"Pod/mirror ×1", "Rollout/shop ×3", "StrimziPodSet/kafka ×2"}
	if got := workloads(r); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := findings(r, "StrimziPodSet", "kafka"); !slices.Contains(got, "HR301 app") {
		t.Errorf("findings of the owner: %q", got)
	}
	if got := findings(r, "Pod", "mirror"); len(got) > 0 {
		t.Errorf("a mirror Pod is judged: %q", got)
	}
	got := strings.Join(skipped(r), ", ")
	if !strings.Contains(got, "2 finished Pods") || !strings.Contains(got, "containers") {
		t.Errorf("skipped: %s", got)
	}
}

func uid(name string) string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", len(name)) }
