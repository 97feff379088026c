//go:build system

package faults

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// Names of the chart: two Certificates and their Secrets.
const (
	leafName   = plane.WebhookName
	leafSecret = plane.WebhookName + "-tls"
	caName     = plane.Release + "-ca"
	serviceDNS = plane.WebhookName + "." + plane.ReleaseNamespace + ".svc"
)

// renew is `cmctl renew`: cert-manager issues the certificate again.
func renew(t *testing.T, certificate string) {
	t.Helper()
	patch, err := json.Marshal([]any{map[string]any{
		"op": "add", "path": "/status/conditions/-", "value": map[string]any{
			"type": "Issuing", "status": "True", "reason": "ManuallyTriggered", "message": "renewed by hand",
			"lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	cluster.Must(t, "patch", "certificate", certificate, "--namespace", plane.ReleaseNamespace,
		"--subresource=status", "--type=json", "--patch", string(patch))
}

// secret reads a Secret of the release.
func secret(t *testing.T, name string) *corev1.Secret {
	t.Helper()
	s, err := cluster.Client.CoreV1().Secrets(plane.ReleaseNamespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// first is the first certificate of a PEM text.
func first(t *testing.T, text []byte) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatal("no PEM")
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// bundle is the CA that the API server trusts the webhook by.
func bundle(ctx context.Context) ([]byte, error) {
	configuration, err := cluster.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().
		Get(ctx, plane.Release, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return configuration.Webhooks[0].ClientConfig.CABundle, nil
}

// trusts says whether an API server with this bundle takes the certificate.
func trusts(bundle []byte, leaf *x509.Certificate) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: serviceDNS})
	return err
}

// served is the certificate that a replica shows to who connects now.
func served(replica plane.Replica) (*x509.Certificate, error) {
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, ServerName: serviceDNS}} // trusts decides
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	conn, err := dialer.DialContext(ctx, "tcp", replica.Webhook)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0], nil
}

// allServe is nil where all replicas show this certificate.
func allServe(want *x509.Certificate) error {
	for _, replica := range cluster.Replicas() {
		got, err := served(replica)
		if err != nil {
			return err
		}
		if !got.Equal(want) {
			return fmt.Errorf("%s serves %s, not %s", replica.Pod, got.SerialNumber, want.SerialNumber)
		}
	}
	return nil
}

// renewed waits until a Secret holds another certificate than this.
func renewed(t *testing.T, name string, old *x509.Certificate) *x509.Certificate {
	t.Helper()
	var fresh *x509.Certificate
	plane.Eventually(t, "another certificate in "+name, func() error {
		if fresh = first(t, secret(t, name).Data["tls.crt"]); fresh.Equal(old) {
			return errors.New("it is the old one")
		}
		return nil
	})
	return fresh
}

// follow waits until the API server's bundle has the CA beside the leaf, and the replicas
// serve the leaf. cert-manager adds to a bundle, and leaves what is good for older leaves.
func follow(t *testing.T, leaf *x509.Certificate) {
	t.Helper()
	plane.Eventually(t, "the certificate to be served and trusted", func() error {
		trusted, err := bundle(t.Context())
		if err != nil {
			return err
		}
		if !bytes.Contains(trusted, bytes.TrimSpace(secret(t, leafSecret).Data["ca.crt"])) {
			return errors.New("it is not in the caBundle")
		}
		return allServe(leaf)
	})
}

// sign makes a certificate by the release's own CA, without a request for it.
func sign(t *testing.T, template x509.Certificate) (certificate, key []byte) {
	t.Helper()
	ca := secret(t, caName)
	pair, err := tls.X509KeyPair(ca.Data["tls.crt"], ca.Data["tls.key"])
	if err != nil {
		t.Fatal(err)
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	der, err := x509.CreateCertificate(rand.Reader, &template, first(t, ca.Data["tls.crt"]), private.Public(),
		pair.PrivateKey.(crypto.Signer))
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded})
}

// store puts a pair where the webhook reads it. cert-manager must be away, or it puts its
// own there again.
func store(t *testing.T, certificate, key []byte) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"data": map[string][]byte{"tls.crt": certificate, "tls.key": key}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = cluster.Client.CoreV1().Secrets(plane.ReleaseNamespace).
		Patch(t.Context(), leafSecret, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}
