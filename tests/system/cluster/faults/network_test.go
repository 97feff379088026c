//go:build system

package faults

import (
	"fmt"
	"net"
	"strconv"
	"syscall"
	"testing"
	"time"

	admission "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// F5: packets to the endpoints vanish, as with a node that lost its power. We add one
// timeout to each phase, and a creation that also waits for other people's dead webhooks
// stays within the API server's patience.
func TestF5BlackHole(t *testing.T) {
	fault(t)
	warn := cluster.Namespace(t, "headroom.dev/mode=warn")
	mutate := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	enforce := cluster.Namespace(t, "headroom.dev/mode=enforce")
	// "crowded" is what also waits for three dead webhooks; "bare" waits for them alone.
	crowded := cluster.Namespace(t, "crowded=yes", "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	bare := cluster.Namespace(t, "crowded=yes", "headroom.dev/mode=off")
	hole := blackHole(t)
	deadWebhooks(t, hole)
	takeEndpoints(t, hole)

	unanswered(t, warn, mutate, enforce)
	client := quiet(t)
	before := calls(t)
	alone, beside := make(chan outcome, 1), make(chan outcome, 1)
	go func() { alone <- create(t.Context(), client, bare, wrong()) }()
	go func() { beside <- create(t.Context(), client, crowded, wrong()) }()
	without, with := <-alone, <-beside
	t.Logf("three dead webhooks: %s after %s; and ours: %s after %s",
		without.kind, without.took.Round(time.Millisecond), with.kind, with.took.Round(time.Millisecond))
	if without.kind != admitted || with.kind != admitted {
		t.Errorf("beside dead webhooks: %v; %v", without.err, with.err)
	}
	if made := calls(t) - before; made != 2 {
		t.Errorf("we add %v timeouts, not one in each phase", made)
	}
	if added := with.took - without.took; added > hung {
		t.Errorf("we add %s", added)
	}
}

// blackHole is an address that answers no SYN: the queue of who wants to connect is full.
func blackHole(t *testing.T) *net.TCPAddr {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	var ip [4]byte
	copy(ip[:], net.ParseIP(cluster.IP).To4())
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: ip}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := &net.TCPAddr{IP: net.ParseIP(cluster.IP), Port: name.(*syscall.SockaddrInet4).Port}
	for range 10 {
		conn, err := net.DialTimeout("tcp", address.String(), 500*time.Millisecond)
		if err != nil {
			return address
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	t.Fatal("a full queue still takes connections")
	return nil
}

// takeEndpoints makes the hole the only endpoint of the webhook's Service.
func takeEndpoints(t *testing.T, hole *net.TCPAddr) {
	t.Helper()
	// Connections from before end with the processes.
	cluster.HoldRestarts(true)
	for _, replica := range cluster.Replicas() {
		if err := replica.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	slices := cluster.Client.DiscoveryV1().EndpointSlices(plane.ReleaseNamespace)
	service, err := cluster.Client.CoreV1().Services(plane.ReleaseNamespace).
		Get(t.Context(), plane.WebhookName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	port, protocol, ready := int32(hole.Port), corev1.ProtocolTCP, true
	_, err = slices.Create(t.Context(), &discovery.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Name: "hole", Labels: map[string]string{discovery.LabelServiceName: plane.WebhookName},
		},
		AddressType: discovery.AddressTypeIPv4,
		Endpoints: []discovery.Endpoint{{
			Addresses:  []string{hole.IP.String()},
			Conditions: discovery.EndpointConditions{Ready: &ready, Serving: &ready},
		}},
		Ports: []discovery.EndpointPort{{Name: &service.Spec.Ports[0].Name, Port: &port, Protocol: &protocol}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cluster.Kubectl("delete", "endpointslice", "hole", "--namespace", plane.ReleaseNamespace)
	})
	plane.Eventually(t, "the replicas' endpoints to be withdrawn", func() error {
		list, err := slices.List(t.Context(), metav1.ListOptions{
			LabelSelector: discovery.LabelServiceName + "=" + plane.WebhookName,
		})
		if err != nil {
			return err
		}
		for _, slice := range list.Items {
			if slice.Name != "hole" && *slice.Endpoints[0].Conditions.Ready {
				return fmt.Errorf("%s is ready", slice.Name)
			}
		}
		return nil
	})
	time.Sleep(200 * time.Millisecond) // until the API server has heard of it
}

// deadWebhooks are somebody else's: three that are called one after the other, each with
// five seconds of patience.
func deadWebhooks(t *testing.T, hole *net.TCPAddr) {
	t.Helper()
	const name = "somebody-else"
	config := &admission.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
	ignore, none, patience := admission.Ignore, admission.SideEffectClassNone, int32(5)
	url := "https://" + net.JoinHostPort(hole.IP.String(), strconv.Itoa(hole.Port))
	for i := range 3 {
		config.Webhooks = append(config.Webhooks, admission.MutatingWebhook{
			Name: fmt.Sprintf("dead-%d.example.com", i), FailurePolicy: &ignore, SideEffects: &none,
			TimeoutSeconds: &patience, AdmissionReviewVersions: []string{"v1"},
			ClientConfig:      admission.WebhookClientConfig{URL: &url},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"crowded": "yes"}},
			Rules: []admission.RuleWithOperations{{
				Operations: []admission.OperationType{admission.Create},
				Rule:       admission.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
		})
	}
	configurations := cluster.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	if _, err := configurations.Create(t.Context(), config, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cluster.Kubectl("delete", "mutatingwebhookconfiguration", name) })
}
