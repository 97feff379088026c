package plane

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Main is for TestMain: it starts one cluster for all tests of a package, and ends it with
// them, after Ctrl-C as well.
func Main(m *testing.M, options Options, cluster **Plane) int {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	if options.Progress == nil {
		options.Progress = func(text string) { fmt.Fprintln(os.Stderr, "cluster:", text) }
	}
	p, err := Start(ctx, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	*cluster = p
	ended := make(chan int, 1)
	go func() { ended <- m.Run() }()
	defer p.Close()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
		return 130
	}
}

var namespaces atomic.Int64

// Namespace makes a namespace of its own for the test, ready for Pods. Labels are key=value.
// It is not removed: the cluster ends with the package's tests.
func (p *Plane) Namespace(t testing.TB, labels ...string) string {
	t.Helper()
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, t.Name())
	name = fmt.Sprintf("%s-%d", strings.Trim(name[:min(len(name), 50)], "-"), namespaces.Add(1))
	p.NamespaceNamed(t, name, labels...)
	return name
}

// NamespaceNamed is Namespace for a test that needs a certain name.
func (p *Plane) NamespaceNamed(t testing.TB, name string, labels ...string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	for _, label := range labels {
		key, value, _ := strings.Cut(label, "=")
		namespace.Labels[key] = value
	}
	_, err := p.Client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.waitAccount(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	// The webhook learns of the namespace by its watch.
	time.Sleep(5 * interval)
}

// Must runs kubectl as the administrator and fails the test when kubectl fails.
func (p *Plane) Must(t testing.TB, arguments ...string) string {
	t.Helper()
	out := p.Kubectl(arguments...)
	if out.Code != 0 {
		t.Fatal(out.err())
	}
	return out.Stdout
}

// Apply is `kubectl apply` of this text by the developer, into a namespace.
func (p *Plane) Apply(namespace, manifest string, more ...string) Output {
	return p.KubectlAs(Developer, manifest, append([]string{"apply", "--namespace", namespace, "-f", "-"}, more...)...)
}

// Pods waits until this many Pods with the labels (a=b,c=d) are in the namespace.
func (p *Plane) Pods(t testing.TB, namespace, labels string, count int) []corev1.Pod {
	t.Helper()
	var pods []corev1.Pod
	Eventually(t, fmt.Sprintf("%d pods of %s in %s", count, labels, namespace), func() error {
		list, err := p.Client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: labels})
		if err != nil {
			return err
		}
		if pods = list.Items; len(pods) != count {
			return fmt.Errorf("%d pods are there", len(pods))
		}
		return nil
	})
	return pods
}

// Restore brings back what a test has taken down: programs that were stopped, frozen
// processes, ended replicas. It fails the test when the cluster does not recover.
func (p *Plane) Restore(t testing.TB) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	for _, process := range []*Process{p.Etcd, p.APIServer, p.Controllers, p.CertManager} {
		if process == nil {
			continue
		}
		_ = process.Signal(syscall.SIGCONT)
		if !process.Running() {
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, replica := range p.Replicas() {
		_ = replica.Thaw()
	}
	p.HoldRestarts(false)
	if err := p.WaitHealthy(ctx); err != nil {
		t.Fatal(err)
	}
	if err := p.WaitWebhook(ctx); err != nil {
		t.Fatal(err)
	}
}
