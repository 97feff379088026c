//go:build system

package requests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// bundles are the caBundles of one webhook configuration.
func bundles(object any) (all [][]byte) {
	switch configuration := object.(type) {
	case *admissionregistrationv1.MutatingWebhookConfiguration:
		for _, hook := range configuration.Webhooks {
			all = append(all, hook.ClientConfig.CABundle)
		}
	case *admissionregistrationv1.ValidatingWebhookConfiguration:
		for _, hook := range configuration.Webhooks {
			all = append(all, hook.ClientConfig.CABundle)
		}
	}
	return all
}

// witness sees every state of both configurations, and tells of those without a CA.
func witness(t *testing.T) {
	t.Helper()
	only := metav1.ListOptions{FieldSelector: "metadata.name=" + plane.Release}
	hooks := cluster.Client.AdmissionregistrationV1()
	ctx, cancel := context.WithCancel(t.Context())
	var watchers sync.WaitGroup
	for _, start := range []func(context.Context, metav1.ListOptions) (watch.Interface, error){
		hooks.MutatingWebhookConfigurations().Watch, hooks.ValidatingWebhookConfigurations().Watch,
	} {
		events, err := start(ctx, only)
		if err != nil {
			t.Fatal(err)
		}
		watchers.Go(func() {
			for event := range events.ResultChan() {
				if event.Type == watch.Deleted {
					t.Errorf("%T is deleted", event.Object)
				}
				if slices.ContainsFunc(bundles(event.Object), func(b []byte) bool { return len(b) == 0 }) {
					t.Errorf("%s: %T has no caBundle", event.Type, event.Object)
				}
			}
		})
	}
	t.Cleanup(func() {
		cancel()
		watchers.Wait()
	})
}

