//go:build linux

package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// workload is what varies from one to the next. The same number gives the same one, on every
// machine.
type workload struct {
	n                     int
	kind, namespace, name string
	class                 string
	replicas              int
	jvm, sidecar, shipper bool
	// limited, unequal and bare are the mistakes that people make: a CPU limit on what must
	// answer fast, a memory request below the limit, no class.
	limited, unequal, bare bool
	// mapped JVMs have their options in a ConfigMap.
	mapped bool
}

func namespaceName(i int) string { return fmt.Sprintf("team-%03d", i) }

func workloadOf(n int) workload {
	w := workload{
		n: n, namespace: namespaceName(n * 7 % namespaces), jvm: n%5 == 0, sidecar: n%5 < 2, shipper: n%7 == 0,
		limited: n%10 == 3 || n%10 == 5, unequal: n%10 == 5, bare: n%10 == 8,
		mapped: n%10 == 0,
		class:  []string{"latency-sensitive", "latency-sensitive", "batch"}[n%3],
	}
	switch i := n / 10 % 20; { // across the mistakes
	case i < 14:
		w.kind = "Deployment"
	case i < 16:
		w.kind = "StatefulSet"
	case i < 17:
		w.kind = "DaemonSet"
	case i < 19:
		w.kind, w.class = "CronJob", "cron"
	default:
		w.kind, w.class = "Job", "batch"
	}
	w.name = fmt.Sprintf("service-%05d", n)
	return w
}

// replicated tells that Pods of it are there; Jobs have had theirs.
func (w workload) replicated() bool { return w.kind != "CronJob" && w.kind != "Job" }

func (w workload) labels() map[string]string {
	return map[string]string{"app.kubernetes.io/name": w.name, "app.kubernetes.io/part-of": w.namespace}
}

func (w workload) annotations() map[string]string {
	a := map[string]string{"prometheus.io/scrape": "true", "prometheus.io/port": "8080"}
	if !w.bare {
		a["headroom.dev/workload-class"] = w.class
		a["cpu-average.headroom.dev/app"] = strconv.Itoa(250*(1+w.n%8)) + "m"
	}
	return a
}

func (w workload) template() corev1.PodTemplateSpec {
	restart := corev1.RestartPolicyAlways
	if !w.replicated() {
		restart = corev1.RestartPolicyOnFailure
	}
	spec := corev1.PodSpec{
		Containers: w.containers(), RestartPolicy: restart, ServiceAccountName: "default", DNSPolicy: corev1.DNSClusterFirst,
		SchedulerName: "default-scheduler", Volumes: []corev1.Volume{
			{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: w.name},
			}}},
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		},
	}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: w.labels(), Annotations: w.annotations()}, Spec: spec,
	}
}

const javaOptions, percentage = "JAVA_TOOL_OPTIONS", "-XX:MaxRAMPercentage=50.0"

// settings are what the workload mounts, or takes its environment from.
func (w workload) settings() map[string]string {
	if w.mapped {
		return map[string]string{javaOptions: percentage, "PROFILE": "production"}
	}
	return map[string]string{"application.yaml": strings.Repeat("backend: {url: https://backend.svc, retries: 3}\n", 20)}
}

func (w workload) containers() []corev1.Container {
	average, memory := 250*(1+w.n%8), 256*(1+w.n%6)
	app := corev1.Container{
		Name: "app", Image: "registry.example/" + w.namespace + "/app:1.4." + strconv.Itoa(w.n%30),
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
		VolumeMounts: []corev1.VolumeMount{
			{Name: "config", MountPath: "/etc/app", ReadOnly: true}, {Name: "tmp", MountPath: "/tmp"},
		},
		ImagePullPolicy: corev1.PullIfNotPresent, TerminationMessagePath: "/dev/termination-log",
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
	}
	for i := range 12 {
		app.Env = append(app.Env, corev1.EnvVar{
			Name: fmt.Sprintf("SETTING_%02d", i), Value: fmt.Sprintf("https://backend-%d.%s.svc/v1", i, w.namespace),
		})
	}
	if w.jvm {
		memory += 768
		app.Command = []string{"java", "-XX:+UseG1GC", "-XX:MaxMetaspaceSize=192m", "-jar", "/app/service.jar"}
		if w.mapped {
			app.EnvFrom = []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: w.name},
			}}}
		} else {
			app.Env = append(app.Env, corev1.EnvVar{Name: javaOptions, Value: percentage})
		}
	}
	mebi := strconv.Itoa(memory) + "Mi"
	app.Resources.Requests = amounts(strconv.Itoa(average)+"m", mebi)
	app.Resources.Limits = amounts("", mebi)
	if w.limited || w.class == "batch" {
		app.Resources.Limits = amounts(strconv.Itoa(2*average)+"m", mebi)
	}
	if w.unequal {
		app.Resources.Requests[corev1.ResourceMemory] = quantity(strconv.Itoa(memory/2) + "Mi")
	}
	list := []corev1.Container{app}
	if w.sidecar {
		list = append(list, beside("istio-proxy", "istio/proxyv2:1.27.0", "100m", "128Mi"))
	}
	if w.shipper {
		list = append(list, beside("fluent-bit", "fluent/fluent-bit:4.1.0", "50m", "64Mi"))
	}
	return list
}

func beside(name, image, cpu, memory string) corev1.Container {
	return corev1.Container{
		Name: name, Image: image, Env: []corev1.EnvVar{{Name: "LOG_LEVEL", Value: "info"}},
		Resources: corev1.ResourceRequirements{Requests: amounts(cpu, memory), Limits: amounts(cpu, memory)},
	}
}

func quantity(text string) resource.Quantity { return resource.MustParse(text) }

// amounts leaves out what is "".
func amounts(cpu, memory string) corev1.ResourceList {
	list := corev1.ResourceList{}
	if cpu != "" {
		list[corev1.ResourceCPU] = quantity(cpu)
	}
	if memory != "" {
		list[corev1.ResourceMemory] = quantity(memory)
	}
	return list
}

// created is when everything was: a clock would make each run another one.
var created = metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))

// meta has what the API server would have written: managedFields are as long as those of a
// small Deployment.
func meta(namespace, name, kind string, owner *metav1.OwnerReference) metav1.ObjectMeta {
	m := metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(kind + "-" + namespace + "-" + name), Generation: 1,
		CreationTimestamp: created,
		ManagedFields: []metav1.ManagedFieldsEntry{{
			Manager: "kubectl-client-side-apply", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "apps/v1",
			Time: &created, FieldsType: "FieldsV1", FieldsV1: managed,
		}},
	}
	if owner != nil {
		m.OwnerReferences = []metav1.OwnerReference{*owner}
	}
	return m
}

func controller(apiVersion string, m metav1.ObjectMeta, kind string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{
		APIVersion: apiVersion, Kind: kind, Name: m.Name, UID: m.UID, Controller: &yes, BlockOwnerDeletion: &yes,
	}
}
