//go:build integration

package accepted

import (
	"fmt"
	"maps"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// odd makes what is valid more often than not, and seldom usual.
type odd struct{ *rand.Rand }

var (
	cpus     = []string{"1m", "100m", "250m", "500m", "900m", "1", "1500m", "2", "3", "4", "8"}
	memories = []string{"64Mi", "128Mi", "256Mi", "512Mi", "1Gi", "1500Mi", "2Gi", "3Gi", "4Gi", "8Gi"}
	classes  = []string{"latency-sensitive", "latency-sensitive", "batch", "sidecar", "cron", "multi-tenant"}
	commands = [][]any{
		nil,
		{"java", "-jar", "a.jar"},
		{"java", "-Xmx512m", "-jar", "a.jar"},
		{"java", "-XX:MaxRAMPercentage=70.0", "-jar", "a.jar"},
		{"sh", "-c", "exec java $JAVA_OPTS -jar a.jar"},
		{"/app/server"},
	}
	images   = []string{"eclipse-temurin:21.0.5_11-jre", "eclipse-temurin:17", "golang:1.25", "envoyproxy/envoy:v1.30", "node:22", "busybox"}
	runtimes = []string{"jvm version=21", "go version=1.24", "node", "jvm"}
)

func (o *odd) one(of []string) string { return of[o.IntN(len(of))] }

func (o *odd) often(n int) bool { return o.IntN(n) == 0 }

// pair is a request and a limit in order, as indices.
func (o *odd) pair(n int) (request, limit int) {
	request = o.IntN(n)
	return request, request + o.IntN(n-request)
}

// resources are those of a container, or of a whole Pod.
func (o *odd) resources(pod bool) map[string]any {
	requests, limits := map[string]any{}, map[string]any{}
	for name, values := range map[string][]string{"cpu": cpus, "memory": memories} {
		request, limit := o.pair(len(values))
		if !o.often(3) {
			requests[name] = values[request]
		}
		if !o.often(3) {
			limits[name] = values[limit]
		}
	}
	if !pod && o.often(4) {
		requests["ephemeral-storage"], limits["ephemeral-storage"] = "1Gi", "2Gi"
	}
	if !pod && o.often(6) {
		requests["hugepages-2Mi"], limits["hugepages-2Mi"] = "4Mi", "4Mi"
	}
	if !pod && o.often(8) {
		requests["example.com/gpu"], limits["example.com/gpu"] = "1", "1"
	}
	return map[string]any{"requests": requests, "limits": limits}
}

func (o *odd) container(name string, annotations map[string]any) map[string]any {
	c := map[string]any{"name": name, "image": o.one(images)}
	if command := commands[o.IntN(len(commands))]; command != nil {
		c["command"] = command
	}
	if !o.often(6) {
		c["resources"] = o.resources(false)
	}
	if o.often(3) {
		policy := []any{map[string]any{"resourceName": "cpu", "restartPolicy": o.one([]string{"NotRequired", "RestartContainer"})}}
		if o.often(2) {
			policy = append(policy, map[string]any{"resourceName": "memory", "restartPolicy": "RestartContainer"})
		}
		c["resizePolicy"] = policy
	}
	if o.often(3) {
		c["env"] = []any{map[string]any{"name": "LIMIT", "valueFrom": map[string]any{"resourceFieldRef": map[string]any{"resource": "limits.cpu"}}}}
	}
	if o.often(2) {
		average, peak := o.pair(len(cpus))
		annotations["cpu-average.headroom.dev/"+name], annotations["cpu-peak.headroom.dev/"+name] = cpus[average], cpus[peak]
	}
	if o.often(2) {
		annotations["runtime.headroom.dev/"+name] = o.one(runtimes)
	}
	if o.often(3) {
		annotations["memory-peak.headroom.dev/"+name] = o.one(memories)
	}
	return c
}

// object is a Pod or a Deployment.
func (o *odd) object(namespace string) map[string]any {
	annotations := map[string]any{"headroom.dev/workload-class": o.one(classes), "headroom.dev/cpu-allocation": o.one(cpus)}
	spec := map[string]any{}
	var containers, first []any
	for i := range 1 + o.IntN(3) {
		containers = append(containers, o.container(fmt.Sprintf("c%d", i), annotations))
	}
	for i := range o.IntN(3) {
		c := o.container(fmt.Sprintf("i%d", i), annotations)
		if o.often(2) {
			c["restartPolicy"] = "Always"
		} else {
			delete(c, "resizePolicy") // of sidecars alone
		}
		first = append(first, c)
	}
	spec["containers"] = containers
	if first != nil {
		spec["initContainers"] = first
	}
	if o.often(3) {
		spec["resources"] = o.resources(true)
	}
	if o.often(8) {
		spec["os"] = map[string]any{"name": "windows"}
	}
	metadata := map[string]any{"name": "odd", "namespace": namespace, "annotations": annotations}
	if o.often(2) {
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
	}
	labels := map[string]any{"app": "odd"}
	template := map[string]any{"metadata": map[string]any{"labels": labels, "annotations": annotations}, "spec": spec}
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "odd", "namespace": namespace},
		"spec": map[string]any{"selector": map[string]any{"matchLabels": maps.Clone(labels)}, "template": template},
	}
}

// amounts are some of a list of CPU and memory, by an index from a smallest one on.
func (o *odd) amounts(least int) corev1.ResourceList {
	list := corev1.ResourceList{}
	if o.often(2) {
		list[corev1.ResourceCPU] = resource.MustParse(cpus[min(least+o.IntN(3), len(cpus)-1)])
	}
	if o.often(2) {
		list[corev1.ResourceMemory] = resource.MustParse(memories[min(least+o.IntN(3), len(memories)-1)])
	}
	return list
}

// limits are items of a LimitRange, in the order that the API server wants: min, defaultRequest, default, max.
func (o *odd) limits() []corev1.LimitRangeItem {
	item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer}
	if o.often(2) {
		item.Min = o.amounts(0)
	}
	if o.often(2) {
		item.Max = o.amounts(7)
	}
	if o.often(2) {
		item.DefaultRequest, item.Default = o.amounts(2), o.amounts(5)
	}
	if o.often(2) {
		item.MaxLimitRequestRatio = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
		if o.often(2) {
			item.MaxLimitRequestRatio[corev1.ResourceMemory] = resource.MustParse("2")
		}
	}
	items := []corev1.LimitRangeItem{item}
	if o.often(2) {
		items = append(items, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: o.amounts(8), MaxLimitRequestRatio: item.MaxLimitRequestRatio})
	}
	return items
}

func (o *odd) quota() corev1.ResourceList {
	hard := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{corev1.ResourceLimitsCPU, corev1.ResourceRequestsCPU} {
		if o.often(2) {
			hard[name] = resource.MustParse(o.one([]string{"4", "8", "32"}))
		}
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceLimitsMemory, corev1.ResourceRequestsMemory} {
		if o.often(2) {
			hard[name] = resource.MustParse(o.one([]string{"4Gi", "8Gi", "32Gi"}))
		}
	}
	return hard
}

func (o *odd) used(hard corev1.ResourceList) corev1.ResourceList {
	used := corev1.ResourceList{}
	for name, most := range hard {
		used[name] = *resource.NewMilliQuantity(most.MilliValue()/int64(2+o.IntN(6)), most.Format)
	}
	return used
}
