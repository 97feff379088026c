package plane

import (
	"context"
	"fmt"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nodes are where the webhook's Pods are bound to: a Pod without a node is deleted at once,
// without its grace period.
var nodes = []string{"node-a", "node-b", "node-c"}

// populate makes a developer, who may edit what is in namespaces, and the nodes.
func (p *Plane) populate(ctx context.Context) error {
	if _, err := p.userKubeconfig(Developer); err != nil {
		return err
	}
	_, err := p.Client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "developers"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "edit"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: Developer}},
	}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("bind developer: %w", err)
	}
	for _, name := range nodes {
		node, err := p.Client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{corev1.LabelHostname: name, corev1.LabelTopologyZone: name},
		}}, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("create node: %w", err)
		}
		// Admission taints every new node, and DaemonSets would leave it out.
		node.Spec.Taints = nil
		if _, err := p.Client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("create node: %w", err)
		}
	}
	// The controllers live once a namespace has its ServiceAccount.
	return p.waitAccount(ctx, metav1.NamespaceDefault)
}

// waitAccount waits for the ServiceAccount without which a namespace takes no Pods.
func (p *Plane) waitAccount(ctx context.Context, namespace string) error {
	return until(ctx, "the ServiceAccount of "+namespace, func(ctx context.Context) error {
		if !p.Controllers.Running() {
			return stop(p.Controllers.failure())
		}
		_, err := p.Client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

func (p *Plane) auditLog() string { return filepath.Join(p.Dir, "audit.log") }
