//go:build integration

package charts

import (
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
)

// strictly decodes as the API server does with fieldValidation=Strict.
func strictly(content []byte, into any) error {
	problems, err := kjson.UnmarshalStrict(content, into)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return problems[0]
	}
	return nil
}

// Kinds that are no part of Kubernetes, as far as the chart uses them.
type (
	issuer struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			SelfSigned *struct{} `json:"selfSigned"`
			CA         *struct {
				SecretName string `json:"secretName"`
			} `json:"ca"`
		} `json:"spec"`
	}
	certificate struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              certificateSpec `json:"spec"`
	}
	certificateSpec struct {
		IsCA                 bool            `json:"isCA"`
		CommonName           string          `json:"commonName"`
		SecretName           string          `json:"secretName"`
		DNSNames             []string        `json:"dnsNames"`
		Duration             metav1.Duration `json:"duration"`
		RenewBefore          metav1.Duration `json:"renewBefore"`
		RevisionHistoryLimit int             `json:"revisionHistoryLimit"`
		Usages               []string        `json:"usages"`
		PrivateKey           struct {
			Algorithm      string `json:"algorithm"`
			RotationPolicy string `json:"rotationPolicy"`
			Size           int    `json:"size"`
		} `json:"privateKey"`
		IssuerRef struct {
			Group string `json:"group"`
			Kind  string `json:"kind"`
			Name  string `json:"name"`
		} `json:"issuerRef"`
	}
	serviceMonitor struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			Selector  metav1.LabelSelector `json:"selector"`
			Endpoints []struct {
				Port     string `json:"port"`
				Interval string `json:"interval"`
				// HonorLabels keeps the namespaces that findings are about.
				HonorLabels bool `json:"honorLabels"`
				// Scheme and TLSConfig are those of metrics.tls.
				Scheme    string         `json:"scheme"`
				TLSConfig map[string]any `json:"tlsConfig"`
			} `json:"endpoints"`
		} `json:"spec"`
	}
	prometheusRule struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              ruleGroups `json:"spec"`
	}
	// ruleGroups is a file of Prometheus rules.
	ruleGroups struct {
		Groups []struct {
			Name  string `json:"name"`
			Rules []rule `json:"rules"`
		} `json:"groups"`
	}
	rule struct {
		Record      string            `json:"record,omitempty"`
		Alert       string            `json:"alert,omitempty"`
		Expr        string            `json:"expr"`
		For         string            `json:"for,omitempty"`
		Labels      map[string]string `json:"labels,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
)

// decodes knows every kind that the chart renders.
var decodes = map[string]func(testing.TB, object){
	"v1/ConfigMap":                       decode[corev1.ConfigMap],
	"v1/Namespace":                       decode[corev1.Namespace],
	"v1/Pod":                             decode[corev1.Pod],
	"v1/ResourceQuota":                   decode[corev1.ResourceQuota],
	"v1/Secret":                          decode[corev1.Secret],
	"v1/Service":                         decode[corev1.Service],
	"v1/ServiceAccount":                  decode[corev1.ServiceAccount],
	"apps/v1/Deployment":                 decode[appsv1.Deployment],
	"networking.k8s.io/v1/NetworkPolicy": decode[networkingv1.NetworkPolicy],
	"policy/v1/PodDisruptionBudget":      decode[policyv1.PodDisruptionBudget],
	"rbac.authorization.k8s.io/v1/ClusterRole":                       decode[rbacv1.ClusterRole],
	"rbac.authorization.k8s.io/v1/ClusterRoleBinding":                decode[rbacv1.ClusterRoleBinding],
	"rbac.authorization.k8s.io/v1/Role":                              decode[rbacv1.Role],
	"rbac.authorization.k8s.io/v1/RoleBinding":                       decode[rbacv1.RoleBinding],
	"admissionregistration.k8s.io/v1/MutatingWebhookConfiguration":   decode[admissionv1.MutatingWebhookConfiguration],
	"admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": decode[admissionv1.ValidatingWebhookConfiguration],
	"cert-manager.io/v1/Issuer":                                      decode[issuer],
	"cert-manager.io/v1/Certificate":                                 decode[certificate],
	"monitoring.coreos.com/v1/ServiceMonitor":                        decode[serviceMonitor],
	"monitoring.coreos.com/v1/PrometheusRule":                        decode[prometheusRule],
}

func decode[T any](t testing.TB, o object) { as[T](t, o) }
