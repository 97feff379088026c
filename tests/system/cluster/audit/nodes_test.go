//go:build system

package audit

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/render/report"
)

// priced has a limit that HR202 wants away, on the node that it names.
const priced = `apiVersion: v1
kind: Pod
metadata: {name: web, annotations: {headroom.dev/workload-class: latency-sensitive, runtime.headroom.dev/app: node}}
spec:
  nodeName: node-priced
  containers:
    - name: app
      image: shop/web:1
      resources: {requests: {cpu: "1"}, limits: {cpu: "2", memory: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: other}
spec:
  nodeName: node-priced
  containers: [{name: app, image: shop/other:1, resources: {requests: {cpu: 2280m}}}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: team}
spec: {hard: {requests.cpu: "20"}}
`

// price is that of HR202 on a Pod.
func price(r *report.Report, namespace string) string {
	for _, f := range r.Findings {
		if f.Rule == "HR202" && f.Resource.Namespace == namespace {
			return f.Price
		}
	}
	return ""
}

// How full a node is follows from the Pods of all namespaces, and from the Node itself.
func TestPriceOfNoLimit(t *testing.T) {
	nodes := cluster.Client.CoreV1().Nodes()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-priced"}}
	if _, err := nodes.Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cluster.Must(t, "delete", "node", "node-priced", "--wait=false") })
	// Controllers write to a new node, too.
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		node, err := nodes.Get(t.Context(), "node-priced", metav1.GetOptions{})
		if err != nil {
			return err
		}
		node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
		_, err = nodes.UpdateStatus(t.Context(), node, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	namespace := cluster.Namespace(t)
	apply(t, namespace, priced)
	const known = "none, the QoS class stays Burstable; ResourceQuota team bounds requests.cpu of its namespace at 20"
	const full = "; CPU requests on its node (node-priced): 82 % of allocatable"

	all := sound(t, run(t, audit.Options{All: true}))
	if got := price(all, namespace); got != known+full {
		t.Errorf("all namespaces: %q", got)
	}
	// The Pods of one namespace alone do not say how full a node is.
	if got := price(sound(t, run(t, audit.Options{Namespaces: []string{namespace}})), namespace); got != known {
		t.Errorf("one namespace: %q", got)
	}

	role := strings.Replace(document(t, "audit-rbac.yaml"), "resources: [nodes]", "resources: [none]", 1)
	role = strings.ReplaceAll(role, "headroom-audit", "headroom-nodeless")
	apply(t, "", role)
	const user = "system:serviceaccount:headroom-nodeless:auditor"
	allowed(t, user, "list", "pods", "-A")
	without := sound(t, run(t, audit.Options{Config: as(user, "nodeless"), All: true}))
	if got := price(without, namespace); got != known || !slices.Contains(skipped(without), "Nodes") {
		t.Errorf("without the right: %q, left out: %q", got, skipped(without))
	}
	if slices.Contains(skipped(all), "Nodes") {
		t.Error("said where nothing is missing")
	}
}