// ca is the CA that all webhooks trust.
func ca(t *testing.T) []byte {
	t.Helper()
	hooks := cluster.Client.AdmissionregistrationV1()
	mutating, err := hooks.MutatingWebhookConfigurations().Get(t.Context(), plane.Release, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	validating, err := hooks.ValidatingWebhookConfigurations().Get(t.Context(), plane.Release, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := append(bundles(mutating), bundles(validating)...)
	for _, bundle := range all {
		if len(bundle) == 0 || !bytes.Equal(bundle, all[0]) {
			t.Fatalf("%d bytes of CA, and %d of another", len(all[0]), len(bundle))
		}
	}
	return all[0]
}

// timeouts are those of all webhooks: a value that upgrades change.
func timeouts(t *testing.T) string {
	t.Helper()
	return cluster.Must(t, "get", "mutatingwebhookconfiguration,validatingwebhookconfiguration", plane.Release,
		"-o", "jsonpath={.items[*].webhooks[*].timeoutSeconds}")
}

// promises creates wrong Pods all the time: one that enforcement is to refuse, whatever is
// going on, and one that nothing may refuse. closed takes how often the first was refused
// unjudged since it was last asked.
func promises(t *testing.T) (closed func() int64) {
	t.Helper()
	strict, lenient := cluster.Namespace(t, enforce), cluster.Namespace(t, warn, mutate)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	var unanswered atomic.Int64
	c := client(t)
	running.Go(func() {
		for ctx.Err() == nil {
			a := create(context.WithoutCancel(ctx), c, strict, wrong("a"), true)
			if a.err == nil {
				t.Error("a wrong Pod is let in where it is to be refused")
			} else if !refused(a.err) {
				unanswered.Add(1)
			}
			if a := create(context.WithoutCancel(ctx), c, lenient, wrong("a"), true); a.err != nil {
				t.Errorf("refused where nothing is: %v", a.err)
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return func() int64 { return unanswered.Swap(0) }
}

// revision is the release's.
func revision(t *testing.T) string {
	t.Helper()
	var release struct {
		Version int `json:"version"`
	}
	status := cluster.Helm("status", plane.Release, "--namespace", plane.ReleaseNamespace, "-o", "json")
	if err := json.Unmarshal([]byte(status.Stdout), &release); err != nil {
		t.Fatal(status.Stderr, err)
	}
	return itoa(release.Version)
}

// F26: upgrades and rollbacks by Helm, in its own way and in that of Helm 3, keep the CA that
// another program has put into the webhook configurations. There is no moment without it, and the
// webhook is reached after each step. One of the steps changes who makes the certificate.
func TestF26UpgradeAndRollback(t *testing.T) {
	namespace := cluster.Namespace(t, enforce)
	t.Cleanup(func() { cluster.Restore(t) })
	closed := promises(t)
	helm := func(t *testing.T, command string, arguments ...string) {
		t.Helper()
		arguments = append([]string{command, plane.Release}, arguments...)
		arguments = append(arguments, "--namespace", plane.ReleaseNamespace, "--wait", "--timeout", "10m")
		began := time.Now()
		if out := cluster.Helm(arguments...); out.Code != 0 {
			t.Fatalf("%s: %s\n%s", out.Command, out.Stderr, cluster.Diagnosis())
		}
		if err := cluster.WaitWebhook(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := create(t.Context(), client(t), namespace, wrong("a"), true); !refused(a.err) {
			t.Errorf("after %v: %v", arguments, a.err)
		}
		unjudged := closed()
		t.Logf("%v: %s, %d Pods refused unjudged", arguments, time.Since(began).Round(time.Millisecond), unjudged)
		// No Pod of the webhook is replaced where only its configurations change.
		if unjudged > 0 && strings.Contains(strings.Join(arguments, " "), "--server-side") {
			t.Errorf("%d Pods are refused unjudged", unjudged)
		}
	}
	upgrade := func(t *testing.T, arguments ...string) {
		t.Helper()
		helm(t, "upgrade", append([]string{"charts/headroom", "--reuse-values"}, arguments...)...)
	}
	before := ca(t)

	withCertManager := ""
	for _, mode := range []string{"cert-manager", "self-signed"} {
		t.Run(mode, func(t *testing.T) {
			witness(t)
			if mode == "self-signed" {
				upgrade(t, "--set", "certificates.mode=self-signed")
				if bytes.Equal(ca(t), before) {
					t.Error("the CA is still cert-manager's")
				}
				onlyItsSecret(t)
			}
			own := ca(t)
			for _, way := range []string{"--server-side=true", "--server-side=false"} {
				upgrade(t, "--set", "webhooks.timeoutSeconds=3,webhooks.annotations.example=yes", way)
				if got := timeouts(t); got != "3 3 3" {
					t.Errorf("%s changes nothing: %s", way, got)
				}
				if !bytes.Equal(ca(t), own) {
					t.Errorf("upgrade %s: another CA", way)
				}
				upgrade(t, "--set", "webhooks.timeoutSeconds=2,webhooks.annotations=null", way)
				if got := timeouts(t); got != "2 2 2" || !bytes.Equal(ca(t), own) {
					t.Errorf("%s: timeouts %s, or another CA", way, got)
				}
			}
			// With new Pods.
			upgrade(t, "--set", "podAnnotations.example=yes,webhooks.timeoutSeconds=1")
			if !bytes.Equal(ca(t), own) {
				t.Error("a rollout: another CA")
			}
			helm(t, "rollback")
			if got := timeouts(t); got != "2 2 2" || !bytes.Equal(ca(t), own) {
				t.Errorf("the rollback: timeouts %s, or another CA", got)
			}
			withCertManager = cmp.Or(withCertManager, revision(t))
		})
		if t.Failed() {
			break
		}
	}
	selfSigned := ca(t)
	helm(t, "rollback", withCertManager)
	plane.Eventually(t, "cert-manager's CA and certificate to be in use again", func() error {
		if bytes.Equal(ca(t), selfSigned) {
			return errNotYet
		}
		a := create(t.Context(), client(t), namespace, wrong("a"), true)
		if !refused(a.err) {
			return fmt.Errorf("not judged: %w", a.err)
		}
		return nil
	})
}

// onlyItsSecret says that a webhook which makes its own certificate reads no other Secret (M4).
func onlyItsSecret(t *testing.T) {
	t.Helper()
	own := "secret/" + plane.WebhookName + "-self-signed"
	for question, want := range map[string]string{
		"get " + own: "yes", "update " + own: "yes", "delete " + own: "no",
		"list secrets": "no", "watch secrets": "no", "get secret/other": "no", "create secrets": "yes",
		"list validatingwebhookconfigurations": "no", "update mutatingwebhookconfiguration/other": "no",
	} {
		verb, resource, _ := strings.Cut(question, " ")
		out := cluster.Kubectl("auth", "can-i", verb, resource, "--as="+account, "-n", plane.ReleaseNamespace)
		if got := strings.TrimSpace(out.Stdout); got != want {
			t.Errorf("can-i %s: %s, want %s (%s)", question, got, want, out.Stderr)
		}
	}
}
