//go:build system && upgrades

package faults

import (
	"reflect"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/versions"
)

// The version before and this one side by side, then the other way round and back, under load. No request is refused
// unjudged, except in the moment in which a replica ends, and what one has changed the other leaves alone.
func TestUpgradeSideBySide(t *testing.T) {
	fault(t)
	both := versions.Of(t, cluster.Binary())
	l := startLoad(t, 30)
	namespace := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	client := quiet(t)
	var broken []window
	for i, step := range []struct{ start, first, second string }{
		{versions.Before, versions.Before, versions.This},
		{versions.Before, versions.Before, versions.Before},
		{versions.This, versions.This, versions.Before},
		{versions.This, versions.This, versions.This},
		{versions.Before, versions.Before, versions.This},
		{versions.This, versions.This, versions.This},
	} {
		both.Use(t, step.start)
		for _, victim := range cluster.Replicas() {
			if both.Running(victim.Process.PID()) == step.start {
				continue
			}
			now := time.Now()
			if err := victim.Kill(); err != nil {
				t.Fatal(err)
			}
			<-victim.Process.Exited()
			broken = append(broken, window{from: now, to: healed(t, l.streams[1].namespace)})
			time.Sleep(beat)
			recovered(t)
			break
		}
		runs := map[string]int{}
		for _, replica := range cluster.Replicas() {
			runs[both.Running(replica.Process.PID())]++
		}
		want := map[string]int{step.first: 1}
		want[step.second]++
		if !reflect.DeepEqual(runs, want) {
			t.Fatalf("step %d: %v run, want %v", i, runs, want)
		}
		// What either has made of a Pod, both take as it is.
		pod, err := client.CoreV1().Pods(namespace).Create(t.Context(), wrong(), metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			again := wrong()
			again.Annotations = pod.Annotations
			again.Spec.Containers[0].Resources, again.Spec.Containers[0].Env = pod.Spec.Containers[0].Resources, pod.Spec.Containers[0].Env
			made, err := client.CoreV1().Pods(namespace).Create(t.Context(), again, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(made.Annotations, pod.Annotations) ||
				!reflect.DeepEqual(made.Spec.Containers[0].Resources, pod.Spec.Containers[0].Resources) ||
				!reflect.DeepEqual(made.Spec.Containers[0].Env, pod.Spec.Containers[0].Env) {
				t.Errorf("step %d: what one made, the other makes\n%v\nof\n%v", i, made.Annotations, pod.Annotations)
				break
			}
		}
		t.Logf("%v: verdicts and patches hold", runs)
	}
	time.Sleep(time.Second)
	l.end(t, hung, broken...)
}
