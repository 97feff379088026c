//go:build system && soak

package faults

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var (
	soakFor  = flag.Duration("soak", time.Hour, "how long")
	soakRate = flag.Int("rate", 200, "Pods a second")
)

// sample is what a part of the soak came to.
type sample struct {
	took     []time.Duration
	outcomes map[string]int
	errors   []string
}

// TestSoak is run by hand (make soak): Pods as dry runs, half of them never seen before. Meanwhile the
// config is reloaded every minute, the certificate renewed every two, and the API server restarted every
// ten. What goes wrong while the API server is away is its own. Each line is a tenth of the time.
func TestSoak(t *testing.T) {
	fault(t)
	config := cluster.Client.CoreV1().ConfigMaps(plane.ReleaseNamespace)
	s := streams()
	for _, one := range s {
		one.namespace = cluster.Namespace(t, one.labels...)
	}
	client := quiet(t)
	var mutex, upheaval sync.Mutex // one upheaval at a time: no renewal while the API server is away
	now, away := sample{outcomes: map[string]int{}}, false
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	every := func(period time.Duration, do func(i int)) {
		go func() {
			tick := time.NewTicker(period)
			defer tick.Stop()
			for i := 0; ; i++ {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
					do(i)
				}
			}
		}()
	}
	calm := func(do func()) { mutex.Lock(); defer mutex.Unlock(); do() }
	every(time.Minute, func(i int) {
		patch := fmt.Appendf(nil, `{"data":{"headroom.yaml":"apiVersion: headroom.dev/v1alpha1\nkind: Config\ntolerance: 0.%d\n"}}`, 21+i%9)
		if _, err := config.Patch(ctx, plane.Release+"-config", "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
			t.Log("config:", err)
		}
	})
	every(2*time.Minute, func(int) {
		upheaval.Lock()
		defer upheaval.Unlock()
		renew(t, leafName)
	})
	every(10*time.Minute, func(int) {
		upheaval.Lock()
		defer upheaval.Unlock()
		calm(func() { away = true })
		err := cluster.APIServer.Restart()
		if err == nil {
			err = cluster.WaitHealthy(ctx)
		}
		if err != nil {
			t.Log("API server:", err)
		}
		time.Sleep(beat)
		calm(func() { away = false })
	})
	every(time.Second/time.Duration(*soakRate), func(i int) {
		one := s[i%len(s)]
		go func() {
			var inOutage bool
			calm(func() { inOutage = away })
			pod := one.pod()
			if i%2 == 0 {
				unseen(pod)
			}
			o := dryRun(ctx, client, one.namespace, pod)
			mutex.Lock()
			defer mutex.Unlock()
			kind := o.kind
			if kind != one.healthy {
				if inOutage || away {
					kind = "while the API server was away"
				} else if ctx.Err() == nil {
					now.errors = append(now.errors, fmt.Sprintf("%s: %s after %s: %v", one.name, o.kind, o.took, o.err))
				}
			} else {
				now.took = append(now.took, o.took)
			}
			now.outcomes[kind]++
		}()
	})
	began := time.Now()
	for i := range 10 {
		time.Sleep(*soakFor / 10)
		var then sample
		calm(func() { then, now = now, sample{outcomes: map[string]int{}} })
		slices.Sort(then.took)
		at := func(share int) time.Duration {
			if len(then.took) == 0 {
				return 0
			}
			return then.took[(len(then.took)-1)*share/100].Round(100 * time.Microsecond)
		}
		var counts, memory []string
		for _, kind := range slices.Sorted(maps.Keys(then.outcomes)) {
			counts = append(counts, fmt.Sprintf("%d %s", then.outcomes[kind], kind))
		}
		for _, replica := range cluster.Replicas() {
			memory = append(memory, resident(replica))
		}
		fmt.Printf("soak: %s: %s; p50 %s, p99 %s; memory %s; %d errors\n", time.Since(began).Round(time.Second),
			strings.Join(counts, ", "), at(50), at(99), strings.Join(memory, " and "), len(then.errors))
		if len(then.errors) > 0 {
			t.Errorf("part %d: %d errors, such as\n%s", i, len(then.errors), strings.Join(then.errors[:min(5, len(then.errors))], "\n"))
		}
	}
}

// unseen makes a Pod that no cache has.
func unseen(pod *corev1.Pod) {
	pod.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "RUN", Value: fmt.Sprint(rand.Int64())}}
}

func dryRun(ctx context.Context, client kubernetes.Interface, namespace string, pod *corev1.Pod) outcome {
	ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	o := outcome{began: time.Now()}
	var created *corev1.Pod
	created, o.err = client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	o.took = time.Since(o.began)
	o.kind = kindOf(created, o.err)
	return o
}

// resident is the memory of a replica's process.
func resident(replica plane.Replica) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", replica.Process.PID()))
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			var kib int
			_, _ = fmt.Sscan(value, &kib)
			return fmt.Sprintf("%d MiB", kib>>10)
		}
	}
	return "unknown"
}
