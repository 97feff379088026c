//go:build integration

package charts

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

const (
	certManager    = "certificates.mode=cert-manager"
	selfSigned     = "certificates.mode=self-signed"
	existingMode   = "certificates.mode=existing-secret"
	existingSecret = existingMode + " certificates.existingSecret.name=mine"
	monitoring     = "metrics.serviceMonitor.enabled=true metrics.prometheusRule.enabled=true " +
		"metrics.dashboard.enabled=true"
)

// matrix is every choice between ways to install, and the switches together.
var matrix = combinations(
	[]string{certManager, selfSigned, existingSecret},
	[]string{"", "defaults.mode=off defaults.mutate=enabled", "defaults.mode=enforce"},
	[]string{
		"",
		monitoring,
		"fullnameOverride=other excludeNamespaces={cert-manager,cilium} clientCA.secretName=callers preStopSeconds=0",
		"podDisruptionBudget.enabled=false networkPolicy.enabled=false priorityClassName= serviceAccount.create=false " +
			"serviceAccount.name=theirs rbac.create=false",
		"audit.enabled=true metrics.tls.secretName=scrape audit.prometheus.url=https://p.example:9090 " +
			"audit.prometheus.tokenSecretName=token audit.prometheus.caConfigMapName=ca " + monitoring,
		"audit.enabled=true audit.replicas=2 fullnameOverride=other audit.serviceAccount.create=false " +
			"audit.serviceAccount.name=theirs audit.excludeNamespaces={cilium} audit.priorityClassName=low",
		"networkPolicy.apiServerCIDRs={10.0.0.0/8} certificates.certManager.issuerRef.name=corporate " +
			"certificates.certManager.issuerRef.kind=ClusterIssuer resources.limits.cpu=2 resources.limits.memory=1Gi",
	},
)

func each(t *testing.T, check func(t *testing.T, settings []string, objects []object)) {
	t.Helper()
	for _, settings := range matrix {
		t.Run(strings.Join(settings, " "), func(t *testing.T) {
			check(t, settings, renderAll(t, settings...))
		})
	}
}

// TestObjectsDecodeStrictly: no field is misspelt, and every object says where it belongs.
func TestObjectsDecodeStrictly(t *testing.T) {
	clusterScoped := []string{
		"Namespace", "ClusterRole", "ClusterRoleBinding", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration",
	}
	each(t, func(t *testing.T, _ []string, objects []object) {
		seen := map[string]bool{}
		for _, o := range objects {
			decode, known := decodes[o.GetAPIVersion()+"/"+o.GetKind()]
			if !known {
				t.Fatalf("%s: this test does not know the kind %s", o.name(), o.GetAPIVersion())
			}
			decode(t, o)
			scoped := slices.Contains(clusterScoped, o.GetKind())
			if hook := o.GetAnnotations()["helm.sh/hook"] != ""; !hook && scoped != (o.GetNamespace() == "") ||
				!scoped && !hook && o.GetNamespace() != namespace {
				t.Errorf("%s has namespace %q", o.name(), o.GetNamespace())
			}
			if key := o.name() + o.GetNamespace(); seen[key] {
				t.Errorf("%s is rendered twice", o.name())
			} else {
				seen[key] = true
			}
			if o.GetLabels()["app.kubernetes.io/instance"] != release {
				t.Errorf("%s lacks the release's labels", o.name())
			}
		}
	})
}

// TestReferences: what one object calls another by is what that is called.
func TestReferences(t *testing.T) {
	each(t, func(t *testing.T, settings []string, objects []object) {
		deployment := as[appsv1.Deployment](t, find(t, objects, "Deployment", ""))
		service := as[corev1.Service](t, find(t, objects, "Service", ""))
		pod := deployment.Spec.Template
		for key, value := range service.Spec.Selector {
			if pod.Labels[key] != value || deployment.Spec.Selector.MatchLabels[key] != value {
				t.Errorf("selector %s=%s is not the Pods' label %q", key, value, pod.Labels[key])
			}
		}
		var ports []string
		for _, port := range pod.Spec.Containers[0].Ports {
			ports = append(ports, port.Name)
		}
		for _, port := range service.Spec.Ports {
			if !slices.Contains(ports, port.TargetPort.StrVal) {
				t.Errorf("the Service's port %s is none of the container's: %v", port.TargetPort.StrVal, ports)
			}
		}
		for _, volume := range pod.Spec.Volumes {
			switch {
			case volume.ConfigMap != nil:
				find(t, objects, "ConfigMap", volume.ConfigMap.Name)
			case volume.Secret != nil && volume.Name == "tls" && slices.Contains(settings, certManager):
				if got := leaf(t, objects).Spec.SecretName; got != volume.Secret.SecretName {
					t.Errorf("the certificate goes to %s, the Pods mount %s", got, volume.Secret.SecretName)
				}
			}
		}
		for _, o := range objects {
			if o.GetKind() == "ClusterRoleBinding" || o.GetKind() == "RoleBinding" {
				if o.GetAnnotations()["helm.sh/hook"] != "" {
					continue
				}
				binding := as[rbacv1.ClusterRoleBinding](t, o)
				find(t, objects, binding.RoleRef.Kind, binding.RoleRef.Name)
				if o.audits() {
					continue // TestAudit
				}
				if got := binding.Subjects[0]; got.Name != pod.Spec.ServiceAccountName || got.Namespace != namespace {
					t.Errorf("%s binds %s, the Pods are %s", o.name(), got.Name, pod.Spec.ServiceAccountName)
				}
			}
		}
	})
}

// leaf is the certificate that the webhook serves with.
func leaf(t testing.TB, objects []object) certificate {
	t.Helper()
	for _, o := range objects {
		if o.GetKind() != "Certificate" {
			continue
		}
		if c := as[certificate](t, o); !c.Spec.IsCA {
			return c
		}
	}
	t.Fatal("there is no certificate for the webhook")
	return certificate{}
}
