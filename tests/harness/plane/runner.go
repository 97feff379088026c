package plane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/ports"
)

// runner is one Pod with its process.
type runner struct {
	kubelet *kubelet
	pod     *corev1.Pod
	dir     string
	process *Process
	// ports are those that the container's stand for on this machine.
	ports map[int32]int

	cancel    context.CancelFunc
	content   chan struct{} // a Secret or ConfigMap changed
	terminate chan struct{} // the Pod is being deleted
	deletion  atomic.Pointer[corev1.Pod]

	mutex    sync.Mutex
	state    state
	problem  error
	restarts int32
}

// state is what a Pod's status says.
type state struct {
	phase       corev1.PodPhase
	ready       bool
	terminating bool
	code        int32
}

func newRunner(k *kubelet, pod *corev1.Pod) *runner {
	return &runner{
		kubelet: k, pod: pod, dir: filepath.Join(k.dir, pod.Name), cancel: func() {},
		content: make(chan struct{}, 1), terminate: make(chan struct{}, 1),
	}
}

// run is the life of the Pod. What goes wrong before its process runs is tried again, as a
// kubelet does; the tests find it in Diagnosis.
func (r *runner) run(ctx context.Context, node string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.mutex.Lock()
	r.cancel = cancel
	r.mutex.Unlock()
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return r.kubelet.bind(ctx, r.pod, node) },
		r.prepare,
		func(context.Context) error { return r.process.Start() },
	} {
		for {
			err := step(ctx)
			r.fail(err)
			if err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return
			case <-r.terminate:
				r.finish(ctx)
				return
			case <-r.content:
			case <-time.After(time.Second):
			}
		}
	}
	r.supervise(ctx)
}

// prepare makes what the process needs: volumes, ports, token.
func (r *runner) prepare(ctx context.Context) error {
	if len(r.pod.Spec.Containers) != 1 || len(r.pod.Spec.InitContainers) != 0 {
		return fmt.Errorf("pod %s has more than one container, which nothing here plays", r.pod.Name)
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	if err := r.writeVolumes(); err != nil {
		return err
	}
	container := r.pod.Spec.Containers[0]
	if r.ports == nil {
		free, err := ports.Free(r.kubelet.ip, len(container.Ports))
		if err != nil {
			return err
		}
		r.ports = map[int32]int{}
		for i, port := range container.Ports {
			r.ports[port.ContainerPort] = free[i]
		}
	}
	arguments, err := r.arguments(ctx)
	if err != nil {
		return err
	}
	environment, err := r.environment()
	if err != nil {
		return err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.process = &Process{
		Name: r.pod.Name, Log: filepath.Join(r.kubelet.dir, r.pod.Name+".log"), path: r.kubelet.binary,
		arguments: arguments, environment: environment,
	}
	return nil
}

// begun says whether the Pod has come as far as having a process.
func (r *runner) begun() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.process != nil
}

// supervise keeps the process alive, probes it and follows what changes around it.
func (r *runner) supervise(ctx context.Context) {
	defer r.process.Stop(0)
	r.report(ctx, state{phase: corev1.PodRunning})
	probes := newProbes(r)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.terminate:
			r.shutDown(ctx)
			return
		case <-r.content:
			r.fail(r.writeVolumes())
		case <-r.process.Exited():
			if !r.restart(ctx) {
				return
			}
			probes = newProbes(r)
		case <-tick.C:
			probes.run(ctx)
			if probes.dead() {
				r.process.Stop(10 * time.Second)
				continue
			}
			r.report(ctx, state{phase: corev1.PodRunning, ready: probes.ready()})
		}
	}
}

// backoff is how long a kubelet waits before it starts a container that ended soon again.
const backoff = time.Second

// restart starts a process that ended; false where the Pod wants none.
func (r *runner) restart(ctx context.Context) bool {
	if r.pod.Spec.RestartPolicy == corev1.RestartPolicyNever {
		phase, code := corev1.PodSucceeded, r.process.exitCode()
		if code != 0 {
			phase = corev1.PodFailed
		}
		r.report(ctx, state{phase: phase, code: code})
		return false
	}
	for end := time.Now().Add(backoff); time.Now().Before(end) || r.kubelet.hold.Load(); {
		r.report(ctx, state{phase: corev1.PodRunning})
		select {
		case <-ctx.Done():
			return false
		case <-r.terminate:
			r.finish(ctx)
			return false
		case <-time.After(interval):
		}
	}
	r.mutex.Lock()
	r.restarts++
	r.mutex.Unlock()
	r.fail(r.process.Start())
	return true
}

// shutDown ends the process as a kubelet does when the Pod is deleted.
func (r *runner) shutDown(ctx context.Context) {
	for range 3 { // another write to the Pod at the same moment must not keep its endpoint
		if r.report(ctx, state{phase: corev1.PodRunning, terminating: true}) {
			break
		}
	}
	grace := time.Duration(30) * time.Second
	if pod := r.deletion.Load(); pod.DeletionGracePeriodSeconds != nil {
		grace = time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
	}
	end := time.Now().Add(grace)
	if hooks := r.pod.Spec.Containers[0].Lifecycle; hooks != nil && hooks.PreStop != nil && hooks.PreStop.Sleep != nil {
		select {
		case <-time.After(min(grace, time.Duration(hooks.PreStop.Sleep.Seconds)*time.Second)):
		case <-ctx.Done():
		}
	}
	r.process.Stop(max(time.Until(end), time.Second))
	r.finish(ctx)
}

// finish removes the Pod's object, now that nothing of it runs.
func (r *runner) finish(ctx context.Context) {
	r.withdraw(ctx)
	now := int64(0)
	_ = r.kubelet.client.CoreV1().Pods(r.pod.Namespace).Delete(ctx, r.pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &r.pod.UID},
	})
	_ = os.RemoveAll(r.dir)
}

func (r *runner) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.problem = err
}
