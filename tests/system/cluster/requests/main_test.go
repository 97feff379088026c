//go:build system

// Package requests sends a running webhook what it must not stumble over: requests of every
// shape, also with other webhooks beside it. It looks for secrets in what the webhook prints.
package requests

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var cluster *plane.Plane

// install is the chart with everything logged, and rollouts that take no time.
var install = []string{"--set", "logLevel=debug,preStopSeconds=0,drainSeconds=1"}

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{HelmArguments: install}, &cluster))
}

const (
	applied  = "headroom.dev/applied"
	enforce  = "headroom.dev/mode=enforce"
	warn     = "headroom.dev/mode=warn"
	off      = "headroom.dev/mode=off"
	mutate   = "headroom.dev/mutate=enabled"
	unjudged = "headroom could not judge this Pod"
)

// settle gives watches time to hear of a change.
func settle() { time.Sleep(500 * time.Millisecond) }

// right is a Pod without a finding.
func right(name string) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{
			"headroom.dev/workload-class": "latency-sensitive", "runtime.headroom.dev/app": "native",
		}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Image: "registry.example.com/app:1.0.0",
			Resources: corev1.ResourceRequirements{
				Requests: amounts("500m", "256Mi"), Limits: amounts("", "256Mi"),
			},
		}}},
	}
}

// wrong has an error that can be fixed: a CPU limit on what is sensitive to latency
// (HR202).
func wrong(name string) *corev1.Pod {
	pod := right(name)
	pod.Spec.Containers[0].Resources.Limits = amounts("2", "256Mi")
	return pod
}

func amounts(cpu, memory string) corev1.ResourceList {
	list := corev1.ResourceList{}
	if cpu != "" {
		list[corev1.ResourceCPU] = resource.MustParse(cpu)
	}
	if memory != "" {
		list[corev1.ResourceMemory] = resource.MustParse(memory)
	}
	return list
}

// limited says whether a container has a CPU limit.
func limited(c corev1.Container) bool {
	_, found := c.Resources.Limits[corev1.ResourceCPU]
	return found
}

// heard collects the warnings of the requests made with its context.
type heard struct {
	mutex sync.Mutex
	texts []string
}

type heardKey struct{}

func (h *heard) add(text string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.texts = append(h.texts, text)
}

type listener struct{}

func (listener) HandleWarningHeaderWithContext(ctx context.Context, _ int, _, text string) {
	if h, ok := ctx.Value(heardKey{}).(*heard); ok {
		h.add(text)
	}
}

// client is the administrator's, or with changes somebody else's.
func client(t testing.TB, change ...func(*rest.Config)) kubernetes.Interface {
	t.Helper()
	config := rest.CopyConfig(cluster.Config)
	config.WarningHandlerWithContext = listener{}
	for _, c := range change {
		c(config)
	}
	made, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// answer is what the API server said to a creation.
type answer struct {
	pod      *corev1.Pod
	warnings []string
	err      error
}

// create creates a Pod; a dry run goes through the same webhooks.
func create(ctx context.Context, c kubernetes.Interface, namespace string, pod *corev1.Pod, dry bool) answer {
	var h heard
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, heardKey{}, &h), 10*time.Minute)
	defer cancel()
	options := metav1.CreateOptions{}
	if dry {
		options.DryRun = []string{metav1.DryRunAll}
	}
	created, err := c.CoreV1().Pods(namespace).Create(ctx, pod, options)
	return answer{created, h.texts, err}
}

// refused says whether a Pod was refused as wrong is.
func refused(err error) bool {
	return err != nil && strings.Contains(err.Error(), "headroom refuses") && strings.Contains(err.Error(), "[HR202]")
}

// metric is the sum of a metric over all replicas.
func metric(t testing.TB, name string, labels ...string) float64 {
	t.Helper()
	sum := 0.0
	for _, replica := range cluster.Replicas() {
		value, err := replica.Metric(name, labels...)
		if err != nil {
			t.Fatal(err)
		}
		sum += value
	}
	return sum
}

// undisturbed fails the test when a process of the webhook ends in its course.
func undisturbed(t *testing.T) {
	t.Helper()
	before := processes()
	t.Cleanup(func() {
		if after := processes(); before != after {
			t.Errorf("the processes were %s and are %s\n%s", before, after, cluster.Diagnosis())
		}
	})
}

func processes() string {
	text := ""
	for _, replica := range cluster.Replicas() {
		text += " " + replica.Pod + "=" + itoa(replica.Process.PID())
	}
	return text
}

var (
	errStillThere = errors.New("still there")
	errNotYet     = errors.New("not yet")
)

// with is a context whose warnings are heard.
func with(t testing.TB, h *heard) context.Context {
	t.Helper()
	return context.WithValue(t.Context(), heardKey{}, h)
}
