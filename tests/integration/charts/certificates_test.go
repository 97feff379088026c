//go:build integration

package charts

import (
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// TestCertificates: a CA that outlives many certificates and keeps its key, so that all certificates are
// trusted while it is renewed. Each certificate has a new key (W10, S7).
func TestCertificates(t *testing.T) {
	objects := render(t)
	root := as[issuer](t, find(t, objects, "Issuer", "headroom-selfsigned"))
	signer := as[issuer](t, find(t, objects, "Issuer", "headroom-ca"))
	ca, leaf := as[certificate](t, find(t, objects, "Certificate", "headroom-ca")), leaf(t, objects)
	if root.Spec.SelfSigned == nil || ca.Spec.IssuerRef.Name != root.Name || !ca.Spec.IsCA {
		t.Errorf("the CA is %+v, from %+v", ca.Spec, root.Spec)
	}
	if signer.Spec.CA.SecretName != ca.Spec.SecretName || leaf.Spec.IssuerRef.Name != signer.Name {
		t.Errorf("the certificate is from %+v, the CA in %s", signer.Spec, ca.Spec.SecretName)
	}
	if leaf.Spec.PrivateKey.RotationPolicy != "Always" || ca.Spec.PrivateKey.RotationPolicy != "Never" {
		t.Errorf("keys: %s, CA %s", leaf.Spec.PrivateKey.RotationPolicy, ca.Spec.PrivateKey.RotationPolicy)
	}
	if want := "headroom-webhook.headroom-system.svc"; !slices.Contains(leaf.Spec.DNSNames, want) {
		t.Errorf("the certificate is for %v", leaf.Spec.DNSNames)
	}
	// HeadroomCertificateExpiring fires at 14 days: only when renewing has failed.
	if renew := leaf.Spec.RenewBefore.Duration; renew < 20*24*time.Hour || leaf.Spec.Duration.Duration < 2*renew ||
		ca.Spec.Duration.Duration < 10*leaf.Spec.Duration.Duration {
		t.Errorf("%s, renewed %s before; CA %s", leaf.Spec.Duration.Duration, renew, ca.Spec.Duration.Duration)
	}
}

func TestIssuerOfTheUser(t *testing.T) {
	const ref = "certificates.certManager.issuerRef."
	objects := render(t, ref+"name=corporate", ref+"kind=ClusterIssuer")
	got := leaf(t, objects).Spec.IssuerRef
	if got.Name != "corporate" || got.Kind != "ClusterIssuer" || got.Group != "cert-manager.io" {
		t.Errorf("issued by %+v", got)
	}
	for _, o := range objects {
		if o.GetKind() == "Issuer" {
			t.Errorf("%s is there as well", o.name())
		}
	}
}

// TestCABundleOfTheUser: the chart sets the bundle only if nothing else keeps it.
func TestCABundleOfTheUser(t *testing.T) {
	objects := render(t, existingMode, "certificates.existingSecret.name=mine",
		"certificates.existingSecret.caBundle=-----BEGIN CERTIFICATE-----")
	for name, w := range entries(t, objects) {
		if got := string(w.ClientConfig.CABundle); got != "-----BEGIN CERTIFICATE-----" {
			t.Errorf("%s: caBundle %q", name, got)
		}
	}
}

// TestWhereTheCertificateIs: from the Secret, read-only; self-signed in memory, since the
// webhook writes it. The CA of clients is not the ca.crt that lies beside the certificate.
func TestWhereTheCertificateIs(t *testing.T) {
	for mode, inMemory := range map[string]bool{certManager: false, selfSigned: true} {
		deployment := as[appsv1.Deployment](t, find(t, render(t, mode, "clientCA.secretName=callers"), "Deployment", ""))
		pod := deployment.Spec.Template.Spec
		for i, mount := range pod.Containers[0].VolumeMounts {
			volume := pod.Volumes[i]
			if mount.Name != volume.Name {
				t.Fatalf("volume %s, mount %s", volume.Name, mount.Name)
			}
			switch mount.Name {
			case "tls":
				if (volume.EmptyDir != nil) != inMemory || mount.ReadOnly == inMemory {
					t.Errorf("%s: %+v, mounted %+v", mode, volume, mount)
				}
				if volume.Secret != nil && slices.ContainsFunc(volume.Secret.Items, isCA) {
					t.Errorf("%s: ca.crt is mounted", mode)
				}
			case "client-ca":
				if volume.Secret.SecretName != "callers" || volume.Secret.Items[0].Path != "ca.crt" {
					t.Errorf("%s: %+v", mode, volume.Secret)
				}
			}
		}
		if !slices.Contains(pod.Containers[0].Args, "--client-ca=/client-ca/ca.crt") {
			t.Errorf("%s: %v", mode, pod.Containers[0].Args)
		}
	}
}

func isCA(item corev1.KeyToPath) bool { return item.Key == "ca.crt" }
