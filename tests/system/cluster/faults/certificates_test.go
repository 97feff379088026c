//go:build system

package faults

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

const expiryMetric = "headroom_certificate_expiry_timestamp_seconds"

// F8: the certificate was not renewed, and it has expired.
func TestF8ExpiredLeaf(t *testing.T) {
	now := time.Now()
	unusable(t, x509.Certificate{
		DNSNames: []string{serviceDNS}, NotBefore: now.Add(-2 * time.Hour), NotAfter: now.Add(-time.Hour),
	}, "expired")
}

// F10: the certificate is good, and for somebody else.
func TestF10WrongName(t *testing.T) {
	now := time.Now()
	unusable(t, x509.Certificate{
		DNSNames:  []string{"other." + plane.ReleaseNamespace + ".svc"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
	}, "for another name")
}

// unusable gives the webhook a certificate that the API server does not take, while
// cert-manager is away, and brings cert-manager back.
func unusable(t *testing.T, template x509.Certificate, why string) {
	t.Helper()
	fault(t)
	l := startLoad(t, 10)
	mutate, enforce := l.streams[0].namespace, l.streams[1].namespace
	cluster.CertManager.Stop(5 * time.Second)
	broken := window{from: time.Now()}
	certificate, key := sign(t, template)
	store(t, certificate, key)

	leaf := first(t, certificate)
	for _, replica := range cluster.Replicas() {
		plane.Eventually(t, "a replica to say that its certificate is not usable", func() error {
			status, text, err := readyz(replica)
			if err != nil {
				return err
			}
			if status != http.StatusServiceUnavailable || !strings.Contains(text, why) {
				return fmt.Errorf("/readyz answers %d: %s", status, text)
			}
			return nil
		})
		expires, err := replica.Metric(expiryMetric)
		if err != nil || int64(expires) != leaf.NotAfter.Unix() {
			t.Errorf("%s is %.0f, want %d: %v", expiryMetric, expires, leaf.NotAfter.Unix(), err)
		}
		plane.Eventually(t, "its endpoint to be withdrawn", func() error { return notReady(replica) })
	}
	t.Logf("both are taken out after %s", time.Since(broken.from).Round(100*time.Millisecond))
	// Connections from before the fault go on; processes that start have none.
	for _, replica := range cluster.Replicas() {
		_ = replica.Kill()
	}
	plane.Eventually(t, "the processes to be back", func() error {
		if slices.ContainsFunc(cluster.Replicas(), func(r plane.Replica) bool { return !r.Process.Running() }) {
			return fmt.Errorf("one is not")
		}
		return nil
	})
	client := quiet(t)
	if o := create(t.Context(), client, mutate, wrong()); o.kind != admitted || o.took > hung {
		t.Errorf("with mutation: %s after %s: %v", o.kind, o.took, o.err)
	}
	if o := create(t.Context(), client, enforce, right()); o.kind != closed || o.took > hung {
		t.Errorf("enforce: %s after %s: %v", o.kind, o.took, o.err)
	}

	if err := cluster.CertManager.Start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	follow(t, renewed(t, leafSecret, leaf))
	recovered(t)
	t.Logf("ready again %s after cert-manager is back", time.Since(began).Round(100*time.Millisecond))
	broken.to = healed(t, enforce)
	time.Sleep(beat)
	l.end(t, hung, broken)
}

// F11: what is written for the webhook is half a key, then a certificate without its key.
// It goes on with what it has, also for who connects anew, and takes the next good pair.
func TestF11TruncatedKey(t *testing.T) {
	fault(t)
	l := startLoad(t, 20)
	end := connecting(t)
	cluster.CertManager.Stop(5 * time.Second)
	before := secret(t, leafSecret).Data
	old := first(t, before["tls.crt"])
	foreign, _ := sign(t, x509.Certificate{
		DNSNames: []string{serviceDNS}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	})
	for _, broken := range []struct {
		name             string
		certificate, key []byte
	}{
		{"half a key", before["tls.crt"], before["tls.key"][:len(before["tls.key"])/2]},
		{"half a certificate", before["tls.crt"][:len(before["tls.crt"])/2], before["tls.key"]},
		{"a certificate without its key", foreign, before["tls.key"]},
	} {
		errors := map[string]float64{}
		for _, replica := range cluster.Replicas() {
			errors[replica.Pod], _ = replica.Metric("certwatcher_read_certificate_errors_total")
		}
		store(t, broken.certificate, broken.key)
		for _, replica := range cluster.Replicas() {
			plane.Eventually(t, broken.name+" to be noticed", func() error {
				now, err := replica.Metric("certwatcher_read_certificate_errors_total")
				if err == nil && now <= errors[replica.Pod] {
					err = fmt.Errorf("%.0f errors, as before", now)
				}
				return err
			})
			if status, text, err := readyz(replica); err != nil || status != http.StatusOK {
				t.Errorf("%s: /readyz answers %d %s %v", broken.name, status, text, err)
			}
		}
		if err := allServe(old); err != nil {
			t.Errorf("%s: %v", broken.name, err)
		}
		burst(t, l)
	}
	if err := cluster.CertManager.Start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	plane.Eventually(t, "a good pair", func() error {
		leaf, err := served(cluster.Replicas()[0])
		if err == nil && leaf.Equal(old) {
			err = fmt.Errorf("the old one is served")
		}
		return err
	})
	follow(t, first(t, secret(t, leafSecret).Data["tls.crt"]))
	t.Logf("a good pair is served %s after cert-manager is back", time.Since(began).Round(100*time.Millisecond))
	end()
	l.end(t, hung)
}
