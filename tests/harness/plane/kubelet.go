package plane

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// kubelet plays scheduler, kubelet, kube-proxy and EndpointSlice controller for the Pods of
// one namespace: each becomes a process of this machine.
type kubelet struct {
	client                      kubernetes.Interface
	dir, binary, ip, server, ca string

	secrets  listers.SecretNamespaceLister
	configs  listers.ConfigMapNamespaceLister
	services listers.ServiceNamespaceLister

	context context.Context
	cancel  context.CancelFunc
	runners sync.WaitGroup
	hold    atomic.Bool

	mutex sync.Mutex
	bound int
	pods  map[types.UID]*runner
}

func (p *Plane) startKubelet(ctx context.Context) error {
	// It goes on when the context of the start has ended.
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	k := &kubelet{
		client: p.Client, dir: filepath.Join(p.Dir, "pods"), binary: p.options.Binary,
		ip: p.IP, server: p.Server, ca: p.authority.bundle(),
		context: lasting, cancel: cancel, pods: map[types.UID]*runner{},
	}
	p.kubelet = k
	factory := informers.NewSharedInformerFactoryWithOptions(p.Client, 0, informers.WithNamespace(ReleaseNamespace))
	core := factory.Core().V1()
	k.secrets = core.Secrets().Lister().Secrets(ReleaseNamespace)
	k.configs = core.ConfigMaps().Lister().ConfigMaps(ReleaseNamespace)
	k.services = core.Services().Lister().Services(ReleaseNamespace)
	changed := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { k.contentChanged() },
		UpdateFunc: func(any, any) { k.contentChanged() },
	}
	for _, informer := range []cache.SharedIndexInformer{core.Secrets().Informer(), core.ConfigMaps().Informer()} {
		if _, err := informer.AddEventHandler(changed); err != nil {
			return err
		}
	}
	_, err := core.Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(pod any) { k.podChanged(pod.(*corev1.Pod)) },
		UpdateFunc: func(_, pod any) { k.podChanged(pod.(*corev1.Pod)) },
		DeleteFunc: func(gone any) {
			if tombstone, ok := gone.(cache.DeletedFinalStateUnknown); ok {
				gone = tombstone.Obj
			}
			k.podGone(gone.(*corev1.Pod).UID)
		},
	})
	if err != nil {
		return err
	}
	_ = core.Services().Informer()
	factory.Start(lasting.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("list %s: %w", kind, ctx.Err())
		}
	}
	return nil
}

// close kills all processes and waits for the goroutines.
func (k *kubelet) close() {
	k.cancel()
	k.runners.Wait()
}

func (k *kubelet) contentChanged() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, r := range k.pods {
		notify(r.content)
	}
}

func (k *kubelet) podChanged(pod *corev1.Pod) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	r, known := k.pods[pod.UID]
	switch {
	case known && pod.DeletionTimestamp != nil:
		r.deletion.CompareAndSwap(nil, pod)
		notify(r.terminate)
	case !known && pod.DeletionTimestamp == nil && pod.Spec.NodeName == "":
		r := newRunner(k, pod)
		k.pods[pod.UID] = r
		node := nodes[k.bound%len(nodes)]
		k.bound++
		k.runners.Go(func() { r.run(k.context, node) })
	}
}

func (k *kubelet) podGone(uid types.UID) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if r, known := k.pods[uid]; known {
		r.mutex.Lock()
		r.cancel()
		r.mutex.Unlock()
		delete(k.pods, uid)
	}
}

// bind is the scheduler's part.
func (k *kubelet) bind(ctx context.Context, pod *corev1.Pod, node string) error {
	err := k.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: node},
	}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("bind to %s: %w", node, err)
	}
	return nil
}

// notify wakes up the reader of the channel; a second call before it reads has no effect.
func notify(channel chan struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}
