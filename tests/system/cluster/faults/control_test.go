//go:build system

package faults

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// F9: cert-manager's cainjector is stopped, and both webhook configurations are made anew, without a
// caBundle. What may fail open does, enforcement fails closed, the API server counts both where the
// alert HeadroomUnreachable reads it, and the cainjector's return is all that is needed.
func TestF9NoInjector(t *testing.T) {
	fault(t)
	open, enforce := cluster.Namespace(t, "headroom.dev/mode=warn"), cluster.Namespace(t, "headroom.dev/mode=enforce")
	cluster.CertManager.Stop(5 * time.Second)
	recreate(t)
	client := quiet(t)
	// The API server learns of the new objects by its own watch.
	plane.Eventually(t, "the API server to trust nobody", func() error {
		if o := create(t.Context(), client, enforce, right()); o.kind != closed {
			return fmt.Errorf("%s: %w", o.kind, o.err)
		}
		return nil
	})
	before := counted(t, "apiserver_admission_webhook_fail_open_count", "validate.headroom.dev")
	if o := create(t.Context(), client, open, wrong()); o.kind != admitted || o.took > hung {
		t.Errorf("warn: %s after %s: %v", o.kind, o.took, o.err)
	}
	if after := counted(t, "apiserver_admission_webhook_fail_open_count", "validate.headroom.dev"); after <= before {
		t.Errorf("the API server counts %v failures, and %v before", after, before)
	}
	if counted(t, "apiserver_admission_webhook_rejection_count", "enforce.headroom.dev", `error_type="calling_webhook_error"`) == 0 {
		t.Error("the API server counts no refusal that nobody decided")
	}
	if err := cluster.CertManager.Start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	plane.Eventually(t, "the webhook to be trusted again", func() error {
		if o := create(t.Context(), client, enforce, wrong()); o.kind != judged {
			return fmt.Errorf("%s: %w", o.kind, o.err)
		}
		return nil
	})
	t.Logf("trusted %s after the cainjector is back", time.Since(began).Round(100*time.Millisecond))
}

