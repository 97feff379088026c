//go:build system

package faults

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// wrong is a Pod with an error that can be fixed: a CPU limit on what is sensitive to
// latency (HR202).
func wrong() *corev1.Pod {
	pod := right()
	pod.Spec.Containers[0].Resources.Limits[corev1.ResourceCPU] = resource.MustParse("2")
	return pod
}

// right is a Pod without an error.
func right() *corev1.Pod {
	amounts := func(cpu bool) corev1.ResourceList {
		list := corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")}
		if cpu {
			list[corev1.ResourceCPU] = resource.MustParse("500m")
		}
		return list
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: "load-",
			Annotations: map[string]string{
				"headroom.dev/workload-class": "latency-sensitive",
				// What runs there must be known before its limit goes.
				"runtime.headroom.dev/app": "native",
			},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Image: "registry.example.com/app:1.0.0",
			Resources: corev1.ResourceRequirements{Requests: amounts(true), Limits: amounts(false)},
		}}},
	}
}

// outcome is what became of a Pod.
type outcome struct {
	kind string
	// began and took are of the whole call to the API server.
	began time.Time
	took  time.Duration
	err   error
}

const (
	mutated  = "mutated"              // fixed, then created
	admitted = "admitted as it is"    // created without a change
	judged   = "refused for a reason" // by a rule
	closed   = "refused unjudged"     // since the webhook did not answer, or could not judge
	failed   = "failed"               // anything else: the API server is not there
)

// create creates a Pod and says what became of it. It waits long enough to see what hangs.
func create(ctx context.Context, client kubernetes.Interface, namespace string, pod *corev1.Pod) outcome {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 40*time.Second)
	defer cancel()
	o := outcome{began: time.Now()}
	var created *corev1.Pod
	created, o.err = client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{})
	o.took = time.Since(o.began)
	o.kind = kindOf(created, o.err)
	return o
}

func kindOf(created *corev1.Pod, err error) string {
	switch {
	case err == nil:
		_, limited := created.Spec.Containers[0].Resources.Limits[corev1.ResourceCPU]
		if strings.Contains(created.Annotations["headroom.dev/applied"], "HR202") && !limited {
			return mutated
		}
		return admitted
	case apierrors.ReasonForError(err) == metav1.StatusReasonUnknown:
		return failed
	case strings.Contains(err.Error(), "HR202"):
		return judged
	case strings.Contains(err.Error(), `failed calling webhook "enforce.headroom.dev"`),
		strings.Contains(err.Error(), "headroom could not judge"):
		return closed
	default:
		return failed
	}
}

// quiet is a client that does not print warnings.
func quiet(t *testing.T) kubernetes.Interface {
	t.Helper()
	config := rest.CopyConfig(cluster.Config)
	config.WarningHandlerWithContext = rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
