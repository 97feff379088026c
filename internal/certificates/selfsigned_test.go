//go:build integration

package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

var apiServer *apitest.Server

func TestMain(m *testing.M) {
	os.Exit(apitest.Run(m, func(s *apitest.Server) error {
		apiServer = s
		return nil
	}))
}

const (
	testNamespace = "headroom-system"
	testSecret    = "headroom-webhook-tls"
	testDNSName   = "headroom-webhook.headroom-system.svc"
)

// keep starts a replica that keeps the certificate, and serves what it keeps.
func keep(t *testing.T) *Certificates {
	t.Helper()
	s := SelfSigned{
		Config: apiServer.Config, Namespace: testNamespace, Secret: testSecret, Webhook: "headroom",
		DNSName: testDNSName, Dir: t.TempDir(), Log: logr.Discard(),
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Start(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return follow(t, Options{Dir: s.Dir, DNSName: testDNSName})
}

func configurations(t *testing.T, api kubernetes.Interface) {
	t.Helper()
	none, ignore, url := admissionv1.SideEffectClassNone, admissionv1.Ignore, "https://127.0.0.1:1/validate"
	hook := admissionv1.ValidatingWebhook{
		Name: "validate.headroom.dev", SideEffects: &none, FailurePolicy: &ignore,
		AdmissionReviewVersions: []string{"v1"}, ClientConfig: admissionv1.WebhookClientConfig{URL: &url},
	}
	validating := &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "headroom"}, Webhooks: []admissionv1.ValidatingWebhook{hook},
	}
	client := api.AdmissionregistrationV1()
	_, err := client.ValidatingWebhookConfigurations().Create(t.Context(), validating, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mutating := &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "headroom"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "mutate.headroom.dev", SideEffects: &none, FailurePolicy: &ignore,
			AdmissionReviewVersions: []string{"v1"}, ClientConfig: admissionv1.WebhookClientConfig{URL: &url},
		}},
	}
	_, err = client.MutatingWebhookConfigurations().Create(t.Context(), mutating, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// trusted is the CA in both configurations.
func trusted(t *testing.T, api kubernetes.Interface) *x509.CertPool {
	t.Helper()
	client := api.AdmissionregistrationV1()
	validating, err := client.ValidatingWebhookConfigurations().Get(t.Context(), "headroom", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mutating, err := client.MutatingWebhookConfigurations().Get(t.Context(), "headroom", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := validating.Webhooks[0].ClientConfig.CABundle, mutating.Webhooks[0].ClientConfig.CABundle
	pool := x509.NewCertPool()
	if string(a) != string(b) || !pool.AppendCertsFromPEM(a) {
		return nil
	}
	return pool
}

// Two replicas make one certificate, keep it without a fight, and make what is taken away
// again.
func TestSelfSigned(t *testing.T) {
	api := kubernetes.NewForConfigOrDie(apiServer.Config)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: testNamespace}}
	_, err := api.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) { // of an earlier run of the test
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, o := context.WithoutCancel(t.Context()), metav1.DeleteOptions{}
		client := api.AdmissionregistrationV1()
		_ = client.ValidatingWebhookConfigurations().Delete(ctx, "headroom", o)
		_ = client.MutatingWebhookConfigurations().Delete(ctx, "headroom", o)
		_ = api.CoreV1().Secrets(testNamespace).Delete(ctx, testSecret, o)
	})
	configurations(t, api)
	one, two := keep(t), keep(t)
	wait.For(t, "both to have a certificate", func() bool { return one.Ready() == nil && two.Ready() == nil })

	accepted := func(c *Certificates) bool {
		pool := trusted(t, api)
		if pool == nil {
			return false
		}
		state, err := dialAs(serve(t, c), &tls.Config{RootCAs: pool}, testDNSName)
		return err == nil && len(state.PeerCertificates) > 0
	}
	wait.For(t, "the API server to accept both", func() bool { return accepted(one) && accepted(two) })

	secret := func() *corev1.Secret {
		s, err := api.CoreV1().Secrets(testNamespace).Get(t.Context(), testSecret, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := secret()
	time.Sleep(2 * time.Second)
	if after := secret(); after.ResourceVersion != before.ResourceVersion {
		t.Error("the replicas keep on changing the Secret")
	}

	// The leaf is renewed below the CA that everyone trusts already.
	damaged := before.DeepCopy()
	damaged.Data[CertFile] = []byte("nothing")
	if _, err := api.CoreV1().Secrets(testNamespace).Update(t.Context(), damaged, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "a new certificate", func() bool {
		s := secret()
		return string(s.Data[CertFile]) != "nothing" && string(s.Data[CertFile]) != string(before.Data[CertFile])
	})
	if string(secret().Data["ca.crt"]) != string(before.Data["ca.crt"]) {
		t.Error("renewing the certificate changed the CA")
	}
	wait.For(t, "the API server to accept both again", func() bool { return accepted(one) && accepted(two) })

	// Configurations that are installed again without a CA get it (F9).
	client := api.AdmissionregistrationV1()
	err = client.ValidatingWebhookConfigurations().Delete(t.Context(), "headroom", metav1.DeleteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = client.MutatingWebhookConfigurations().Delete(t.Context(), "headroom", metav1.DeleteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	configurations(t, api)
	wait.For(t, "the new configurations to have the CA", func() bool { return accepted(one) && accepted(two) })

	// A Secret that was deleted comes back with what it had: the API server trusts that, and new Pods mount it.
	before = secret()
	if err := api.CoreV1().Secrets(testNamespace).Delete(t.Context(), testSecret, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "the Secret to be there again", func() bool {
		s, err := api.CoreV1().Secrets(testNamespace).Get(t.Context(), testSecret, metav1.GetOptions{})
		return err == nil && string(s.Data[CertFile]) == string(before.Data[CertFile]) && string(s.Data["ca.crt"]) == string(before.Data["ca.crt"])
	})
	wait.For(t, "the API server to accept both still", func() bool { return accepted(one) && accepted(two) })
}

// A directory that is mounted from the Secret cannot be written, and need not be.
func TestReadOnlyDirectory(t *testing.T) {
	s := SelfSigned{Dir: "/proc/self", Log: logr.Discard()}
	if err := s.replaceFile("tls.crt", []byte("x")); err == nil {
		t.Fatal("wrote below /proc")
	}
	s.writer(t.Context(), nil).OnAdd(&corev1.Secret{Data: map[string][]byte{CertFile: []byte("x"), KeyFile: []byte("y")}}, true)
}