// recreate deletes both webhook configurations and creates them as the chart has them: without a CA.
func recreate(t *testing.T) {
	t.Helper()
	api, fresh := cluster.Client.AdmissionregistrationV1(), metav1.ObjectMeta{Name: plane.Release}
	mutating, err := api.MutatingWebhookConfigurations().Get(t.Context(), plane.Release, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	validating, err := api.ValidatingWebhookConfigurations().Get(t.Context(), plane.Release, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		api.MutatingWebhookConfigurations().Delete(t.Context(), plane.Release, metav1.DeleteOptions{}),
		api.ValidatingWebhookConfigurations().Delete(t.Context(), plane.Release, metav1.DeleteOptions{}),
	); err != nil {
		t.Fatal(err)
	}
	fresh.Labels, fresh.Annotations = mutating.Labels, mutating.Annotations
	m := &admissionv1.MutatingWebhookConfiguration{ObjectMeta: fresh, Webhooks: mutating.Webhooks}
	v := &admissionv1.ValidatingWebhookConfiguration{ObjectMeta: fresh, Webhooks: validating.Webhooks}
	for i := range m.Webhooks {
		m.Webhooks[i].ClientConfig.CABundle = nil
	}
	for i := range v.Webhooks {
		v.Webhooks[i].ClientConfig.CABundle = nil
	}
	_, err = api.MutatingWebhookConfigurations().Create(t.Context(), m, metav1.CreateOptions{})
	_, err2 := api.ValidatingWebhookConfigurations().Create(t.Context(), v, metav1.CreateOptions{})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
}

// counted sums a metric of the API server over the series that have all of these in their labels.
func counted(t *testing.T, metric string, labels ...string) float64 {
	t.Helper()
	text, err := cluster.Client.CoreV1().RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sum, err := plane.Sum(string(text), metric, labels...)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// outage is how long etcd is away in F13: longer than a lease of 15 seconds lasts.
const outage = 30 * time.Second

// F13: etcd stops for 30 seconds. Nothing can be written meanwhile; the webhook's processes live on, stay
// ready, and answer from memory at once.
func TestF13EtcdStopped(t *testing.T) {
	fault(t)
	enforce := cluster.Namespace(t, "headroom.dev/mode=enforce")
	client := quiet(t)
	if o := create(t.Context(), client, enforce, wrong()); o.kind != judged {
		t.Fatalf("%s: %v", o.kind, o.err)
	}
	pids := map[string]int{}
	for _, replica := range cluster.Replicas() {
		pids[replica.Pod] = replica.Process.PID()
	}
	trusted, err := bundle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.Etcd.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	asked, slowest := 0, time.Duration(0)
	for end := time.Now().Add(outage); time.Now().Before(end); time.Sleep(250 * time.Millisecond) {
		for _, replica := range cluster.Replicas() {
			began := time.Now()
			text, err := ask(t.Context(), replica, trusted, enforce)
			slowest = max(slowest, time.Since(began))
			asked++
			if err != nil || !strings.Contains(text, "HR202") || !strings.Contains(text, `"allowed":false`) {
				t.Errorf("%s: %v %s", replica.Pod, err, text)
			}
			if status, text, err := readyz(replica); err != nil || status != http.StatusOK {
				t.Errorf("%s: /readyz answers %d %s %v", replica.Pod, status, text, err)
			}
		}
		if t.Failed() {
			break
		}
	}
	if err := cluster.Etcd.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d answers without etcd, the slowest after %s", asked, slowest.Round(time.Millisecond))
	if slowest > timeout {
		t.Error("the API server would not have waited for that")
	}
	plane.Eventually(t, "Pods to be judged again", func() error {
		if o := create(t.Context(), client, enforce, wrong()); o.kind != judged {
			return fmt.Errorf("%s: %w", o.kind, o.err)
		}
		return nil
	})
	recovered(t)
	for _, replica := range cluster.Replicas() {
		if pids[replica.Pod] != replica.Process.PID() {
			t.Errorf("%s has another process than before", replica.Pod)
		}
	}
}

// ask has a replica judge a wrong Pod, as the API server would.
func ask(ctx context.Context, replica plane.Replica, trusted []byte, namespace string) (string, error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(trusted)
	client := &http.Client{Timeout: 2 * timeout, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: serviceDNS}, DisableKeepAlives: true,
	}}
	body := fmt.Appendf(nil, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",`+
		`"kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},`+
		`"namespace":%q,"operation":"CREATE","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a",`+
		`"annotations":{"headroom.dev/workload-class":"latency-sensitive","runtime.headroom.dev/app":"native"}},`+
		`"spec":{"containers":[{"name":"app","image":"a","resources":{"requests":{"cpu":"1","memory":"1Gi"},`+
		`"limits":{"cpu":"2","memory":"1Gi"}}}]}}}}`, namespace)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"https://"+replica.Webhook+"/validate/enforce", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// F14: the webhook cannot learn what a new Namespace says, as its right to read Namespaces is gone and its
// watches were cut. Enforcement refuses, in time and with the reason; mutation lets in what it could not
// judge. With the right back it recovers by itself.
func TestF14NamespaceUnknown(t *testing.T) {
	fault(t)
	binding, err := cluster.Client.RbacV1().ClusterRoleBindings().Get(t.Context(), plane.WebhookName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = cluster.Client.RbacV1().ClusterRoleBindings().Delete(t.Context(), plane.WebhookName, metav1.DeleteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	restore := func(ctx context.Context) error {
		again := binding.DeepCopy()
		again.ObjectMeta = metav1.ObjectMeta{Name: binding.Name, Labels: binding.Labels, Annotations: binding.Annotations}
		_, err := cluster.Client.RbacV1().ClusterRoleBindings().Create(ctx, again, metav1.CreateOptions{})
		return err
	}
	t.Cleanup(func() { _ = restore(context.Background()) })
	if err := cluster.APIServer.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := cluster.WaitHealthy(t.Context()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(beat) // until it has its webhook configurations
	client := quiet(t)
	enforce := cluster.Namespace(t, "headroom.dev/mode=enforce")
	mutate := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	plane.Eventually(t, "enforcement to refuse what it cannot judge", func() error {
		if o := create(t.Context(), client, enforce, right()); o.kind != closed || o.took > hung {
			return fmt.Errorf("%s after %s: %w", o.kind, o.took, o.err)
		}
		return nil
	})
	o := create(t.Context(), client, enforce, right())
	if o.err == nil || !strings.Contains(o.err.Error(), enforce) {
		t.Errorf("the refusal does not name the Namespace: %v", o.err)
	}
	for range 5 {
		if o := create(t.Context(), client, mutate, wrong()); o.kind != admitted || o.took > hung {
			t.Errorf("with mutation: %s after %s: %v", o.kind, o.took, o.err)
		}
	}
	if err := restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	plane.Eventually(t, "both Namespaces to be known", func() error {
		if o := create(t.Context(), client, mutate, wrong()); o.kind != mutated {
			return fmt.Errorf("with mutation: %s: %w", o.kind, o.err)
		}
		if o := create(t.Context(), client, enforce, wrong()); o.kind != judged {
			return fmt.Errorf("enforce: %s: %w", o.kind, o.err)
		}
		return nil
	})
	t.Logf("known %s after the right is back", time.Since(began).Round(100*time.Millisecond))
}

// F16: a Pod that takes longer to judge than a decision may. The API server gets its answer in time, and
// what else is asked meanwhile is answered as ever.
func TestF16Expensive(t *testing.T) {
	fault(t)
	l := startLoad(t, 10)
	enforce := cluster.Namespace(t, "headroom.dev/mode=enforce")
	warn := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	client := quiet(t)
	for i := range 3 {
		if o := create(t.Context(), client, enforce, expensive(i)); o.kind != closed || o.took > hung {
			t.Errorf("enforce: %s after %s: %v", o.kind, o.took, o.err)
		}
		if o := create(t.Context(), client, warn, expensive(i)); o.kind != admitted || o.took > hung {
			t.Errorf("warn: %s after %s: %v", o.kind, o.took, o.err)
		}
	}
	l.end(t, hung)
}

// expensive is a Pod of 400 JVMs, each with its flags; no two are alike.
func expensive(seed int) *corev1.Pod {
	pod := right()
	pod.Spec.Containers = nil
	for i := range 400 {
		container := right().Spec.Containers[0]
		container.Name = fmt.Sprintf("app-%d", i)
		container.Command = []string{"java", "-jar", "app.jar"}
		container.Env = []corev1.EnvVar{{
			Name: "JAVA_TOOL_OPTIONS", Value: fmt.Sprintf("-Xmx%dm -XX:MaxMetaspaceSize=%dm -Dseed=%d", 300+i, 100+i, seed),
		}}
		pod.Spec.Containers = append(pod.Spec.Containers, container)
	}
	return pod
}

// F24: the machine that issues the certificate is an hour ahead. Connections fail until that hour is over,
// closed where somebody enforces and open elsewhere; a certificate with the right time ends it. That a
// replica's own clock is an hour behind is no reason for it to be taken out, see certificates' own tests.
func TestF24ClockSkew(t *testing.T) {
	now := time.Now()
	unusable(t, x509.Certificate{
		DNSNames: []string{serviceDNS}, NotBefore: now.Add(2 * time.Hour), NotAfter: now.Add(48 * time.Hour),
	}, "not valid before")
}
