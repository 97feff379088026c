//go:build system

package faults

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"errors"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// F6: the webhook's certificate is renewed under load, five times. No Pod notices, and
// no connection meets a certificate that the API server would not take.
func TestF6LeafRotated(t *testing.T) {
	fault(t)
	l := startLoad(t, 30)
	end := connecting(t)
	for range 5 {
		began := time.Now()
		old := first(t, secret(t, leafSecret).Data["tls.crt"])
		renew(t, leafName)
		follow(t, renewed(t, leafSecret, old))
		t.Logf("renewed and served after %s", time.Since(began).Round(100*time.Millisecond))
		burst(t, l)
		time.Sleep(500 * time.Millisecond)
	}
	end()
	l.end(t, hung)
}

// F7: the CA is renewed, and then the certificate from it, under load. The CA keeps its key:
// old and new trust each other's certificates, whether the API server or a replica is later.
func TestF7CARotated(t *testing.T) {
	fault(t)
	l := startLoad(t, 30)
	end := connecting(t)
	began := time.Now()
	oldLeaf, oldCA := first(t, secret(t, leafSecret).Data["tls.crt"]), secret(t, caName).Data["tls.crt"]
	renew(t, caName)
	renewed(t, caName, first(t, oldCA))
	newCA := secret(t, caName).Data["tls.crt"]
	renew(t, leafName)
	newLeaf := renewed(t, leafSecret, oldLeaf)
	follow(t, newLeaf)
	took := time.Since(began)
	t.Logf("the new CA is in use after %s", took.Round(100*time.Millisecond))
	if took > time.Minute {
		t.Error("more than a minute")
	}
	if trusted, err := bundle(t.Context()); err != nil || !bytes.Contains(trusted, bytes.TrimSpace(newCA)) {
		t.Errorf("the new CA is not in the caBundle: %v", err)
	}
	if err := errors.Join(trusts(newCA, oldLeaf), trusts(oldCA, newLeaf)); err != nil {
		t.Errorf("no overlap: %v", err)
	}
	burst(t, l)
	time.Sleep(2 * time.Second)
	end()
	l.end(t, hung)
}

// F7, the hard way: the CA is lost, and the new one has another key. Both are in the caBundle then.
// Here a kubelet is as fast as cert-manager. There is a moment in which a replica serves the new
// certificate and the API server has the old bundle. What may fail open does, and what may not
// fails closed. It ends by itself.
func TestF7CALost(t *testing.T) {
	fault(t)
	l := startLoad(t, 30)
	oldLeaf, oldCA := first(t, secret(t, leafSecret).Data["tls.crt"]), first(t, secret(t, caName).Data["tls.crt"])
	err := cluster.Client.CoreV1().Secrets(plane.ReleaseNamespace).Delete(t.Context(), caName, metav1.DeleteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	plane.Eventually(t, "another CA", func() error {
		s, err := cluster.Client.CoreV1().Secrets(plane.ReleaseNamespace).Get(t.Context(), caName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if oldCA.PublicKey.(*ecdsa.PublicKey).Equal(first(t, s.Data["tls.crt"]).PublicKey) {
			return errors.New("it has the old key")
		}
		return nil
	})
	// Until its certificate is renewed the webhook goes on with the old CA.
	time.Sleep(time.Second)
	broken := window{from: time.Now()}
	renew(t, leafName)
	leaf := renewed(t, leafSecret, oldLeaf)
	follow(t, leaf)
	broken.to = healed(t, l.streams[1].namespace)
	t.Logf("the new CA is in use after %s", broken.to.Sub(broken.from).Round(100*time.Millisecond))
	trusted, err := bundle(t.Context())
	if err := errors.Join(err, trusts(trusted, oldLeaf), trusts(trusted, leaf)); err != nil {
		t.Errorf("no overlap: %v", err)
	}
	time.Sleep(2 * time.Second)
	l.end(t, hung, broken)
}

// connecting connects to every replica all the time until it is called, and fails the test for a
// certificate that the API server would not take at that moment. It keeps its own connections, and
// would hide that.
func connecting(t *testing.T) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	connections := 0
	done.Go(func() {
		for ctx.Err() == nil {
			for _, replica := range cluster.Replicas() {
				trusted, err := bundle(ctx)
				if err != nil {
					break // the end
				}
				leaf, err := served(replica)
				if err != nil {
					t.Errorf("connect to %s: %v", replica.Pod, err)
				} else if err := trusts(trusted, leaf); err != nil {
					t.Errorf("%s: %v", replica.Pod, err)
				}
				connections++
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	return func() {
		cancel()
		done.Wait()
		t.Logf("%d connections", connections)
	}
}

// burst creates more Pods at once than the API server has connections: it must make new
// ones, to the certificate of now.
func burst(t *testing.T, l *load) {
	t.Helper()
	client := quiet(t)
	var done sync.WaitGroup
	for range 40 {
		done.Go(func() {
			if o := create(t.Context(), client, l.streams[0].namespace, wrong()); o.kind != mutated {
				t.Errorf("in a burst: %s after %s: %v", o.kind, o.took, o.err)
			}
		})
	}
	done.Wait()
}
